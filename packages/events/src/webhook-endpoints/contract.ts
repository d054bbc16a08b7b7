import {
  eventTypes,
  exampleIds,
  explained,
  explainedValues,
  sharedFields,
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
    "Where events are sent: an https address that the internet can reach, without user name and password.",
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
    types: z.array(z.enum(eventTypes)).meta(about.types),
    description: z.string().nullable().meta(about.description),
    status: z.enum(webhookEndpointStatuses).meta(status),
    disabledReason: z
      .string()
      .nullable()
      .meta(
        explained("Why it is disabled, as a sentence. Null while it is ENABLED.", "An owner disabled it."),
      ),
    createdAt: z.date().meta(explained("When it was created.", new Date("2026-03-02T09:15:00.000Z"))),
  })
  .meta({ id: "WebhookEndpoint", description: "An address that the events of an organization are sent to." });
