import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { signLemonSqueezyEvent } from "../../../../../packages/providers/lemonsqueezy/src/fake/index.ts";
import { signLithicWebhook } from "../../../../../packages/providers/lithic/src/fake/network.ts";
import { signPaddleEvent } from "../../../../../packages/providers/paddle/src/fake/events.ts";
import { newSigningKey, signWebhook } from "../../../../../packages/providers/plaid/src/fake/signing.ts";
import { emptyState } from "../../../../../packages/providers/plaid/src/fake/state.ts";
import { signPolarEvent } from "../../../../../packages/providers/polar/src/fake/events.ts";
import { signStripeEvent } from "../../../../../packages/providers/stripe/src/fake/events.ts";
import {
  type Described,
  type Description,
  type MessageVariant,
  readDescription,
  sampleOf,
  variantsOf,
  webhookSchema,
} from "./descriptions.ts";

type Message = Record<string, unknown>;

/** A message of a vendor, and those that differ from it by one field. */
export interface Example {
  name: string;
  message: Message;
  variants: MessageVariant[];
}

/** How a vendor's examples are found, signed and delivered. */
export interface VendorExamples {
  area: "banking" | "billing" | "cards";
  vendor: string;
  /** The settings of the adapter, without the address of its API. */
  settings: object;
  examples(folder: string): Example[];
  sign(message: Message, at: Date): Promise<Request> | Request;
  /** What the vendor's API answers while the event is applied. */
  reply(message: Message, path: string): object;
}

interface Request {
  body: Buffer;
  headers: Headers;
}

const secret = `whsec_${Buffer.from("thirty-two bytes to sign it with").toString("base64")}`;
let count = 0;
const nextId = (prefix: string) => `${prefix}_${(count += 1)}`;
const plaidKeys = emptyState();
const plaidKey = await newSigningKey(plaidKeys);

const polarDescription = "polar/polar/docs/openapi/2026-10.openapi.json";
let polarSubscription: Message = {};
let paddleSubscription: Message = {};
let stripeSubscription: Message = {};

export const vendors: VendorExamples[] = [
  {
    area: "cards",
    vendor: "lithic",
    settings: { apiKey: "key", environment: "sandbox", webhookSecrets: [secret], currencies: ["USD"] },
    examples: (folder) =>
      described(readDescription(folder, "lithic/lithic-openapi/lithic-openapi.yml"), [
        "card_authorization.approval_request",
        "card_transaction.updated",
      ]),
    sign: (message, at) => signLithicWebhook(message, secret, at, nextId("msg")),
    reply: () => ({}),
  },
  {
    area: "billing",
    vendor: "polar",
    settings: { accessToken: "token", webhookSecrets: [secret], environment: "sandbox" },
    examples: (folder) =>
      described(readDescription(folder, polarDescription), ["subscription.updated"], (description) => {
        polarSubscription = sampleOf(description, description.components.schemas["Subscription"]!) as Message;
      }),
    sign: (message, at) => signPolarEvent(JSON.stringify(message), { secret, at, id: nextId("msg") }),
    reply: ({ type, data }, path) => {
      if (/\/$|\?/.test(path)) return { items: [], pagination: { total_count: 0, max_page: 0 } };
      return String(type).startsWith("subscription.") ? (data as object) : polarSubscription;
    },
  },
  {
    area: "billing",
    vendor: "paddle",
    settings: { apiKey: "key", webhookSecrets: [secret], environment: "sandbox" },
    examples: (folder) => {
      const description = readDescription(folder, "paddle/paddle-openapi/v1/openapi.yaml");
      const subscription = description?.components.schemas["subscription"];
      if (subscription) paddleSubscription = sampleOf(description, subscription) as Message;
      const mocks = resolve(folder, "paddle/paddle-node-sdk/src/__tests__/mocks/notifications");
      return globSync(`${mocks}/*.mock.ts`).map((file) => {
        const message = literalIn(readFileSync(file, "utf8"));
        const name = String(message["event_type"]);
        const schema = description && webhookSchema(description, name);
        const isRead = ["subscription.updated", "subscription.canceled", "transaction.completed"].includes(
          name,
        );
        return { name, message, variants: schema && isRead ? variantsOf(description, schema, message) : [] };
      });
    },
    sign: (message, at) => signPaddleEvent({ ...message, event_id: nextId("evt") }, [secret], at),
    reply: ({ event_type: type, data }, path) => {
      const pagination = {
        per_page: 50,
        next: "https://api.paddle.com/",
        has_more: false,
        estimated_total: 0,
      };
      if (path.startsWith("/products")) return { data: [], meta: { request_id: "1", pagination } };
      // A webhook omits what only the API shows.
      const own = String(type).startsWith("subscription.") ? (data as object) : {};
      return { data: { ...paddleSubscription, ...own }, meta: { request_id: "1" } };
    },
  },
  {
    area: "billing",
    vendor: "stripe",
    settings: { apiKey: "sk_test_1", webhookSecrets: [secret] },
    examples: (folder) => [
      ...stripeFixtures(folder, ["subscription", "checkout.session", "invoice"]),
      ...files(folder, "stripe/*/**/{customer,subscription,checkout,invoice}*.json", (message) => {
        return typeof message["type"] === "string" && "data" in message;
      }),
    ],
    sign: (message, at) => signStripeEvent({ ...message, id: nextId("evt") }, at, secret),
    reply: ({ data }) => {
      const { object } = data as { object: Message };
      return object["object"] === "subscription" ? object : stripeSubscription;
    },
  },
  {
    area: "cards",
    vendor: "stripe",
    settings: {
      apiKey: "sk_test_1",
      webhookSecrets: [secret],
      billingAddress: { line1: "1 Lime Street", city: "London", postalCode: "EC3M 7AA", country: "GB" },
    },
    examples: (folder) => stripeFixtures(folder, ["issuing.authorization", "issuing.transaction"]),
    sign: (message, at) => signStripeEvent({ ...message, id: nextId("evt") }, at, secret),
    reply: () => ({}),
  },
  {
    area: "billing",
    vendor: "lemonsqueezy",
    settings: { apiKey: "key", storeId: "2", webhookSecrets: [secret] },
    examples: (folder) =>
      files(folder, "lemonsqueezy/pay/test/fixtures/files/lemon_squeezy/*.json", () => true).map(
        // Nobody publishes a description, so every attribute may be null or absent.
        (example) => ({ ...example, variants: everyField(example.message) }),
      ),
    sign: (message) => {
      const { event_name: eventName } = message["meta"] as { event_name: string };
      return signLemonSqueezyEvent(JSON.stringify(message), { eventName, secret });
    },
    reply: ({ data }) => ({ jsonapi: { version: "1.0" }, data: data as object }),
  },
  {
    area: "banking",
    vendor: "plaid",
    settings: { clientId: "client", secret: "secret", environment: "sandbox" },
    examples: (folder) => {
      const description = readDescription(folder, "plaid/plaid-openapi/2020-09-14.yml");
      return Object.entries(description?.components.schemas ?? {})
        .filter(([name, { properties }]) => name.endsWith("Webhook") && properties?.["webhook_type"])
        .map(([name, schema]) => exampleBy(description!, name, schema, true));
    },
    sign: async (message, at) => {
      const body = JSON.stringify({ ...message, purser: nextId("n") });
      const signature = await signWebhook(plaidKey, body, at);
      return { body: Buffer.from(body), headers: new Headers({ "plaid-verification": signature }) };
    },
    reply: () => ({ key: plaidKeys.keys.get(plaidKey.kid), request_id: "1" }),
  },
];

/** All webhooks of a description, and the variants of those that the adapter reads. */
function described(
  description: Description | null,
  read: string[],
  prepare: (description: Description) => void = () => {},
): Example[] {
  if (description !== null) prepare(description);
  return Object.keys(description?.webhooks ?? {}).flatMap((name) => {
    const schema = webhookSchema(description!, name);
    return schema ? [exampleBy(description!, name, schema, read.includes(name))] : [];
  });
}

function exampleBy(description: Description, name: string, schema: Described, isRead: boolean): Example {
  const message = sampleOf(description, schema) as Message;
  return { name, message, variants: isRead ? variantsOf(description, schema, message) : [] };
}

function stripeFixtures(folder: string, kinds: string[]): Example[] {
  const path = resolve(folder, "stripe/openapi/openapi/fixtures3.json");
  const { resources } = JSON.parse(readFileSync(path, "utf8")) as { resources: Record<string, Message> };
  stripeSubscription = resources["subscription"] ?? {};
  const [spec] = globSync(resolve(folder, "stripe/openapi/**/spec3*.{json,yaml}"));
  const description = spec === undefined ? null : readDescription(folder, spec);
  return kinds.flatMap((kind) => {
    const object = resources[kind.replace(".", "_")] ?? resources[kind];
    if (object === undefined) return [];
    const type = stripeTypes[kind]!;
    const wrap = (of: unknown): Message => ({
      object: "event",
      api_version: "2026-01-01",
      created: 1_772_442_000,
      type,
      data: { object: of },
    });
    const schema = description?.components.schemas[kind];
    const variants = schema ? variantsOf(description, schema, object) : [];
    return [
      {
        name: type,
        message: wrap(object),
        variants: variants.map(({ change, message }) => ({ change, message: wrap(message) })),
      },
    ];
  });
}

const stripeTypes: Readonly<Record<string, string>> = {
  subscription: "customer.subscription.updated",
  "checkout.session": "checkout.session.completed",
  invoice: "invoice.paid",
  "issuing.authorization": "issuing_authorization.updated",
  "issuing.transaction": "issuing_transaction.created",
};

function files(folder: string, pattern: string, is: (message: Message) => boolean): Example[] {
  return globSync(resolve(folder, pattern))
    .map((file) => ({
      name: file.split("/").at(-1)!,
      message: JSON.parse(readFileSync(file, "utf8")) as Message,
    }))
    .filter(({ message }) => is(message))
    .map((example) => ({ ...example, variants: [] }));
}

/** The object literal of a mock. */
function literalIn(source: string): Message {
  const start = source.search(/= \{\n/) + 2;
  return runInNewContext(`(${source.slice(start, source.indexOf("\n};", start) + 2)})`) as Message;
}

function everyField(message: Message): MessageVariant[] {
  const { attributes } = message["data"] as { attributes: Message };
  return Object.keys(attributes).flatMap((name) =>
    (["null", "absent"] as const).map((change) => {
      const changed = structuredClone(message) as { data: { attributes: Message } };
      if (change === "null") changed.data.attributes[name] = null;
      else Reflect.deleteProperty(changed.data.attributes, name);
      return { change: `data/attributes/${name}: ${change}`, message: changed };
    }),
  );
}
