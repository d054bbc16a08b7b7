import { newId, type userRoles } from "@purser/core";
import { type Executor, type Transaction, accounts, users } from "@purser/db";
import { and, asc, eq, inArray, ne, notInArray, sql } from "drizzle-orm";
import { deleteApiKeysOfUser } from "./api-keys.ts";
import { deleteTwoFactors } from "./two-factors.ts";
import { deleteMailedLinks, deleteTrustAndPendingSignIns } from "./verifications.ts";

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

/** Makes a user an administrator. */
export async function grantAdministration(db: Executor, userId: string, at: Date): Promise<void> {
  await db.update(users).set({ role: "admin", updatedAt: at }).where(eq(users.id, userId));
}

/**
 * Makes the user an administrator if their address is verified and in this list. For all others it only reads: it runs at each
 * sign-in, and a cluster with a node that is down refuses every change of `users`.
 */
export async function grantVerified(db: Executor, userId: string, emails: readonly string[], at: Date) {
  const isDue = and(
    eq(users.id, userId),
    eq(users.emailVerified, true),
    inArray(users.email, [...emails]),
    ne(users.role, "admin"),
  );
  const due = await db.select({ id: users.id }).from(users).where(isDue);
  if (due.length > 0) await db.update(users).set({ role: "admin", updatedAt: at }).where(isDue);
}

/** Makes the administrator with this e-mail address in lower case a user. Returns false if there is none. */
export async function revokeAdministratorRole(db: Executor, email: string, at: Date): Promise<boolean> {
  const revoked = await db
    .update(users)
    .set({ role: "user", updatedAt: at })
    .where(and(eq(users.email, email), eq(users.role, "admin")))
    .returning({ id: users.id });
  return revoked.length > 0;
}

export interface Administrator {
  id: string;
  email: string;
  name: string;
}

/** Lists all administrators, ordered by e-mail address. */
export function listAdministrators(db: Executor): Promise<Administrator[]> {
  const { id, email, name } = users;
  return db.select({ id, email, name }).from(users).where(eq(users.role, "admin")).orderBy(asc(users.email));
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

/** A user as other people see them. */
export interface UserProfile {
  id: string;
  name: string;
  email: string;
  avatarUrl: string | null;
}

/** Returns the users with these ids, keyed by id. Deleted users are missing from the map. */
export async function findUsers(db: Executor, ids: readonly string[]): Promise<Map<string, UserProfile>> {
  if (ids.length === 0) return new Map();
  // One parameter. A page of organizations can have more members than a statement can have parameters.
  const distinct = sql.param([...new Set(ids)]);
  const found = await db
    .select({ id: users.id, name: users.name, email: users.email, avatarUrl: users.image })
    .from(users)
    .where(sql`${users.id} = ANY(${distinct}::text[])`);
  return new Map(found.map((user) => [user.id, user]));
}

/** Returns a user as they see themselves, or undefined if the user was deleted. */
export async function findUserAccount(db: Executor, userId: string) {
  const [user] = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      emailVerified: users.emailVerified,
      avatarUrl: users.image,
      isAdministrator: sql<boolean>`${users.role} = 'admin'`,
      twoFactorEnabled: users.twoFactorEnabled,
    })
    .from(users)
    .where(eq(users.id, userId));
  return user;
}

/** Returns the id of the user with this e-mail address, compared case-insensitively. */
export async function findUserIdByEmail(db: Executor, email: string): Promise<string | undefined> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email.toLowerCase()));
  return user?.id;
}

/** Returns true if a user exists whose e-mail address is not in the list. */
export async function hasUserOtherThan(db: Executor, emails: string[]): Promise<boolean> {
  const others = await db
    .select({ id: users.id })
    .from(users)
    .where(notInArray(users.email, emails))
    .limit(1);
  return others.length > 0;
}

/**
 * Verifies the address, which a password reset by mail proves. If it was not verified before, an attacker may have
 * signed up with it first, so this deletes the account's API keys and second factor. Always ends what was begun with the
 * old password or address: trusted devices, pending sign-ins, other links of this kind, changes of address.
 */
export async function verifyAddressByReset(
  db: Executor,
  user: { id: string; emailVerified: boolean },
  at: Date,
) {
  await deleteTrustAndPendingSignIns(db, user.id);
  await deleteMailedLinks(db, user.id);
  if (user.emailVerified) return;
  await deleteApiKeysOfUser(db, user.id);
  await deleteTwoFactors(db, user.id);
  const proven = { emailVerified: true, twoFactorEnabled: false, updatedAt: at };
  await db.update(users).set(proven).where(eq(users.id, user.id));
}
