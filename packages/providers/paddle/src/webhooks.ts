import { z } from "zod";
import { hmacMatches, isTimely } from "@purser/platform/inbox";
import type { RefusedWebhook, VerifiedWebhook } from "@purser/platform/inbox";
import { parseWebhookBody, refuseWebhook } from "@purser/platform/providers";
import type { BillingNotice, BillingWebhooks } from "@purser/billing/ports";
import { PaddleId, paddleTeamClaim, isPaddleSubscriptionId } from "./mapping.ts";

/**
 * Paddle's webhooks: the header `Paddle-Signature` holds a time, and HMACs of it and the body, one for each secret
 * while they are rotated. The SDK's own check takes only the last of them, and what was signed in the future, so that
 * it is not what checks here; that both judge alike otherwise is tested.
 */
export function paddleWebhooks(secrets: readonly string[]): BillingWebhooks {
  // Anybody could sign with an empty secret.
  const keys = secrets.map((secret) => secret.trim()).filter((secret) => secret !== "");
  return {
    verify: (body, headers, now) => verify(keys, body, headers.get("paddle-signature") ?? "", now),
    read: ({ type, body }) => noticeOf(type, parseWebhookBody(body)),
  };
}

/** The notification's id is another one each time that the event is sent again by hand. */
const Event = z.object({ event_id: PaddleId, event_type: PaddleId });

function verify(
  keys: readonly string[],
  body: Buffer,
  header: string,
  now: Date,
): VerifiedWebhook | RefusedWebhook {
  const parts = header.split(";").map((part) => part.trim().split("=", 2));
  const named = (name: string) => parts.filter(([key]) => key === name).map(([, value = ""]) => value);
  // Of several times the SDK takes the last one; the signature holds for one of them only.
  const time = named("ts").at(-1) ?? "";
  const signatures = named("h1").filter((signature) => /^[\da-f]{64}$/.test(signature));
  const message = [`${time}:`, body];
  if (!hmacMatches({ keys, message, signatures, encoding: "hex" })) return refuseWebhook("signature");
  if (!isTimely(new Date(Number(time) * 1000), now)) return refuseWebhook("time");
  const { data } = Event.safeParse(parseWebhookBody(body.toString("utf8")));
  if (data === undefined) return refuseWebhook("malformed");
  return { outcome: "verified", eventId: data.event_id, type: data.event_type };
}

const Notified = z.object({
  data: z.object({ id: PaddleId, subscription_id: PaddleId.nullish(), custom_data: z.unknown().optional() }),
});

/** What an event is about, by the kind of thing and not by what happened to it, of which new ones come up. */
function noticeOf(type: string, event: unknown): BillingNotice | null {
  const thing = Notified.safeParse(event).data?.data;
  if (thing === undefined) return null;
  switch (type.split(".", 1)[0]) {
    case "product":
    case "price":
      return { kind: "catalog" };
    case "subscription":
      return subscriptionNotice(thing.id, thing.custom_data);
    // A payment, and a refund or chargeback of one. A checkout is a transaction without a subscription so far.
    case "transaction":
    case "adjustment":
      return subscriptionNotice(thing.subscription_id, thing.custom_data);
    default:
      return null;
  }
}

function subscriptionNotice(
  subscriptionId: string | null | undefined,
  customData: unknown,
): BillingNotice | null {
  if (!subscriptionId || !isPaddleSubscriptionId(subscriptionId)) return null;
  return { kind: "subscription", subscriptionId, ...paddleTeamClaim(customData) };
}
