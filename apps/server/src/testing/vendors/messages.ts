import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { runInNewContext } from "node:vm";
import {
  type Described,
  type Description,
  type MessageVariant,
  sampleOf,
  variantsOf,
  webhookSchema,
} from "./descriptions.ts";

export type Message = Record<string, unknown>;

/** A message of a vendor, and those that differ from it by one field. */
export interface Example {
  name: string;
  message: Message;
  variants: MessageVariant[];
}

interface ExampleOptions {
  name: string;
  isRead: boolean;
  /** Changes the example where the schema's first values name something that the adapter ignores. */
  adjust?: (name: string, message: Message) => void;
}

export function exampleBy(
  description: Description,
  schema: Described,
  { name, isRead, adjust = () => {} }: ExampleOptions,
): Example {
  const [shown] = Object.values(schema["x-examples"] ?? {});
  const message = { ...(sampleOf(description, schema) as Message), ...(shown as Message | undefined) };
  adjust(name, message);
  return { name, message, variants: isRead ? variantsOf(description, schema, message) : [] };
}

/** All webhooks of a description, and the variants of those that the adapter reads. */
export function described(
  description: Description | null,
  read: string[],
  adjust: (name: string, message: Message) => void = () => {},
): Example[] {
  return Object.keys(description?.webhooks ?? {}).flatMap((name) => {
    const schema = webhookSchema(description!, name);
    return schema ? [exampleBy(description!, schema, { name, isRead: read.includes(name), adjust })] : [];
  });
}

export function files(folder: string, pattern: string, is: (message: Message) => boolean): Example[] {
  return globSync(resolve(folder, pattern))
    .map((file) => ({
      name: file.split("/").at(-1)!,
      message: JSON.parse(readFileSync(file, "utf8")) as Message,
    }))
    .filter(({ message }) => is(message))
    .map((example) => ({ ...example, variants: [] }));
}

/** The object literal of a mock. */
export function literalIn(source: string): Message {
  const start = source.search(/= \{\n/) + 2;
  return runInNewContext(`(${source.slice(start, source.indexOf("\n};", start) + 2)})`) as Message;
}

export function everyField(message: Message): MessageVariant[] {
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

/** Adds the fields of a sample that a value lacks, also in lists. */
export function filled(sample: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(Array.isArray(sample) ? sample[0] : {}, one));
  if (typeof value !== "object" || value === null || typeof sample !== "object" || sample === null)
    return value;
  const own = Object.entries(value).map(([name, inner]) => [name, filled((sample as Message)[name], inner)]);
  return { ...sample, ...Object.fromEntries(own) } as Message;
}

/** Replaces these ids everywhere. */
export function renamed(message: Message, ids: (string | null)[], newId: () => string): Message {
  const text = ids.reduce<string>(
    (all, id) => (id === null ? all : all.replaceAll(`"${id}"`, `"${newId()}"`)),
    JSON.stringify(message),
  );
  return JSON.parse(text) as Message;
}

/** The text at a path of a message, also if it is a number there. */
export function textAt(message: Message, ...path: string[]): string | null {
  const value = path.reduce<unknown>((at, name) => (at as Message | null | undefined)?.[name], message);
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}
