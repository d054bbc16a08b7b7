import { type Executor, accounts, users } from "@purser/db";
import { and, eq, inArray } from "drizzle-orm";

/**
 * Locks the user's password. A request that opens a session and one that replaces the password then wait for each other,
 * so the later one sees what the earlier one did.
 */
export async function lockPassword(db: Executor, userId: string): Promise<void> {
  await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.userId, userId)).for("update");
}

/** Returns the hash of the user's password, or undefined without one. */
export async function findPasswordHash(db: Executor, userId: string): Promise<string | undefined> {
  const [account] = await db
    .select({ password: accounts.password })
    .from(accounts)
    .where(eq(accounts.userId, userId));
  return account?.password ?? undefined;
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

/** Lists the password hashes of the users with these e-mail addresses in lower case. */
export function listPasswordHashes(db: Executor, emails: readonly string[]) {
  return db
    .select({ email: users.email, hash: accounts.password })
    .from(accounts)
    .innerJoin(users, eq(users.id, accounts.userId))
    .where(inArray(users.email, [...emails]));
}
