import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { webhookAreas } from "@purser/core";
import { signLemonSqueezyEvent } from "../../../../../packages/providers/lemonsqueezy/src/fake/index.ts";
import { signPaddleEvent } from "../../../../../packages/providers/paddle/src/fake/events.ts";
import { newSigningKey, signWebhook } from "../../../../../packages/providers/plaid/src/fake/signing.ts";
import { emptyState } from "../../../../../packages/providers/plaid/src/fake/state.ts";
import { signStripeEvent } from "../../../../../packages/providers/stripe/src/fake/events.ts";
import { readDescription, sampleOf, variantsOf, webhookSchema } from "./descriptions.ts";
import { lemonSqueezyExamples, lemonSqueezyReply, lemonSqueezyStore } from "./lemonsqueezy.ts";
import {
  type Example,
  type Message,
  described,
  exampleBy,
  files,
  filled,
  literalIn,
  renamed,
  textAt,
} from "./messages.ts";
import { signStandardWebhook } from "./signing.ts";

/** How a vendor's examples are found, signed and delivered. */
export interface VendorExamples {
  area: (typeof webhookAreas)[number];
  vendor: string;
  /** The settings of the adapter, without the address of its API. */
  settings: object;
  examples(folder: string): Example[];
  /**
   * Signs with the vendor's own helper: Stripe's SDK has one, and the SDKs of Lithic and Polar verify with a library that
   * also signs. The SDKs of Paddle, Plaid and Lemon Squeezy only verify or have nothing, so their fakes sign.
   */
  sign(message: Message, at: Date): Promise<Request> | Request;
  /** The vendor's id of the subscription, card or item that a message is about; null if it names none. */
  referenceIn(message: Message): string | null;
  /** Replaces the ids of the purchase, because a repeated one changes nothing. */
  fresh?(message: Message): Message;
  /** What the vendor's API answers while the event is applied. */
  reply(message: Message, path: string): object;
  /** Whether an example as published is known to be unreadable, such as one of an older version of the API. */
  unreadable?(message: Message): boolean;
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
/** What Paddle's API shows of the subscription in an example. An event omits some fields. */
const paddleSubscriptions = new WeakMap<Message, Message>();
let stripeSubscription: Message = {};

export const vendors: VendorExamples[] = [
  {
    area: "cards",
    vendor: "lithic",
    settings: { apiKey: "key", environment: "sandbox", webhookSecrets: [secret], currencies: ["USD"] },
    examples: (folder) =>
      described(
        readDescription(folder, "lithic/lithic-openapi/lithic-openapi.yml"),
        ["card_authorization.approval_request", "card_transaction.updated"],
        (_name, message) => {
          // The first value of each list declines. A decline after a request of ours needs no more work.
          const events = message["events"] as Message[] | undefined;
          for (const event of events ?? [])
            Object.assign(event, { type: "AUTHORIZATION", result: "APPROVED" });
        },
      ),
    sign: (message, at) => signStandardWebhook("lithic", message, { secret, at, id: nextId("msg") }),
    fresh: (message) => {
      const events = (message["events"] as Message[] | undefined) ?? [];
      return renamed(
        message,
        [message, ...events].map((one) => textAt(one, "token")),
        randomUUID,
      );
    },
    referenceIn: (message) => textAt(message, "card_token") ?? textAt(message, "card", "token"),
    reply: () => ({}),
  },
  {
    area: "billing",
    vendor: "polar",
    settings: { accessToken: "token", webhookSecrets: [secret], environment: "sandbox" },
    examples: (folder) => {
      const description = readDescription(folder, polarDescription);
      const schema = description?.components.schemas["Subscription"];
      if (schema) polarSubscription = sampleOf(description, schema) as Message;
      // The first status of the list is of a subscription that never began.
      return described(description, ["subscription.updated"], (name, { data }) => {
        if (name.startsWith("subscription.")) {
          Object.assign(data as Message, { status: "active" });
          Object.assign((data as { customer: Message }).customer, { external_id: null });
        }
      });
    },
    sign: (message, at) => signStandardWebhook("polar", message, { secret, at, id: nextId("msg") }),
    referenceIn: (message) =>
      String(message["type"]).startsWith("subscription.")
        ? textAt(message, "data", "id")
        : textAt(message, "data", "subscription_id"),
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
        const { data } = message;
        const isSubscription = name.startsWith("subscription.");
        const whole = isSubscription ? { ...message, data: filled(paddleSubscription, data) } : message;
        paddleSubscriptions.set(message, whole["data"] as Message);
        const schema = description && webhookSchema(description, name);
        const isRead = ["subscription.updated", "subscription.canceled", "transaction.completed"].includes(
          name,
        );
        return { name, message, variants: schema && isRead ? variantsOf(description, schema, whole) : [] };
      });
    },
    // The SDK's example of a trial has an item without a product, which its own class for the API cannot read.
    unreadable: (message) => JSON.stringify(message).includes('"product":null'),
    sign: (message, at) => {
      const isNamed = "event_id" in message;
      return signPaddleEvent({ ...message, ...(isNamed && { event_id: nextId("evt") }) }, [secret], at);
    },
    referenceIn: (message) =>
      String(message["event_type"]).startsWith("subscription.")
        ? textAt(message, "data", "id")
        : textAt(message, "data", "subscription_id"),
    reply: (message, path) => {
      const pagination = {
        per_page: 50,
        next: "https://api.paddle.com/",
        has_more: false,
        estimated_total: 0,
      };
      if (path.startsWith("/products")) return { data: [], meta: { request_id: "1", pagination } };
      const isSubscription = String(message["event_type"]).startsWith("subscription.");
      const shown = paddleSubscriptions.get(message) ?? message["data"];
      return { data: isSubscription ? shown : paddleSubscription, meta: { request_id: "1" } };
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
    referenceIn: (message) =>
      textAt(message, "data", "object", "object") === "subscription"
        ? textAt(message, "data", "object", "id")
        : textAt(message, "data", "object", "subscription"),
    // In versions before 2025-03-31, the subscription had the period, and not its items.
    unreadable: ({ api_version: version }) => typeof version !== "string" || version < "2025-03-31",
    reply: ({ data }) => {
      const { object } = data as { object: Message };
      const subscription = object["object"] === "subscription" ? object : stripeSubscription;
      // Events name the invoice, which the adapter asks for.
      return { ...subscription, latest_invoice: null };
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
    fresh: (message) => renamed(message, [textAt(message, "data", "object", "id")], () => nextId("ex")),
    referenceIn: (message) =>
      textAt(message, "data", "object", "card", "id") ?? textAt(message, "data", "object", "card"),
    reply: () => ({}),
  },
  {
    area: "billing",
    vendor: "lemonsqueezy",
    settings: { apiKey: "key", storeId: lemonSqueezyStore, webhookSecrets: [secret] },
    examples: lemonSqueezyExamples,
    sign: (message) => {
      const { event_name: eventName } = message["meta"] as { event_name: string };
      return signLemonSqueezyEvent(JSON.stringify(message), { eventName, secret });
    },
    referenceIn: (message) =>
      textAt(message, "data", "type") === "subscriptions"
        ? textAt(message, "data", "id")
        : textAt(message, "data", "attributes", "subscription_id"),
    reply: lemonSqueezyReply,
  },
  {
    area: "banking",
    vendor: "plaid",
    settings: {
      clientId: "client",
      secret: "secret",
      environment: "sandbox",
      countryCodes: ["GB"],
      clientName: "Purser",
      language: "en",
      daysRequested: 90,
    },
    examples: (folder) => {
      const description = readDescription(folder, "plaid/plaid-openapi/2020-09-14.yml");
      return Object.entries(description?.components.schemas ?? {})
        .filter(([name, { properties }]) => name.endsWith("Webhook") && properties?.["webhook_type"])
        .map(([name, schema]) => exampleBy(description!, schema, { name, isRead: true }));
    },
    sign: async (message, at) => {
      const body = JSON.stringify({ ...message, purser: nextId("n") });
      const signature = await signWebhook(plaidKey, body, at);
      return { body: Buffer.from(body), headers: new Headers({ "plaid-verification": signature }) };
    },
    referenceIn: (message) => textAt(message, "item_id"),
    reply: () => ({ key: plaidKeys.keys.get(plaidKey.kid), request_id: "1" }),
  },
];

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
