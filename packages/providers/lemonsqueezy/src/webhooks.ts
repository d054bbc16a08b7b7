import { hash } from "node:crypto";
import type { BillingNotice, BillingWebhooks } from "@purser/billing/ports";
import { hmacMatches } from "@purser/platform/inbox";
import { parseWebhookBody, refuseWebhook } from "@purser/platform/providers";
import { z } from "zod";
import { LemonSqueezyId } from "./client.ts";

/**
 * Lemon Squeezy's webhooks. The header `X-Signature` holds the HMAC of the body. Neither a time nor an event id is
 * signed. The event id here is the hash of the body, so a replayed event is a duplicate.
 */
export function lemonSqueezyWebhooks(secrets: readonly string[], storeId: string): BillingWebhooks {
  // Anyone could sign with an empty secret.
  if (secrets.includes("")) throw new Error("A webhook secret of Lemon Squeezy is empty");
  return {
    verify: (body, headers) => {
      const claim = { keys: secrets, message: [body], signatures: [headers.get("x-signature") ?? ""] };
      if (!hmacMatches({ ...claim, encoding: "hex" })) return refuseWebhook("signature");
      // Not the header `X-Event-Name`, which is not signed.
      const type = Event.safeParse(parseWebhookBody(body.toString("utf8"))).data?.meta.event_name;
      if (type === undefined) return refuseWebhook("malformed");
      return { outcome: "verified", eventId: hash("sha256", body, "hex"), type };
    },
    read: ({ body }) => lemonSqueezyNotice(parseWebhookBody(body), storeId),
  };
}

const Event = z.object({ meta: z.object({ event_name: z.string().min(1).max(255) }) });

const EventBody = z.object({
  meta: z.object({
    // Without custom data, PHP sends an empty list instead of an object.
    custom_data: z
      .object({
        purser_organization: z.string().min(1).max(255),
        purser_checkout: z.string().min(1).max(255),
      })
      .optional()
      .catch(undefined),
  }),
  data: z.object({
    type: z.string(),
    id: LemonSqueezyId,
    attributes: z.object({ store_id: LemonSqueezyId, subscription_id: LemonSqueezyId.optional() }),
  }),
});

/** The resource of an event is a subscription, or it references one, as an invoice does. */
function lemonSqueezyNotice(event: unknown, storeId: string): BillingNotice | null {
  const { meta, data } = EventBody.safeParse(event).data ?? {};
  // An account may have several stores.
  if (meta === undefined || data?.attributes.store_id !== storeId) return null;
  const subscriptionId = data.type === "subscriptions" ? data.id : data.attributes.subscription_id;
  if (subscriptionId === undefined) return null;
  if (meta.custom_data === undefined) return { kind: "subscription", subscriptionId, organizationId: null };
  // A customer with a public checkout link can write any custom data, so the claim names its checkout.
  const { purser_organization: organizationId, purser_checkout: checkoutId } = meta.custom_data;
  return { kind: "subscription", subscriptionId, organizationId, checkoutId };
}
