import { createHash } from "node:crypto";
import { z } from "zod";
import { hmacMatches } from "@purser/platform/inbox";
import { parseWebhookBody, refuseWebhook } from "@purser/platform/providers";
import type { BillingNotice, BillingWebhooks } from "@purser/billing/ports";
import { LemonSqueezyId } from "./mapping.ts";

/**
 * Lemon Squeezy's webhooks: the header `X-Signature` holds the HMAC of the body. No time is signed, and an event has
 * no id of its own: that an old one is not applied again is seen to by its id here, which is the body's hash.
 */
export function lemonSqueezyWebhooks(secrets: readonly string[], storeId: string): BillingWebhooks {
  // Anybody could sign with an empty secret.
  if (secrets.includes("")) throw new Error("A webhook secret of Lemon Squeezy's is empty");
  return {
    verify: (body, headers) => {
      const claim = { keys: secrets, message: [body], signatures: [headers.get("x-signature") ?? ""] };
      if (!hmacMatches({ ...claim, encoding: "hex" })) return refuseWebhook("signature");
      // The header `X-Event-Name` says the same, but nobody has signed it.
      const type = Named.safeParse(parseWebhookBody(body.toString("utf8"))).data?.meta.event_name;
      if (type === undefined) return refuseWebhook("malformed");
      return { outcome: "verified", eventId: createHash("sha256").update(body).digest("hex"), type };
    },
    read: ({ body }) => notice(parseWebhookBody(body), storeId),
  };
}

const Named = z.object({ meta: z.object({ event_name: z.string().min(1).max(255) }) });

const About = z.object({
  meta: z.object({
    // Where there is none, PHP makes an empty list of it.
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

/** The subscription that an event is about: it is one, or, as an invoice does, it names its own. */
function notice(event: unknown, storeId: string): BillingNotice | null {
  const { meta, data } = About.safeParse(event).data ?? {};
  // An account has one key and maybe several stores.
  if (meta === undefined || data?.attributes.store_id !== storeId) return null;
  const subscriptionId = data.type === "subscriptions" ? data.id : data.attributes.subscription_id;
  if (subscriptionId === undefined) return null;
  if (meta.custom_data === undefined) return { kind: "subscription", subscriptionId, organizationId: null };
  // Whoever buys by a public link writes what they like into it.
  const { purser_organization: organizationId, purser_checkout: checkoutId } = meta.custom_data;
  return { kind: "subscription", subscriptionId, organizationId, checkoutId };
}
