import { exampleIds, explained } from "@purser/core";
import { json } from "./components.ts";
import type { Json } from "./json-schema.ts";

const header = (name: string, description: string, example: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string", examples: [example] },
});

/** The request that a webhook endpoint receives. It is not an operation of this service, but of the receiver. */
export const webhookOperation: Json = {
  operationId: "webhookEndpoints.receive",
  tags: ["webhookEndpoints"],
  summary: "Receives an event.",
  description:
    "Sent to each endpoint of the organization that subscribes to the type, at least once and in no order. Verify the signature before you use it: `@purser/client/webhooks` and the libraries of Standard Webhooks do.",
  security: [],
  parameters: [
    header("webhook-id", "The event's id, the same at every attempt.", exampleIds.evt),
    header("webhook-timestamp", "The time of this attempt, in seconds since 1970.", "1773863316"),
    header(
      "webhook-signature",
      "`v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. For 24 hours after a rotation there are two, separated by a space.",
      "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
  ],
  requestBody: {
    required: true,
    content: json({
      type: "object",
      properties: {
        type: {
          type: "string",
          ...explained(
            "What happened. Later versions add types: ignore those that you do not know.",
            "card.created",
          ),
        },
        timestamp: {
          type: "string",
          format: "date-time",
          ...explained("The time of the event.", "2026-03-18T19:48:36.000Z"),
        },
        data: { $ref: "#/components/schemas/Event" },
      },
      required: ["type", "timestamp", "data"],
    }),
  },
  responses: {
    "2XX": { description: "Received. The body is ignored." },
    "410": { description: "Gone. The endpoint is disabled." },
    default: { description: "Not received. The event is sent again, nine times over about three days." },
  },
};
