import { Problem } from "@purser/core";
import { type Transaction, twoFactors, users } from "@purser/db";
import type { Platform } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { and, eq } from "drizzle-orm";
import { secondFactorMail } from "./mails.ts";
import { endTrust } from "./store.ts";

/**
 * Removes the second factor of the account with this e-mail, for a user who lost the device and the backup codes.
 * Notifies the owner by mail and keeps their sessions. Throws USER_NOT_FOUND if there is no such user or no second
 * factor.
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

/** Removes all second factors and returns their number. A new AUTH_SECRET requires this, because it encrypts them. */
export function removeSecondFactors(platform: Platform): Promise<number> {
  return platform.db.transaction((transaction) => remove(platform, transaction));
}

/** Removes the second factors of all users or of one. Sends no mail for a factor that was never confirmed. */
async function remove(
  { clock, outbox }: Platform,
  transaction: Transaction,
  userId?: string,
): Promise<number> {
  const owned = userId === undefined ? undefined : eq(twoFactors.userId, userId);
  await transaction.delete(twoFactors).where(owned);
  await endTrust(transaction, userId);
  const owners = await transaction
    .update(users)
    .set({ twoFactorEnabled: false, updatedAt: clock.now() })
    .where(and(eq(users.twoFactorEnabled, true), userId === undefined ? undefined : eq(users.id, userId)))
    .returning({ email: users.email });
  const mails = owners.map(({ email }) => secondFactorMail(email));
  await outbox.enqueueAll(transaction, platformJobs.sendMail, mails);
  return owners.length;
}
