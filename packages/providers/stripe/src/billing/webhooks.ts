import { z } from "zod";
import { createStripeWebhookVerifier } from "../webhooks.ts";
import { parsed } from "@purser/platform/providers";
import type { BillingNotice, BillingWebhooks } from "@purser/billing/ports";
import { Id, Metadata, Reference, recognizes } from "./mapping.ts";

/** What Stripe tells of subscriptions, and of what is on sale. */
export function stripeWebhooks(secrets: readonly string[]): BillingWebhooks {
  return { verify: createStripeWebhookVerifier(secrets), read: ({ body }) => noticeOf(parsed(body)) };
}

const Team = Metadata.catch({});

/** What an event is about: the thing itself, as far as it tells of a subscription. */
const Notified = z.object({
  data: z.object({
    object: z.object({
      object: z.string(),
      id: Id.optional().catch(undefined),
      metadata: Team,
      /** At checkout sessions and schedules, and at invoices before the API's version of 2025-03-31. */
      subscription: Reference.optional().catch(undefined),
      /** At invoices and their items since. */
      parent: z
        .object({ subscription_details: z.object({ subscription: Reference, metadata: Team }) })
        .optional()
        .catch(undefined),
    }),
  }),
});

const catalogue: ReadonlySet<string> = new Set(["product", "price", "plan"]);

/** By what it is about and not by its type, of which new ones come up. */
function noticeOf(event: unknown): BillingNotice | null {
  const thing = Notified.safeParse(event).data?.data.object;
  if (thing === undefined) return null;
  if (catalogue.has(thing.object)) return { kind: "catalogue" };
  const details = thing.parent?.subscription_details;
  const mentioned = details?.subscription ?? thing.subscription;
  const subscriptionId = thing.object === "subscription" ? thing.id : mentioned;
  if (subscriptionId === undefined || !recognizes(subscriptionId)) return null;
  const { purser_organization: organizationId = null } = details?.metadata ?? thing.metadata;
  return { kind: "subscription", subscriptionId, organizationId };
}
