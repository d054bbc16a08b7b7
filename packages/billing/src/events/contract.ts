import { pageAfterProviderId, text, webhookEventStatuses } from "@purser/core";
import { z } from "zod";
import { PaymentProviderName } from "../contract.ts";

const EventStatus = z.enum(webhookEventStatuses).meta({ id: "BillingEventStatus" });

/** The provider's name and its event id. The event id alone may have 255 characters. */
const EventId = text(300);

export const BillingEvent = z
  .object({
    /** The provider and its event id, as `provider:id`. */
    id: z.string(),
    provider: z.string(),
    type: z.string(),
    status: EventStatus,
    attempts: z.int(),
    lastError: z.string().nullable(),
    receivedAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "BillingEvent" });

export const ListEvents = z.strictObject({
  provider: PaymentProviderName.optional(),
  status: EventStatus.optional(),
  ...pageAfterProviderId(EventId, "stripe:evt_1QxN2rLkdIwHu7ix"),
});

export const ReplayEvent = z.strictObject({ id: EventId });
