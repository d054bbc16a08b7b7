import { globSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Example, type Message, everyField, files, textAt } from "./messages.ts";

/** The store of our adapter. It ignores events and subscriptions of others. */
export const lemonSqueezyStore = "2";

/** The name of the event that carries a kind of object. */
const eventNames: Readonly<Record<string, string>> = {
  subscriptions: "subscription_updated",
  "subscription-invoices": "subscription_payment_success",
};

let subscription: Message = {};

/** The events that one library publishes, and events with the objects that another publishes. */
export function lemonSqueezyExamples(folder: string): Example[] {
  const events = files(folder, "lemonsqueezy/pay/test/fixtures/files/lemon_squeezy/*.json", () => true);
  const stubs = globSync(
    resolve(folder, "lemonsqueezy/lemonsqueezy-go/internal/stubs/{webhook,subscription*}.go"),
  );
  const objects = stubs.flatMap(eventsOfStubs);
  const examples = [...events, ...objects].map((one) => ({ ...one, message: ofOurStore(one.message) }));
  const example = examples.find(({ message }) => textAt(message, "data", "type") === "subscriptions");
  if (example !== undefined) subscription = example.message["data"] as Message;
  // Nobody publishes a description, so every attribute may be null or absent.
  return examples.map((one) => ({ ...one, variants: everyField(one.message) }));
}

/** What the API answers while an event is applied: the subscription of the event, or an example with its id. */
export function lemonSqueezyReply(message: Message): object {
  const { type } = message["data"] as { type: string };
  const id = textAt(message, "data", "attributes", "subscription_id");
  const data = type === "subscriptions" ? message["data"] : { ...subscription, id };
  return { jsonapi: { version: "1.0" }, data };
}

/** The responses and requests in a Go file of stubs: each function returns one JSON text. */
function eventsOfStubs(file: string): Example[] {
  const source = readFileSync(file, "utf8");
  const stubs = source.matchAll(/^func (\w+)\(\) \[\]byte \{\s+return \[\]byte\(`([^`]+)`\)/gm);
  return [...stubs].flatMap(([, name = "", text = ""]) => {
    const body = JSON.parse(text) as Message;
    const { meta, data = [] } = body as { meta?: Message; data?: unknown };
    const isEvent = typeof meta?.["event_name"] === "string";
    return [data].flat().flatMap((object) => {
      const { type } = object as Message;
      const eventName = isEvent ? meta["event_name"] : eventNames[String(type)];
      if (eventName === undefined) return [];
      const message = { meta: { ...(isEvent && meta), event_name: eventName }, data: object };
      return [{ name: `${basename(file)} ${name}`, message, variants: [] }];
    });
  });
}

/** The examples are of several stores. Events of a store that is not ours have no effect. */
function ofOurStore(message: Message): Message {
  const data = message["data"] as { attributes: Message };
  const attributes = { ...data.attributes, store_id: Number(lemonSqueezyStore) };
  return { ...message, data: { ...data, attributes } };
}
