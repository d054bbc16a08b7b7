import {
  Id,
  eventTypes,
  exampleIds,
  explained,
  explainedValues,
  openText,
  page,
  sharedFields,
  text,
  webhookEndpointStatuses,
} from "@purser/core";
import { z } from "zod";

const status = explainedValues(webhookEndpointStatuses, "Whether events are sent to the endpoint.", {
  ENABLED: "every event of its types is sent.",
  DISABLED: "nothing is sent, and what happens meanwhile is not sent later.",
});

const about = {
  id: explained("The endpoint's id.", exampleIds.whe),
  url: explained(
    "Where events are sent: an https address that the internet can reach, without user name and password. A service in development also takes http and local addresses.",
    "https://hooks.demo.example/purser",
  ),
  types: explained("The types of events that are sent. Empty for all.", ["card_transaction.declined"]),
  description: explained(
    "What the endpoint is for, in up to 500 characters. Null if there is nothing.",
    "Accounting",
  ),
};

export const WebhookEndpoint = z
  .object({
    id: z.string().meta(about.id),
    organizationId: z.string().meta(sharedFields.organizationId),
    url: z.string().meta(about.url),
    types: z.array(openText(eventTypes)).meta({
      ...about.types,
      description: `${about.types.description} More types may be added.`,
    }),
    description: z.string().nullable().meta(about.description),
    status: z.enum(webhookEndpointStatuses).meta(status),
    disabledReason: z
      .string()
      .nullable()
      .meta(explained("Why it is disabled, as a sentence. Null while it is ENABLED.", null)),
    createdAt: z.date().meta(explained("When it was created.", new Date("2026-03-02T09:15:00.000Z"))),
  })
  .meta({ id: "WebhookEndpoint", description: "An address that the events of an organization are sent to." });

export const WebhookEndpointWithSecret = WebhookEndpoint.extend({
  secret: z
    .string()
    .meta(
      explained(
        "The secret that signs the deliveries, in the form of Standard Webhooks. Only this response contains it; keep it secret.",
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3yTqJ0dXc2E=",
      ),
    ),
}).meta({
  id: "WebhookEndpointWithSecret",
  description: "An address that events are sent to, with the secret that signs them.",
});

export const ListWebhookEndpoints = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  ...page("whe"),
});

const Url = text(2048).meta(about.url);
const Types = z
  .array(z.enum(eventTypes).meta(explained("A type of event.", "card_transaction.declined")))
  .max(eventTypes.length);
const Description = text(500).nullable();

export const CreateWebhookEndpoint = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  url: Url,
  types: Types.meta({
    ...about.types,
    description: "The types of events that are sent. Absent or empty for all.",
  }).optional(),
  description: Description.meta(about.description).optional(),
});

export const UpdateWebhookEndpoint = z.strictObject({
  id: Id.meta(about.id),
  url: Url.optional(),
  types: Types.meta(about.types).optional(),
  description: Description.meta(about.description).optional(),
  status: z
    .enum(webhookEndpointStatuses)
    .meta({
      ...status,
      description: `${status.description}\n\nENABLED starts with what happens from then on; DISABLED gives up what is not delivered yet.`,
    })
    .optional(),
});

export const TheWebhookEndpoint = z.strictObject({ id: Id.meta(about.id) });
