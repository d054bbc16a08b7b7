import { webhookDeliveries } from "@purser/db";
import { type SQL, and, eq } from "drizzle-orm";
import { type SealContext, sealedIn } from "../secrets.ts";

export type WebhookArea = "banking" | "cards" | "billing";

/** Names one event for ever: providers repeat events, and their ids are only unique within themselves. */
export interface WebhookKey {
  area: WebhookArea;
  provider: string;
  eventId: string;
}

/** A webhook event of a built-in provider. */
export interface SandboxEvent {
  id: string;
  type: string;
  /** Each provider has its own format. */
  data: Record<string, unknown>;
}

/** The payload of the job that delivers a built-in provider's event to its receiver. */
export interface SandboxDelivery {
  area: WebhookArea;
  /** Default `sandbox`; in billing it is `local`. */
  provider?: string;
  event: SandboxEvent;
}

export function theDelivery({ area, provider, eventId }: WebhookKey): SQL | undefined {
  return and(
    eq(webhookDeliveries.area, area),
    eq(webhookDeliveries.provider, provider),
    eq(webhookDeliveries.eventId, eventId),
  );
}

/** Where an event's body is sealed. */
export function bodyContext({ area, provider, eventId }: WebhookKey): SealContext {
  return sealedIn(webhookDeliveries.body, [area, provider, eventId]);
}
