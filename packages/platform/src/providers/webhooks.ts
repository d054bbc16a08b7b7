import type { KeyObject } from "node:crypto";
import type { RefusedWebhook } from "../inbox/receiver.ts";
import { hmacMatches, isTimely } from "../inbox/signature.ts";

/**
 * Verifies a webhook's signature by the Standard Webhooks specification: the header `webhook-signature` contains HMACs of
 * `webhook-id`, `webhook-timestamp` and the body. Returns the id and the parsed body.
 */
export function verifyStandardWebhook(
  keys: readonly (Buffer | KeyObject)[],
  body: Buffer,
  headers: Headers,
  now: Date,
): { outcome: "signed"; id: string; event: unknown } | RefusedWebhook {
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  const signatures = (headers.get("webhook-signature") ?? "")
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => signature.slice("v1,".length));
  const message = [`${id}.${timestamp}.`, body];
  const isSigned = hmacMatches({ keys, message, signatures, encoding: "base64" });
  if (!isSigned || id === "" || !/^\d{1,12}$/.test(timestamp)) return refuseWebhook("signature");
  if (!isTimely(new Date(Number(timestamp) * 1000), now)) return refuseWebhook("time");
  return { outcome: "signed", id, event: parseWebhookBody(body.toString("utf8")) };
}

/** Returns the outcome of a webhook that a receiver refuses. */
export function refuseWebhook(reason: RefusedWebhook["reason"]): RefusedWebhook {
  return { outcome: "refused", reason };
}

/** Parses a webhook's body as JSON. Returns undefined if it is not JSON. */
export function parseWebhookBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
