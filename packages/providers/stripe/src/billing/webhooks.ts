import type { BillingNotice, BillingWebhooks } from "@purser/billing/ports";
import { parseWebhookBody } from "@purser/platform/providers";
import { z } from "zod";
import { Reference, StripeId } from "../client.ts";
import { verifyStripeSignature } from "../webhooks.ts";
import { StripeMetadata, isStripeSubscriptionId } from "./subscriptions.ts";

/** Reads events about subscriptions and the catalog. */
export function stripeBillingWebhooks(secrets: readonly string[]): BillingWebhooks {
  return {
    verify: (body, headers, now) => verifyStripeSignature(secrets, body, headers, now),
    read: ({ body }) => stripeNotice(parseWebhookBody(body)),
  };
}

const OptionalMetadata = StripeMetadata.catch({});

/** The fields of an event's object that name a subscription. */
const Event = z.object({
  data: z.object({
    object: z.object({
      object: z.string(),
      id: StripeId.optional().catch(undefined),
      metadata: OptionalMetadata,
      /** On checkout sessions and schedules, and on invoices before API version 2025-03-31. */
      subscription: Reference.optional().catch(undefined),
      /** On invoices and invoice items since that version. */
      parent: z
        .object({ subscription_details: z.object({ subscription: Reference, metadata: OptionalMetadata }) })
        .optional()
        .catch(undefined),
    }),
  }),
});

const catalogObjects: ReadonlySet<string> = new Set(["product", "price", "plan"]);

/** Decides by the kind of the object and not by the type of the event, so new event types need no change. */
function stripeNotice(event: unknown): BillingNotice | null {
  const object = Event.safeParse(event).data?.data.object;
  if (object === undefined) return null;
  if (catalogObjects.has(object.object)) return { kind: "catalog" };
  const details = object.parent?.subscription_details;
  const mentioned = details?.subscription ?? object.subscription;
  const subscriptionId = object.object === "subscription" ? object.id : mentioned;
  if (subscriptionId === undefined || !isStripeSubscriptionId(subscriptionId)) return null;
  const { purser_organization: organizationId = null } = details?.metadata ?? object.metadata;
  return { kind: "subscription", subscriptionId, organizationId };
}
