import {
  explained,
  explainedValues,
  pageAfterProviderId,
  text,
  webhookEventStatuses,
  anyOf,
  paymentProviderNames,
} from "@purser/core";
import { z } from "zod";
import { PaymentProviderName } from "../contract.ts";

const EventStatus = z.enum(webhookEventStatuses).meta({
  id: "BillingEventStatus",
  ...explainedValues(webhookEventStatuses, "How far the processing of the event is.", {
    PENDING: "it waits for its first or next attempt.",
    APPLIED: "it has taken effect.",
    IGNORED: "it concerns nothing that is stored.",
    DEAD: "all attempts failed. An administrator can replay it.",
  }),
});

const exampleEventId = "stripe:evt_1QxN2rLkdIwHu7ix";

const eventId = explained("The provider and its id of the event, as `provider:id`.", exampleEventId);

/** The provider's name and its event id. The event id alone may have 255 characters. */
const EventId = text(300);

export const BillingEvent = z
  .object({
    id: z.string().meta(eventId),
    provider: z.string().meta(explained("The name of the payment provider.", "stripe")),
    type: z
      .string()
      .meta(explained("The provider's name for what happened.", "customer.subscription.updated")),
    status: EventStatus,
    attempts: z.int().meta(explained("How often the service has tried to apply the event.", 1)),
    lastError: z
      .string()
      .nullable()
      .meta(
        explained(
          "Why the last attempt failed, without secrets. Null if it did not fail.",
          "The payment provider did not respond within 8 seconds",
        ),
      ),
    receivedAt: z
      .date()
      .meta(explained("When the event was received first.", new Date("2026-03-02T09:15:02.000Z"))),
    updatedAt: z
      .date()
      .meta(explained("When its status last changed.", new Date("2026-03-02T09:15:03.000Z"))),
  })
  .meta({
    id: "BillingEvent",
    description: "A webhook event of a payment provider, stored before it is applied.",
  });

export const ListBillingEvents = z.strictObject({
  provider: PaymentProviderName.meta({
    description: `Only events of this payment provider: ${anyOf(paymentProviderNames)}. If absent, of all.`,
  }).optional(),
  status: EventStatus.meta({
    description: `Only events with this status: ${anyOf(webhookEventStatuses)}. If absent, all.`,
  }).optional(),
  ...pageAfterProviderId(EventId, exampleEventId),
});

export const ReplayEvent = z.strictObject({ id: EventId.meta(eventId) });
