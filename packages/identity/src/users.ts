import { Problem } from "@purser/core";
import { type Executor, type Transaction, users } from "@purser/db";
import { eq, notInArray, sql } from "drizzle-orm";
import { lockUserByEmail } from "./store.ts";

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

export interface AddressOptions {
  /** Also takes an address that its user has not verified. Default false. */
  unverified?: boolean;
}

/**
 * Returns the id of the user whom an operator names by their e-mail address, to give them power. The address remains theirs
 * until the transaction ends. Throws USER_NOT_FOUND, or EMAIL_NOT_VERIFIED, because anyone can sign up with any address.
 */
export async function lockUserOfAddress(
  transaction: Transaction,
  email: string,
  { unverified = false }: AddressOptions,
): Promise<string> {
  const user = await lockUserByEmail(transaction, email.trim().toLowerCase());
  if (user === undefined) throw new Problem("USER_NOT_FOUND");
  if (!user.emailVerified && !unverified)
    throw new Problem("EMAIL_NOT_VERIFIED", { detail: "The user has not verified this e-mail address." });
  return user.id;
}

/** Returns true if a user exists whose e-mail address is not in the list. */
export async function hasUserBeside(db: Executor, emails: string[]): Promise<boolean> {
  const others = await db
    .select({ id: users.id })
    .from(users)
    .where(notInArray(users.email, emails))
    .limit(1);
  return others.length > 0;
}
