import type { BillingNotice, BillingWebhooks } from "@purser/billing/ports";
import type { RefusedWebhook, VerifiedWebhook } from "@purser/platform/inbox";
import { parseWebhookBody, refuseWebhook, verifyStandardWebhook } from "@purser/platform/providers";
import { z } from "zod";
import { PolarOwner, isPolarId, polarOrganizationId } from "./client.ts";

/**
 * Polar's webhooks, signed by the Standard Webhooks specification.
 *
 * The SDK's `validateEvent` uses the system clock and rejects event types that it does not know, so it is not used
 * here. A test shows that both judge signatures alike.
 */
export function polarWebhooks(secrets: readonly string[]): BillingWebhooks {
  const keys = secrets.flatMap(keysOf);
  return {
    verify: (body, headers, now) => verifyPolarWebhook(keys, body, headers, now),
    read: ({ type, body }) => polarNotice(type, parseWebhookBody(body)),
  };
}

/** Polar's keys have 32 bytes. A key of a few bytes could be guessed. */
const minimumKeyBytes = 16;

/**
 * Returns the possible keys of a secret. A secret made since 8 September 2026 is base64 and signs with the decoded
 * bytes. An older one signs with its own characters, prefix included. The secret does not show which it is.
 */
function keysOf(secret: string): Buffer[] {
  const text = secret.trim();
  // Anyone could sign with an empty key.
  if (text === "") throw new Error("A webhook secret of Polar is empty");
  const decoded = Buffer.from(text.replace(/^whsec_/, ""), "base64");
  // Node decodes what it can of text that is not base64, which may be almost nothing.
  return decoded.length >= minimumKeyBytes ? [Buffer.from(text), decoded] : [Buffer.from(text)];
}

const Event = z.object({ type: z.string().min(1).max(255) });

function verifyPolarWebhook(
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

const EventBody = z.object({
  data: PolarOwner.extend({ id: z.string(), subscription_id: z.string().nullish().catch(null) }),
});

/** Decides by the prefix of the type: Polar adds kinds of change more often than kinds of resources. */
function polarNotice(type: string, event: unknown): BillingNotice | null {
  const resource = EventBody.safeParse(event).data?.data;
  if (resource === undefined) return null;
  switch (type.split(".")[0]) {
    case "product":
      return { kind: "catalog" };
    case "subscription":
      return polarSubscriptionNotice(resource.id, resource);
    case "order":
    case "refund":
    case "checkout":
      return polarSubscriptionNotice(resource.subscription_id, resource);
    default:
      return null;
  }
}

function polarSubscriptionNotice(
  id: string | null | undefined,
  owner: z.infer<typeof PolarOwner>,
): BillingNotice | null {
  const organizationId = polarOrganizationId(owner);
  return id && isPolarId(id) ? { kind: "subscription", subscriptionId: id, organizationId } : null;
}
