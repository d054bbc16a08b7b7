import { z } from "zod";
import type { RefusedWebhook, VerifiedWebhook } from "@purser/platform/inbox";
import { parseWebhookBody, refuseWebhook, verifyStandardWebhook } from "@purser/platform/providers";
import type { BillingNotice, BillingWebhooks } from "@purser/billing/ports";
import { PolarOwner, isPolarId, polarOrganizationId } from "./mapping.ts";

/**
 * Polar's webhooks, signed as Standard Webhooks say. The SDK's own `validateEvent` asks the computer's clock, and takes no event of a
 * type that it does not know, so that it is not what checks here; that both judge a signature alike is tested.
 */
export function polarWebhooks(secrets: readonly string[]): BillingWebhooks {
  const keys = secrets.flatMap(keysOf);
  return {
    verify: (body, headers, now) => verify(keys, body, headers, now),
    read: ({ type, body }) => noticeOf(type, parseWebhookBody(body)),
  };
}

/** Polar's keys have 32 bytes; one of a few could be guessed. */
const leastBytes = 16;

/**
 * What Polar signs with, which the secret does not tell: with the bytes that stand in it as base64 if it was made since
 * 8 September 2026, and with its own characters, the prefix among them, if it is older.
 */
function keysOf(secret: string): Buffer[] {
  const text = secret.trim();
  // Anybody could sign with an empty key.
  if (text === "") throw new Error("A webhook secret of Polar's is empty");
  const decoded = Buffer.from(text.replace(/^whsec_/, ""), "base64");
  // Of what is no base64, Node decodes what it can, which may be next to nothing.
  return decoded.length >= leastBytes ? [Buffer.from(text), decoded] : [Buffer.from(text)];
}

const Event = z.object({ type: z.string().min(1).max(255) });

function verify(
  keys: readonly Buffer[],
  body: Buffer,
  headers: Headers,
  now: Date,
): VerifiedWebhook | RefusedWebhook {
  const signed = verifyStandardWebhook(keys, body, headers, now);
  if (signed.outcome === "refused") return signed;
  const { id, event } = signed;
  const type = Event.safeParse(event).data?.type;
  if (type === undefined || id.length > 255) return refuseWebhook("malformed");
  return { outcome: "verified", eventId: id, type };
}

const Subject = z.object({
  data: PolarOwner.extend({ id: z.string(), subscription_id: z.string().nullish().catch(null) }),
});

/** By what the type begins with: Polar adds to what can happen to a thing more often than it adds things. */
function noticeOf(type: string, event: unknown): BillingNotice | null {
  const subject = Subject.safeParse(event).data?.data;
  if (subject === undefined) return null;
  switch (type.split(".")[0]) {
    case "product":
      return { kind: "catalog" };
    case "subscription":
      return pointer(subject.id, subject);
    case "order":
    case "refund":
    case "checkout":
      return pointer(subject.subscription_id, subject);
    default:
      return null;
  }
}

function pointer(id: string | null | undefined, owned: z.infer<typeof PolarOwner>): BillingNotice | null {
  const organizationId = polarOrganizationId(owned);
  return id && isPolarId(id) ? { kind: "subscription", subscriptionId: id, organizationId } : null;
}
