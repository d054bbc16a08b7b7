import { createHmac, randomUUID } from "node:crypto";
import type { SignedEvent } from "@purser/billing/testing";

/** Something that Polar tells: its type, and the thing that it happened to, as it is from then on. */
export interface Told {
  type: string;
  data: object;
}

/** A body as Polar sends it. */
export function bodyOf({ type, data }: Told, at: Date): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), api_version: "2026-10", data });
}

interface Signing {
  /** As Polar shows it, `whsec_…`. */
  secret: string;
  at: Date;
  id?: string;
  /** As Polar signs for secrets from before 8 September 2026: with the characters themselves. */
  isOld?: boolean;
}

/** The request that tells of an event. */
export function signed(body: string, { secret, at, id = randomUUID(), isOld = false }: Signing): SignedEvent {
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
