import {
  CreateWebhookEndpoint,
  ListWebhookEndpoints,
  TheWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  findWebhookEndpointById,
  listWebhookEndpoints,
  requireEndpointUrl,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from "@purser/events/webhook-endpoints";
import { z } from "zod";
import { ofResource } from "../resource.ts";
import { checkInput, inOrganization, userProcedure } from "../trpc.ts";

const ofEndpoint = ofResource("id", "WEBHOOK_ENDPOINT_NOT_FOUND", findWebhookEndpointById);

export const webhookEndpoints = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/webhook-endpoints" },
      summary: "Lists the webhook endpoints of an organization without their secrets, newest first.",
      access: "ownerOrKey",
      returns: "A page of the endpoints, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(ListWebhookEndpoints)
    .output(z.array(WebhookEndpoint))
    .use(inOrganization("ownerOrKey"))
    .query(({ ctx, input }) => listWebhookEndpoints(ctx, input)),

  create: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/webhook-endpoints", status: 201 },
      summary:
        "Creates a webhook endpoint: from now on, the events of the organization are sent to its address. A repeat with the same Idempotency-Key is refused, because the secret is not shown again.",
      returnsSecret: true,
      access: "ownerOrKey",
      returns: "The new endpoint with its secret, which no other response contains.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "EMAIL_NOT_VERIFIED", "TOO_MANY_ENDPOINTS"],
    })
    .input(CreateWebhookEndpoint)
    .output(WebhookEndpointWithSecret)
    .use(checkInput(requireEndpointUrl))
    .use(inOrganization("ownerOrKey"))
    .mutation(({ ctx, input }) => createWebhookEndpoint(ctx, input)),

  update: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/webhook-endpoints/:id" },
      summary: "Changes a webhook endpoint, disables it, or enables it again.",
      access: "ownerOrKey",
      returns: "The endpoint with its changes.",
      errors: ["WEBHOOK_ENDPOINT_NOT_FOUND", "FORBIDDEN"],
    })
    .input(UpdateWebhookEndpoint)
    .output(WebhookEndpoint)
    .use(checkInput(requireEndpointUrl))
    .use(inOrganization("ownerOrKey", ofEndpoint))
    .mutation(({ ctx, input }) => updateWebhookEndpoint(ctx, input)),

  delete: userProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/webhook-endpoints/:id" },
      summary:
        "Deletes a webhook endpoint. What it has not received is not sent. Its deliveries stay listed.",
      access: "ownerOrKey",
      errors: ["WEBHOOK_ENDPOINT_NOT_FOUND", "FORBIDDEN"],
    })
    .input(TheWebhookEndpoint)
    .output(z.void())
    .use(inOrganization("ownerOrKey", ofEndpoint))
    .mutation(({ ctx, input }) => deleteWebhookEndpoint(ctx, input)),

  rotateSecret: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/webhook-endpoints/:id/rotate-secret" },
      summary:
        "Replaces the secret of a webhook endpoint. For 24 hours, deliveries are signed with both. A repeat with the same Idempotency-Key is refused, because the secret is not shown again.",
      returnsSecret: true,
      access: "ownerOrKey",
      returns: "The endpoint with its new secret, which no other response contains.",
      errors: ["WEBHOOK_ENDPOINT_NOT_FOUND", "FORBIDDEN"],
    })
    .input(TheWebhookEndpoint)
    .output(WebhookEndpointWithSecret)
    .use(inOrganization("ownerOrKey", ofEndpoint))
    .mutation(({ ctx, input }) => rotateWebhookSecret(ctx, input)),

  test: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/webhook-endpoints/:id/test" },
      summary:
        "Sends a test event to this webhook endpoint alone. Its type is `webhook_endpoint.test`, which no feed has.",
      access: "ownerOrKey",
      returns: "The delivery of the test event. The list of deliveries shows its outcome.",
      errors: ["WEBHOOK_ENDPOINT_NOT_FOUND", "FORBIDDEN", "WEBHOOK_ENDPOINT_DISABLED"],
    })
    .input(TheWebhookEndpoint)
    .output(WebhookDelivery)
    .use(inOrganization("ownerOrKey", ofEndpoint))
    .mutation(({ ctx, input }) => testWebhookEndpoint(ctx, input)),
};
