import type { Event } from "./generated/purser-client.ts";

/** What JSON has as it is. TypeScript takes a text of an open list, `"a" | (string & Record<never, never>)`, for an object too. */
type SameInJson = string | number | boolean | null | undefined;

/** A value as JSON has it: a time is a string such as `2026-03-18T19:48:36.000Z`. */
export type InJson<Value> = Value extends SameInJson
  ? Value
  : Value extends Date
    ? string
    : Value extends readonly (infer Item)[]
      ? InJson<Item>[]
      : Value extends object
        ? { [Field in keyof Value]: InJson<Value[Field]> }
        : Value;

/** What `webhookEndpoints.test` sends. No feed has it. */
interface TestEvent extends Omit<Extract<Event, { type: "webhook_endpoint.disabled" }>, "type"> {
  type: "webhook_endpoint.test";
}

/** The body of a webhook of one type of event. */
interface PayloadOf<One extends Event | TestEvent> {
  /** What happened, such as `card_transaction.declined`. */
  type: One["type"];
  /** The time of the event. */
  timestamp: string;
  /** The event as `GET /api/events` shows it to an owner. `data.id` is the same at every attempt. */
  data: InJson<One>;
}

type PayloadOfEach<One extends Event | TestEvent> = One extends Event | TestEvent ? PayloadOf<One> : never;

/**
 * The body of a webhook. Comparing `type` tells which event it has. A later service may send types that this version does
 * not know, so ignore what you do not handle.
 */
export type WebhookPayload = PayloadOfEach<Event | TestEvent>;

/** A request that is not a webhook of this endpoint, or no longer one. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  /**
   * `headers`: one of the three is missing. `timestamp`: it is too far from now. `signature`: it is by another secret, or of
   * another body. `body`: it is signed, but not a payload of Purser.
   */
  readonly reason: "headers" | "timestamp" | "signature" | "body";

  constructor(reason: WebhookVerificationError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What {@link verifyWebhook} compares the time of an attempt with. */
export interface VerifyWebhookOptions {
  /** How far the time of the attempt may be from now. Default: 300. */
  toleranceSeconds?: number;
  /** The present time. Default: the clock's. */
  now?: Date;
}

/** The headers of a request: those of `fetch` or of a library like it, or an object of them, whose names may be in any case. */
export type WebhookHeaders =
  | { get: (name: string) => string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a webhook by the endpoint's secret, and returns its body. It follows
 * [Standard Webhooks](https://www.standardwebhooks.com), and runs wherever Web Crypto is: Node, Deno, Bun, workers.
 *
 * ```ts
 * const payload = await verifyWebhook(await request.text(), request.headers, process.env.WEBHOOK_SECRET);
 * if (payload.type === "card_transaction.declined") console.log(payload.data.data.merchantName);
 * ```
 *
 * @param body The body as it arrived. A parsed body that is written again may differ.
 * @param headers The headers of the request, of `fetch`, of Node or of a platform.
 * @param secret The endpoint's secret, or several while you change over to another one.
 * @throws {WebhookVerificationError} If the request is not a webhook of this endpoint.
 * @throws {TypeError} If a secret is not one of an endpoint.
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyWebhookOptions = {},
): Promise<WebhookPayload> {
  const read = (name: string) => readHeader(headers, name);
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(read);
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError(
      "headers",
      "The header webhook-id, -timestamp or -signature is missing",
    );
  }
  const distance = Math.abs(
    now.getTime() / 1000 - (/^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN),
  );
  // Not the opposite: no comparison with NaN holds.
  if (!(distance <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      "timestamp",
      `The timestamp is more than ${toleranceSeconds} s from now`,
    );
  }
  const bytes = typeof body === "string" ? utf8.encode(body) : new Uint8Array(body);
  const signed = join(utf8.encode(`${id}.${timestamp}.`), bytes);
  // Several headers of one name may arrive joined by commas.
  const given = [...signatures.matchAll(/(?:^|[\s,])v1,([\w+/=]+)/g)].flatMap(
    ([, one = ""]) => fromBase64(one) ?? [],
  );
  const keys = await Promise.all([secret].flat().map(keyOf));
  const checks = keys.flatMap((key) =>
    given.map((signature) => crypto.subtle.verify("HMAC", key, signature, signed)),
  );
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookVerificationError("signature", "The signature is not by the endpoint's secret");
  }
  const payload = parse(new TextDecoder().decode(bytes));
  if (!isPayload(payload)) throw new WebhookVerificationError("body", "The body is not from Purser");
  return payload;
}

const utf8 = new TextEncoder();

function readHeader(headers: WebhookHeaders, name: string): string {
  // Not by the class: a library may have its own.
  if (typeof headers.get === "function") return headers.get(name) ?? "";
  const named = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  return named.flatMap(([, value]) => value ?? []).join(" ");
}

async function keyOf(secret: string) {
  const key = secret.startsWith("whsec_") ? fromBase64(secret.slice("whsec_".length)) : null;
  if (key === null || key.length === 0) throw new TypeError("The secret begins with whsec_");
  return crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isPayload(body: unknown): body is WebhookPayload {
  if (typeof body !== "object" || body === null) return false;
  const { type, data } = body as { type?: unknown; data?: unknown };
  return typeof type === "string" && typeof data === "object" && data !== null && "id" in data;
}
