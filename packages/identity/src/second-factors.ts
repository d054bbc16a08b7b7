import { Problem } from "@purser/core";
import { type Transaction, twoFactors, users } from "@purser/db";
import type { Platform } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { and, eq } from "drizzle-orm";
import { secondFactorMail } from "./mails.ts";

/**
 * Takes the second factor off the account with this e-mail, for somebody who has lost it together with the backup
 * codes; the owner is told by mail. Their sessions go on. Throws USER_NOT_FOUND also where there is no second factor.
 */
export async function removeSecondFactor(platform: Platform, email: string): Promise<void> {
  await platform.db.transaction(async (transaction) => {
    const owner = eq(users.email, email.trim().toLowerCase());
    const [user] = await transaction.select({ id: users.id }).from(users).where(owner);
    if (user === undefined || (await remove(platform, transaction, user.id)) === 0)
      throw new Problem("USER_NOT_FOUND", {
        detail: "There is no user with this e-mail and a second factor.",
      });
  });
}

/** Takes every second factor off, as after a change of AUTH_SECRET, which they are sealed with; gives how many. */
export function removeSecondFactors(platform: Platform): Promise<number> {
  return platform.db.transaction((transaction) => remove(platform, transaction));
}

/** Of everybody, or of one user. One that was begun and never confirmed has no effect yet, and goes untold. */
async function remove(
  { clock, outbox }: Platform,
  transaction: Transaction,
  userId?: string,
): Promise<number> {
  const owned = userId === undefined ? undefined : eq(twoFactors.userId, userId);
  await transaction.delete(twoFactors).where(owned);
  const owners = await transaction
    .update(users)
    .set({ twoFactorEnabled: false, updatedAt: clock.now() })
    .where(and(eq(users.twoFactorEnabled, true), userId === undefined ? undefined : eq(users.id, userId)))
    .returning({ email: users.email });
  const mails = owners.map(({ email }) => secondFactorMail(email));
  await outbox.enqueueAll(transaction, platformJobs.sendMail, mails);
  return owners.length;
}
