import { randomBytes } from "node:crypto";
import { type OrganizationKeyCaller, type Platform, hashSecret, recordIfPossible } from "@purser/platform";
import { findKeyByHash, setLastUsed } from "./store.ts";

/** Distinguishes these keys from those of users, and lets scanners for secrets recognize them. */
const prefix = "purser_org_";
const shownCharacters = prefix.length + 4;

/** The last use has this precision, in milliseconds, so most uses cost no write. */
const lastUsePrecisionMs = 60_000;

/** Whether a key is of this kind, by its form alone. It may be unknown or revoked. Keys of users belong to better-auth. */
export const isKeyOfOrganization = (key: string) => key.startsWith(prefix);

/** Makes the secret of a key. Only its hash and its start are stored. */
export function newKeySecret(): { key: string; start: string; hash: string } {
  const key = `${prefix}${randomBytes(32).toString("base64url")}`;
  return { key, start: key.slice(0, shownCharacters), hash: hashSecret(key) };
}

/** Returns the caller that presents this key, or null for a key that is unknown, revoked or expired. */
export async function resolveOrganizationKey(
  { db, clock }: Pick<Platform, "db" | "clock">,
  presented: string,
): Promise<OrganizationKeyCaller | null> {
  const now = clock.now();
  const key = await findKeyByHash(db, hashSecret(presented), now);
  if (key === undefined) return null;
  const { id: keyId, organizationId, name, access, lastUsedAt } = key;
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= lastUsePrecisionMs)
    await recordIfPossible(() => setLastUsed(db, key, now));
  return { keyId, organizationId, name, access, credential: "organization-key" };
}
