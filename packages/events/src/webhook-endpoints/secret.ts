import { createHmac, randomBytes } from "node:crypto";
import type { TenantKey } from "@purser/db";
import { type Keyring, seal, sealedIn, unseal } from "@purser/platform";
import { testBodyColumn } from "./deliveries/store.ts";
import { type EndpointSecrets, previousSecretColumn, secretColumn } from "./store.ts";

const prefix = "whsec_";
const secretBytes = 32;

/** Returns a new signing secret, in the form of Standard Webhooks. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(secretBytes).toString("base64")}`;

/** Seals a secret as the present one of its endpoint. */
export function sealSecret(keys: Keyring, secret: string, { organizationId, id }: TenantKey): string {
  return seal(keys, secret, sealedIn(secretColumn, [organizationId, id]));
}

export function openSecret(keys: Keyring, sealed: string, { organizationId, id }: TenantKey): string {
  return unseal(keys, sealed, sealedIn(secretColumn, [organizationId, id]));
}

/** A secret that was replaced, and until when deliveries are signed with it too. */
interface PreviousSecret {
  secret: string;
  until: Date;
}

/** How many secrets before the present one sign. Each makes a header longer, and receivers limit its length. */
const maxPreviousSecrets = 9;

/**
 * Seals the secrets before the present one, the last one first, and returns what its columns hold. The text is
 * `whsec_… whsec_…@1773863316000`: the end of the first is in the other column, and each of the others has its own. So a
 * single one is stored as the previous version reads and writes it.
 */
export function sealPreviousSecrets(
  keys: Keyring,
  [last, ...earlier]: readonly [PreviousSecret, ...PreviousSecret[]],
  { organizationId, id }: TenantKey,
): Pick<EndpointSecrets, "previousSecret" | "previousSecretUntil"> {
  const others = earlier
    .slice(0, maxPreviousSecrets - 1)
    .map(({ secret, until }) => `${secret}@${until.getTime()}`);
  const text = [last.secret, ...others].join(" ");
  const previousSecret = seal(keys, text, sealedIn(previousSecretColumn, [organizationId, id]));
  return { previousSecret, previousSecretUntil: last.until };
}

/** Opens the secrets before the present one with which deliveries are signed too, the last one first. */
export function openPreviousSecrets(
  keys: Keyring,
  { previousSecret, previousSecretUntil }: EndpointSecrets,
  { organizationId, id }: TenantKey,
  now: Date,
): PreviousSecret[] {
  if (previousSecret === null || previousSecretUntil === null || now >= previousSecretUntil) return [];
  const text = unseal(keys, previousSecret, sealedIn(previousSecretColumn, [organizationId, id]));
  const previous = text.split(" ").map((entry) => {
    const [secret = "", end] = entry.split("@");
    return { secret, until: end === undefined ? previousSecretUntil : new Date(Number(end)) };
  });
  return previous.filter(({ until }) => now < until);
}

/** Seals the body of a test event. It holds the address of the endpoint, which may contain a secret of its receiver. */
export function sealTestBody(keys: Keyring, body: string, { organizationId, id }: TenantKey): string {
  return seal(keys, body, sealedIn(testBodyColumn, [organizationId, id]));
}

export function openTestBody(keys: Keyring, sealed: string, { organizationId, id }: TenantKey): string {
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
