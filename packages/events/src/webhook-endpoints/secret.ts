import { createHmac, randomBytes } from "node:crypto";
import { type Keyring, seal, sealedIn, unseal } from "@purser/platform";
import { testBodyColumn } from "./deliveries/store.ts";
import { previousSecretColumn, secretColumn } from "./store.ts";

const prefix = "whsec_";
const secretBytes = 32;

/** Returns a new signing secret, in the form of Standard Webhooks. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(secretBytes).toString("base64")}`;

interface RowId {
  organizationId: string;
  id: string;
}

/** Seals a secret as the present one of its endpoint. */
export function sealSecret(keys: Keyring, secret: string, { organizationId, id }: RowId): string {
  return seal(keys, secret, sealedIn(secretColumn, [organizationId, id]));
}

export function openSecret(keys: Keyring, sealed: string, { organizationId, id }: RowId): string {
  return unseal(keys, sealed, sealedIn(secretColumn, [organizationId, id]));
}

/** Seals a secret as the one before the last rotation. A sealed text opens only in its own column. */
export function sealPreviousSecret(keys: Keyring, secret: string, { organizationId, id }: RowId): string {
  return seal(keys, secret, sealedIn(previousSecretColumn, [organizationId, id]));
}

export function openPreviousSecret(keys: Keyring, sealed: string, { organizationId, id }: RowId): string {
  return unseal(keys, sealed, sealedIn(previousSecretColumn, [organizationId, id]));
}

/** Seals the body of a test event. It holds the address of the endpoint, which may contain a secret of its receiver. */
export function sealTestBody(keys: Keyring, body: string, { organizationId, id }: RowId): string {
  return seal(keys, body, sealedIn(testBodyColumn, [organizationId, id]));
}

export function openTestBody(keys: Keyring, sealed: string, { organizationId, id }: RowId): string {
  return unseal(keys, sealed, sealedIn(testBodyColumn, [organizationId, id]));
}

/**
 * Returns the headers of one attempt after Standard Webhooks: a signature by each secret, so that a receiver may change
 * from one to the other at any time while both are given.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
