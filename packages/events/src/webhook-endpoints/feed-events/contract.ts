import { eventContract } from "@purser/core";
import type { z } from "zod";
import { WebhookEndpoint } from "../contract.ts";

/** The events of webhook endpoints. */
export const webhookEndpointEventContracts = [
  eventContract(
    "webhook_endpoint.disabled",
    WebhookEndpoint,
    "An endpoint was disabled, because an owner did it, it answered 410, or everything failed for five days.",
  ),
] as const;

export type WebhookEndpointEvent = z.output<(typeof webhookEndpointEventContracts)[number]>;
