import {
  ListWebhookDeliveries,
  TheWebhookDelivery,
  WebhookDelivery,
  findWebhookDeliveryById,
  findWebhookEndpointById,
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
} from "@purser/events/webhook-endpoints";
import { z } from "zod";
import { inField, naming, ofResource } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

const ofDelivery = ofResource("id", "WEBHOOK_DELIVERY_NOT_FOUND", findWebhookDeliveryById);

const theEndpoint = inField(
  "endpointId",
  "WEBHOOK_ENDPOINT_NOT_FOUND",
  async (db, organizationId, id) =>
    (await findWebhookEndpointById(db, id))?.organizationId === organizationId,
);

export const deliveries = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/webhook-deliveries" },
      summary: "Lists the deliveries of events to webhook endpoints, with their attempts, newest first.",
      access: "ownerOrKey",
      returns: "A page of the deliveries, newest first. They are kept as long as their events.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "WEBHOOK_ENDPOINT_NOT_FOUND"],
    })
    .input(ListWebhookDeliveries)
    .output(z.array(WebhookDelivery))
    .use(inOrganization("ownerOrKey", naming(theEndpoint)))
    .query(({ ctx, input }) => listWebhookDeliveries(ctx, input)),

  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/webhook-deliveries/:id" },
      summary: "Returns a delivery of an event to a webhook endpoint, with its attempts.",
      access: "ownerOrKey",
      returns: "The delivery.",
      errors: ["WEBHOOK_DELIVERY_NOT_FOUND", "FORBIDDEN"],
    })
    .input(TheWebhookDelivery)
    .output(WebhookDelivery)
    .use(inOrganization("ownerOrKey", ofDelivery))
    .query(({ ctx, input }) => getWebhookDelivery(ctx, input)),

  redeliver: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/webhook-deliveries/:id/redeliver" },
      summary:
        "Sends an event to its endpoint again, whether it was delivered or not. If that fails, the attempts start over.",
      access: "ownerOrKey",
      returns: "The delivery, which is pending again.",
      errors: [
        "WEBHOOK_DELIVERY_NOT_FOUND",
        "FORBIDDEN",
        "WEBHOOK_ENDPOINT_NOT_FOUND",
        "WEBHOOK_ENDPOINT_DISABLED",
      ],
    })
    .input(TheWebhookDelivery)
    .output(WebhookDelivery)
    .use(inOrganization("ownerOrKey", ofDelivery))
    .mutation(({ ctx, input }) => redeliverWebhook(ctx, input)),
};
