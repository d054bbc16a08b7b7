import type { Executor } from "@purser/db";
import type { Mail } from "@purser/platform/mail";
import type { Endpoint } from "./endpoints.ts";
import { type AccountNotice, accountNoticeMail, addressNoticeMails } from "./notice-mails.ts";
import { hasApiKey } from "./store/api-keys.ts";
import { hasSecondFactor } from "./store/two-factors.ts";
import { findUserById } from "./store/users.ts";

/** The account whose owner hears of a request. */
export interface NotifiedAccount {
  userId: string;
  /** The address that a link proves. Null for a request of the user. */
  proves: string | null;
}

/**
 * Returns the mails that a success of this request sends, from the account as it is before the request. None to an unverified
 * address, which may be a stranger's, so the caller sends those of a link only if `isProven` afterward. A password reset sends
 * its mail from better-auth's hook.
 */
export async function noticesOf(
  db: Executor,
  { notifies }: Endpoint,
  { userId, proves }: NotifiedAccount,
  appUrl: string,
): Promise<Mail[]> {
  const owner = await findUserById(db, userId);
  if (owner === undefined) return [];
  const { email, emailVerified } = owner;
  if (proves !== null) {
    const from = emailVerified ? email : null;
    const changed = email === proves ? [] : addressNoticeMails({ from, to: proves });
    return emailVerified ? changed : [...changed, ...(await earlierNotices(db, userId, proves, appUrl))];
  }
  if (notifies === undefined || !emailVerified) return [];
  // A later code of the authenticator switches nothing on.
  if (notifies === "second_factor_on" && (await hasSecondFactor(db, userId))) return [];
  // Until the first code, seeing the key is part of the setup.
  if (notifies === "second_factor_shown" && !(await hasSecondFactor(db, userId))) return [];
  return [accountNoticeMail(notifies, email, appUrl)];
}

/** Whether a request's link, if any, has verified its address. better-auth redirects from an expired link, too. */
export async function isProven(db: Executor, { userId, proves }: NotifiedAccount): Promise<boolean> {
  if (proves === null) return true;
  const user = await findUserById(db, userId);
  return user !== undefined && user.emailVerified && user.email === proves;
}

/**
 * Returns the mails about what was set up while the address was not verified, and which therefore were not sent. A stranger may
 * have signed up with the address, and the owner may open the link all the same.
 */
async function earlierNotices(db: Executor, userId: string, to: string, appUrl: string): Promise<Mail[]> {
  const notices: AccountNotice[] = [];
  if (await hasApiKey(db, userId)) notices.push("key_created");
  if (await hasSecondFactor(db, userId)) notices.push("second_factor_on");
  return notices.map((notice) => accountNoticeMail(notice, to, appUrl));
}
