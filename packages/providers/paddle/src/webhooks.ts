import type { BillingNotice, BillingWebhooks } from "@purser/billing/ports";
import { type RefusedWebhook, type VerifiedWebhook, hmacMatches, isTimely } from "@purser/platform/inbox";
import { parseWebhookBody, refuseWebhook } from "@purser/platform/providers";
import { z } from "zod";
import { PaddleId, isPaddleSubscriptionId, paddleOrganizationClaim } from "./client.ts";

/**
 * Paddle's webhooks. The header `Paddle-Signature` holds a time and the HMAC of time and body, one per secret during a
 * rotation.
 *
 * The SDK's own check accepts only the last signature, and accepts times in the future, so it is not used here. A test
 * shows that both agree otherwise.
 */
export function paddleWebhooks(secrets: readonly string[]): BillingWebhooks {
  // Anyone could sign with an empty secret.
  const keys = secrets.map((secret) => secret.trim()).filter((secret) => secret !== "");
  return {
    verify: (body, headers, now) =>
      verifyPaddleSignature(keys, body, headers.get("paddle-signature") ?? "", now),
    read: ({ type, body }) => paddleNotice(type, parseWebhookBody(body)),
  };
}

/** Not `notification_id`, which changes whenever an event is sent again by hand. */
const Event = z.object({ event_id: PaddleId, event_type: z.string().min(1).max(255) });

function verifyPaddleSignature(
  keys: readonly string[],
  body: Buffer,
  header: string,
  now: Date,
): VerifiedWebhook | RefusedWebhook {
  const parts = header.split(";").map((part) => part.trim().split("=", 2));
  const valuesOf = (name: string) => parts.filter(([key]) => key === name).map(([, value = ""]) => value);
  // The signature covers one time. Of several, the SDK takes the last, and so does this.
  const time = valuesOf("ts").at(-1) ?? "";
  const signatures = valuesOf("h1").filter((signature) => /^[\da-f]{64}$/.test(signature));
  const message = [`${time}:`, body];
  if (!hmacMatches({ keys, message, signatures, encoding: "hex" })) return refuseWebhook("signature");
  if (!isTimely(new Date(Number(time) * 1000), now)) return refuseWebhook("time");
  const { data } = Event.safeParse(parseWebhookBody(body.toString("utf8")));
  if (data === undefined) return refuseWebhook("malformed");
  return { outcome: "verified", eventId: data.event_id, type: data.event_type };
}

const EventBody = z.object({
  data: z.object({
    id: PaddleId,
    status: z.string().optional().catch(undefined),
    subscription_id: PaddleId.nullish(),
    custom_data: z.unknown().optional(),
  }),
});

/** Decides by the kind of entity, not by the kind of change: Paddle adds kinds of change over time. */
function paddleNotice(type: string, event: unknown): BillingNotice | null {
  const entity = EventBody.safeParse(event).data?.data;
  if (entity === undefined) return null;
  switch (type.split(".", 1)[0]) {
    case "product":
    case "price":
      return { kind: "catalog" };
    case "subscription":
      return paddleSubscriptionNotice(entity.id, entity.custom_data);
    // A payment; a refund or chargeback of one. The transaction of an open checkout has no subscription yet. Only from the
    // status `ready` on can Paddle cancel it.
    case "transaction":
    case "adjustment":
      if (!entity.subscription_id && entity.status === "ready")
        return { kind: "checkout", reference: entity.id };
      return paddleSubscriptionNotice(entity.subscription_id, entity.custom_data);
    default:
      return null;
  }
}

function paddleSubscriptionNotice(
  subscriptionId: string | null | undefined,
  customData: unknown,
): BillingNotice | null {
  if (!subscriptionId || !isPaddleSubscriptionId(subscriptionId)) return null;
  return { kind: "subscription", subscriptionId, ...paddleOrganizationClaim(customData) };
}
