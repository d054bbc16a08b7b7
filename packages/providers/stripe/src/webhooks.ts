import { createSecretKey } from "node:crypto";
import { type RefusedWebhook, type VerifiedWebhook, hmacMatches, isTimely } from "@purser/platform/inbox";
import { parseWebhookBody, refuseWebhook } from "@purser/platform/providers";
import { z } from "zod";

/**
 * Verifies a webhook of Stripe's: `Stripe-Signature: t=<seconds>,v1=<hex>` signs `t`, a dot and the body with
 * HMAC-SHA256. See https://docs.stripe.com/webhooks#verify-manually. Several secrets are valid while one is rolled.
 *
 * The SDK's `constructEvent` is not used: it decodes the body before it verifies, so other bytes can pass for the
 * signed ones, and it accepts timestamps in the future. Tests sign with the SDK's helper.
 */
export function verifyStripeSignature(
  secrets: readonly string[],
  body: Buffer,
  headers: Headers,
  now: Date,
): VerifiedWebhook | RefusedWebhook {
  const keys = secrets
    .map((secret) => secret.trim())
    // Anyone can sign with an empty secret.
    .filter((secret) => secret !== "")
    .map((secret) => createSecretKey(secret, "utf8"));
  const { timestamp, signatures } = parseSignatureHeader(headers.get("stripe-signature") ?? "");
  const isSigned = hmacMatches({ keys, message: [`${timestamp}.`, body], signatures, encoding: "hex" });
  if (!isSigned || !/^\d{1,12}$/.test(timestamp)) return refuseWebhook("signature");
  if (!isTimely(new Date(Number(timestamp) * 1000), now)) return refuseWebhook("time");
  const { data: event } = Event.safeParse(parseWebhookBody(body.toString("utf8")));
  if (event === undefined) return refuseWebhook("malformed");
  return { outcome: "verified", eventId: event.id, type: event.type };
}

const Name = z.string().min(1).max(255);
const Event = z.object({ id: Name, type: Name });

function parseSignatureHeader(header: string): { timestamp: string; signatures: string[] } {
  const pairs = header.split(",").map((pair) => pair.trim().split("=", 2));
  const valuesOf = (name: string) => pairs.filter(([key]) => key === name).map(([, value = ""]) => value);
  return {
    // The SDK also takes the last of several timestamps. The signature covers only one of them.
    timestamp: valuesOf("t").at(-1) ?? "",
    signatures: valuesOf("v1").filter((signature) => /^[\da-f]{64}$/.test(signature)),
  };
}
