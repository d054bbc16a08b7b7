import { createHmac, randomUUID } from "node:crypto";
import type { SignedEvent } from "@purser/billing/testing";
import { type PolarWebhooks, polarContract } from "./vendor-contract.ts";

/** An event: its type, and the resource after the change. */
export interface PolarEvent {
  type: keyof PolarWebhooks;
  data: object;
}

/** Builds the body of a webhook. */
export function bodyOf({ type, data }: PolarEvent, at: Date): string {
  const event = { type, timestamp: at.toISOString(), api_version: "2026-10", data };
  return JSON.stringify(polarContract.webhook(type, event));
}

interface Signing {
  /** In the form that Polar shows, `whsec_…`. */
  secret: string;
  at: Date;
  id?: string;
  /** Signs as Polar does for secrets made before 8 September 2026, with the secret's own characters. */
  isOld?: boolean;
}

/** Builds the webhook request of an event. */
export function signPolarEvent(
  body: string,
  { secret, at, id = randomUUID(), isOld = false }: Signing,
): SignedEvent {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = isOld ? Buffer.from(secret) : Buffer.from(secret.replace("whsec_", ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = new Headers({
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
    "webhook-api-version": "2026-10",
  });
  return { body: Buffer.from(body), headers };
}
