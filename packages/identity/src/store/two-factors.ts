import { type Executor, twoFactors, users } from "@purser/db";
import { and, eq } from "drizzle-orm";

/** Whether the user's sign-in asks for a code. False while the second factor is being set up. */
export async function hasSecondFactor(db: Executor, userId: string): Promise<boolean> {
  const on = and(eq(users.id, userId), eq(users.twoFactorEnabled, true));
  return (await db.select({ id: users.id }).from(users).where(on)).length > 0;
}

/** Deletes the secrets of all users or of one. Their sign-ins ask for a code until `disableTwoFactor`. */
export async function deleteTwoFactors(db: Executor, userId: string | undefined): Promise<void> {
  await db.delete(twoFactors).where(userId === undefined ? undefined : eq(twoFactors.userId, userId));
}

/** Lets all users or one sign in without a code. Returns the addresses of those whose sign-in asked for one. */
export async function disableTwoFactor(
  db: Executor,
  userId: string | undefined,
  at: Date,
): Promise<string[]> {
  const owners = await db
    .update(users)
    .set({ twoFactorEnabled: false, updatedAt: at })
    .where(and(eq(users.twoFactorEnabled, true), userId === undefined ? undefined : eq(users.id, userId)))
    .returning({ email: users.email });
  return owners.map(({ email }) => email);
}
