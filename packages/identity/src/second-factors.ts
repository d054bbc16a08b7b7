import { Problem } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { secondFactorMail } from "./mails.ts";
import { deleteTwoFactors, disableTwoFactor } from "./store/two-factors.ts";
import { findUserIdByEmail } from "./store/users.ts";
import { deleteTrustAndPendingSignIns } from "./store/verifications.ts";

/**
 * Removes the second factor of the account with this e-mail, for a user who lost the device and the backup codes.
 * Notifies the owner by mail and keeps their sessions. Throws USER_NOT_FOUND if there is no such user or no second
 * factor.
 */
export async function removeSecondFactor(platform: Platform, email: string): Promise<void> {
  await platform.db.transaction(async (transaction) => {
    const userId = await findUserIdByEmail(transaction, email.trim());
    if (userId === undefined || (await remove(platform, transaction, userId)) === 0)
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
  await deleteTwoFactors(transaction, userId);
  await deleteTrustAndPendingSignIns(transaction, userId);
  const addresses = await disableTwoFactor(transaction, userId, clock.now());
  const mails = addresses.map((address) => secondFactorMail(address));
  await outbox.enqueueAll(transaction, platformJobs.sendMail, mails);
  return addresses.length;
}
