import {
  Id,
  eventTypes,
  exampleIds,
  explained,
  explainedValues,
  openText,
  page,
  sharedFields,
  webhookDeliveryStatuses,
} from "@purser/core";
import { z } from "zod";

const status = explainedValues(webhookDeliveryStatuses, "Whether the event has reached the endpoint.", {
  PENDING: "it is being sent, or will be at `nextAttemptAt`.",
  DELIVERED: "the endpoint answered with a 2xx status.",
  FAILED: "it was given up: after the last attempt, or because the endpoint was disabled or deleted.",
});

const about = {
  id: explained("The delivery's id.", exampleIds.whd),
  endpointId: explained("The id of the endpoint.", exampleIds.whe),
};

const Attempt = z
  .object({
    at: z.date().meta(explained("When it began.", new Date("2026-03-18T19:48:36.120Z"))),
    statusCode: z
      .int()
      .nullable()
      .meta(explained("The HTTP status of the response. Null if there was none.", 503)),
    error: z
      .string()
      .nullable()
      .meta(
        explained(
          "Why there was no response that counts, as a sentence. Null if the status says it.",
          "No response within 15 seconds.",
        ),
      ),
    isSuccess: z
      .boolean()
      .meta(explained("Whether the endpoint took the event: it answered with a 2xx status in time.", false)),
    durationMs: z.int().meta(explained("How long it took, in milliseconds.", 84)),
  })
  .meta({ id: "WebhookAttempt", description: "One request to an endpoint." });

const WebhookDeliveryEventType = openText([...eventTypes, "webhook_endpoint.test"]).meta({
  id: "WebhookDeliveryEventType",
  ...explained(
    "The type of the event. `webhook_endpoint.test` is that of a test. More types may be added.",
    "card_transaction.declined",
  ),
});

export const WebhookDelivery = z
  .object({
    id: z.string().meta(about.id),
    organizationId: z.string().meta(sharedFields.organizationId),
    endpointId: z.string().meta(about.endpointId),
    eventId: z
      .string()
      .meta(
        explained(
          "The id of the event, which the endpoint gets as `webhook-id`. The same at every attempt.",
          exampleIds.evt,
        ),
      ),
    eventType: WebhookDeliveryEventType,
    status: z.enum(webhookDeliveryStatuses).meta(status),
    attempts: z.array(Attempt).meta(explained("The newest 50 attempts, the oldest first.")),
    nextAttemptAt: z
      .date()
      .nullable()
      .meta(
        explained(
          "When it is sent next, at the earliest. Null unless it is PENDING.",
          new Date("2026-03-18T19:53:36.204Z"),
        ),
      ),
    createdAt: z.date().meta(explained("When it was created.", new Date("2026-03-18T19:48:36.080Z"))),
  })
  .meta({ id: "WebhookDelivery", description: "An event on its way to a webhook endpoint." });

export const ListWebhookDeliveries = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  endpointId: Id.meta(
    explained("Only deliveries to this endpoint. If absent, all.", exampleIds.whe),
  ).optional(),
  status: z
    .enum(webhookDeliveryStatuses)
    .meta({ ...status, description: `${status.description}\n\nIf absent, all.` })
    .optional(),
  ...page("whd"),
});

export const TheWebhookDelivery = z.strictObject({ id: Id.meta(about.id) });
