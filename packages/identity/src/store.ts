import { createHash } from "node:crypto";
import { newId, type userRoles } from "@purser/core";
import {
  type Database,
  type Executor,
  type Transaction,
  accounts,
  apiKeys,
  deleteInBatches,
  sessions,
  twoFactors,
  users,
  verifications,
} from "@purser/db";
import { and, eq, gt, inArray, like, lt, lte, ne, not, or } from "drizzle-orm";

export interface NewUser {
  email: string;
  name: string;
  image?: string | null;
  /** The hash of the password. Null if the user has none and cannot sign in with one. */
  passwordHash: string | null;
  emailVerified: boolean;
  role: (typeof userRoles)[number];
}

/** Inserts a user and their password, and returns the user's id. Undefined if the address is taken. */
export async function insertUser(db: Executor, user: NewUser, at: Date): Promise<string | undefined> {
  const { passwordHash, ...columns } = user;
  const times = { createdAt: at, updatedAt: at };
  const [added] = await db
    .insert(users)
    .values({ ...columns, ...times, id: newId("user", at) })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  if (added === undefined || passwordHash === null) return added?.id;
  const account = { userId: added.id, accountId: added.id, providerId: "credential", password: passwordHash };
  await db.insert(accounts).values({ ...account, ...times, id: newId("acc", at) });
  return added.id;
}

export async function insertSession(
  db: Executor,
  session: { userId: string; token: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  const { createdAt } = session;
  await db.insert(sessions).values({ ...session, id: newId("ses", createdAt), updatedAt: createdAt });
}

export async function deleteSession(db: Executor, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/** Deletes all sessions of the user of this session but this one. */
export async function deleteOtherSessions(db: Executor, token: string): Promise<void> {
  const owner = db.select({ userId: sessions.userId }).from(sessions).where(eq(sessions.token, token));
  await db.delete(sessions).where(and(inArray(sessions.userId, owner), ne(sessions.token, token)));
}

/** Makes a user an administrator. */
export async function grantAdministration(db: Executor, userId: string, at: Date): Promise<void> {
  await db.update(users).set({ role: "admin", updatedAt: at }).where(eq(users.id, userId));
}

/** Makes the user an administrator if their address is verified and in this list. */
export async function grantVerified(db: Executor, userId: string, emails: readonly string[], at: Date) {
  await db
    .update(users)
    .set({ role: "admin", updatedAt: at })
    .where(
      and(
        eq(users.id, userId),
        eq(users.emailVerified, true),
        inArray(users.email, [...emails]),
        ne(users.role, "admin"),
      ),
    );
}

const changeOf = (token: string) => `change-email:${createHash("sha256").update(token).digest("base64url")}`;

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

/** Ends the user's trusted devices and pending sign-ins, so the next sign-in asks for the second factor. */
export async function endTrust(db: Executor, userId?: string): Promise<void> {
  const owned = userId === undefined ? undefined : eq(verifications.value, userId);
  await db.delete(verifications).where(and(owned, isTrust));
}

/** Ends the links in the user's mails that set a password or change the address. */
export async function endLinks(db: Executor, userId: string): Promise<void> {
  // Skips a link that a concurrent request is about to use. Waiting for each other would be a deadlock.
  const unused = db
    .select({ id: verifications.id })
    .from(verifications)
    .where(and(eq(verifications.value, userId), not(isTrust)))
    .for("update", { skipLocked: true });
  await db.delete(verifications).where(inArray(verifications.id, unused));
}

/**
 * Verifies the address, which a password reset by mail proves. If it was not verified before, an attacker may have
 * signed up with it first, so this deletes the account's API keys and second factor. Always ends what was begun with the
 * old password or address: trusted devices, pending sign-ins, other links of this kind, changes of address.
 */
export async function proveByReset(db: Executor, user: { id: string; emailVerified: boolean }, at: Date) {
  await endTrust(db, user.id);
  await endLinks(db, user.id);
  if (user.emailVerified) return;
  await db.delete(apiKeys).where(eq(apiKeys.referenceId, user.id));
  await db.delete(twoFactors).where(eq(twoFactors.userId, user.id));
  const proven = { emailVerified: true, twoFactorEnabled: false, updatedAt: at };
  await db.update(users).set(proven).where(eq(users.id, user.id));
}

/** How long a used code is remembered: longer than an authenticator's code is valid (three steps of half a minute). */
const usedCodeLifetimeMs = 120_000;

interface UsedCode {
  userId: string;
  code: string;
}

const usedCodeId = ({ userId, code }: UsedCode) =>
  `ver_used_${createHash("sha256").update(`${userId}:${code}`).digest("base64url")}`;

/** Marks a one-time code as used, and returns false if it was used before. Waits for a concurrent use to be decided. */
export async function insertUsedCode(db: Executor, used: UsedCode, at: Date): Promise<boolean> {
  const expiresAt = new Date(at.getTime() + usedCodeLifetimeMs);
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

/**
 * Locks the user's password. A request that opens a session and one that replaces the password then wait for each other,
 * so the later one sees what the earlier one did.
 */
export async function lockPassword(db: Executor, userId: string): Promise<void> {
  await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.userId, userId)).for("update");
}

/** Lists the password hashes of the users with these e-mail addresses in lower case. */
export function listPasswordHashes(db: Executor, emails: readonly string[]) {
  return db
    .select({ email: users.email, hash: accounts.password })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(inArray(users.email, [...emails]));
}

/** Returns whether this is the hash of the user's password. Waits for a request that replaces it. */
export async function hasPassword(db: Executor, userId: string, hash: string): Promise<boolean> {
  const found = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.password, hash)))
    .for("share");
  return found.length > 0;
}

/** Locks a user's row, so no new row can reference it until the transaction ends. */
export async function lockUser(db: Executor, userId: string): Promise<void> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
}

interface UserAddress {
  id: string;
  email: string;
  emailVerified: boolean;
}

const addressColumns = { id: users.id, email: users.email, emailVerified: users.emailVerified };

/** Returns the user with this e-mail address in lower case. */
export async function findUserByEmail(db: Executor, email: string): Promise<UserAddress | undefined> {
  const [user] = await db.select(addressColumns).from(users).where(eq(users.email, email));
  return user;
}

/** Like `findUserByEmail`. The address remains the user's until the transaction ends. */
export async function lockUserByEmail(db: Transaction, email: string): Promise<UserAddress | undefined> {
  const [user] = await db.select(addressColumns).from(users).where(eq(users.email, email)).for("key share");
  return user;
}

export async function findUserById(db: Executor, userId: string): Promise<UserAddress | undefined> {
  const [user] = await db.select(addressColumns).from(users).where(eq(users.id, userId));
  return user;
}

export async function findEmail(db: Executor, userId: string): Promise<string | undefined> {
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId));
  return user?.email;
}

/** Whether the user's sign-in asks for a code. False while the second factor is being set up. */
export async function hasSecondFactor(db: Executor, userId: string): Promise<boolean> {
  const on = and(eq(users.id, userId), eq(users.twoFactorEnabled, true));
  return (await db.select({ id: users.id }).from(users).where(on)).length > 0;
}

export async function deleteExpired(db: Database, at: Date): Promise<void> {
  await deleteInBatches(db, sessions, lt(sessions.expiresAt, at));
  await deleteInBatches(db, verifications, lt(verifications.expiresAt, at));
}
