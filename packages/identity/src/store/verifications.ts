import { hash } from "node:crypto";
import { addMs, newId } from "@purser/core";
import { type Database, type Executor, deleteInBatches, verifications } from "@purser/db";
import { and, eq, gt, inArray, like, lt, lte, not, or } from "drizzle-orm";

const changeOf = (token: string) => `change-email:${hash("sha256", token, "base64url")}`;

/** Stores which user requested the address change of this token. */
export async function insertEmailChange(
  db: Executor,
  change: { token: string; userId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  const { token, userId, createdAt, expiresAt } = change;
  const id = newId("ver", createdAt);
  const times = { createdAt, updatedAt: createdAt, expiresAt };
  await db.insert(verifications).values({ id, identifier: changeOf(token), value: userId, ...times });
}

/** Deletes the address change of this token, and returns whether this user had requested it. */
export async function deleteEmailChange(
  db: Executor,
  { token, userId }: { token: string; userId: string },
  at: Date,
): Promise<boolean> {
  const deleted = await db
    .delete(verifications)
    .where(
      and(
        eq(verifications.identifier, changeOf(token)),
        eq(verifications.value, userId),
        gt(verifications.expiresAt, at),
      ),
    )
    .returning({ id: verifications.id });
  return deleted.length > 0;
}

/** How better-auth's identifiers are stored: as hashes, with a prefix where a kind of row must be found by its user. */
export const identifierPrefixes = { "trust-device-": "trust-device:", "2fa-": "pending-sign-in:" } as const;

const isTrust = or(
  ...Object.values(identifierPrefixes).map((prefix) => like(verifications.identifier, `${prefix}%`)),
)!;

/** Deletes the user's trusted devices and pending sign-ins, so the next sign-in asks for the second factor. */
export async function deleteTrustAndPendingSignIns(db: Executor, userId?: string): Promise<void> {
  const owned = userId === undefined ? undefined : eq(verifications.value, userId);
  await db.delete(verifications).where(and(owned, isTrust));
}

/** Deletes the links in the user's mails that set a password or change the address. */
export async function deleteMailedLinks(db: Executor, userId: string): Promise<void> {
  // Skips a link that a concurrent request is about to use. Waiting for each other would be a deadlock.
  const unused = db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.value, userId), not(isTrust)))
    .for("update", { skipLocked: true });
  await db.delete(verifications).where(inArray(verifications.id, unused));
}

/** How long a used code is remembered: longer than an authenticator's code is valid (three steps of half a minute). */
const usedCodeLifetimeMs = 120_000;

interface UsedCode {
  userId: string;
  code: string;
}

const usedCodeId = ({ userId, code }: UsedCode) =>
  `ver_used_${hash("sha256", `${userId}:${code}`, "base64url")}`;

/** Marks a one-time code as used, and returns false if it was used before. Waits for a concurrent use to be decided. */
export async function insertUsedCode(db: Executor, used: UsedCode, at: Date): Promise<boolean> {
  const expiresAt = addMs(at, usedCodeLifetimeMs);
  const inserted = await db
    .insert(verifications)
    .values({
      id: usedCodeId(used),
      identifier: "used-code",
      value: "used",
      expiresAt,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoUpdate({
      target: verifications.id,
      set: { expiresAt, updatedAt: at },
      setWhere: lte(verifications.expiresAt, at),
    })
    .returning({ id: verifications.id });
  return inserted.length > 0;
}

/** Forgets a code that turned out to be wrong. */
export async function deleteUsedCode(db: Executor, used: UsedCode): Promise<void> {
  await db.delete(verifications).where(eq(verifications.id, usedCodeId(used)));
}

export async function deleteExpiredVerifications(db: Database, at: Date): Promise<void> {
  await deleteInBatches(db, verifications, lt(verifications.expiresAt, at));
}
