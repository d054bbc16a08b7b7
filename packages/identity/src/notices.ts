import type { Mail } from "@purser/platform/mail";
import type { UserLookup } from "./attempted-account.ts";
import type { Endpoint } from "./endpoints.ts";
import { type AccountNotice, accountNoticeMail, addressNoticeMails } from "./notice-mails.ts";
import type { AddressChange, UnverifiedAccount } from "./request-checks.ts";

/** What the link of a mail does. */
interface UsedLink {
  change: AddressChange | null;
  verified: UnverifiedAccount | null;
}

/**
 * Returns the mails that a success of this request sends. None to an unverified address, which may be a stranger's. A password
 * reset has no caller, and sends its mail from better-auth's hook.
 */
export async function noticesOf(
  { notifies }: Endpoint,
  users: UserLookup,
  { change, verified }: UsedLink,
  appUrl: string,
): Promise<Mail[]> {
  if (verified !== null) return earlierNotices(users, verified, appUrl);
  if (change !== null) {
    const { userId, from, to: email } = change;
    const earlier = from === null ? await earlierNotices(users, { userId, email }, appUrl) : [];
    return [...addressNoticeMails(change), ...earlier];
  }
  const owner = notifies === undefined ? null : await users.caller();
  if (notifies === undefined || !owner?.emailVerified) return [];
  // A later code of the authenticator switches nothing on.
  if (notifies === "second_factor_on" && (await users.hasSecondFactor(owner.userId))) return [];
  // Until the first code, seeing the key is part of the setup.
  if (notifies === "second_factor_shown" && !(await users.hasSecondFactor(owner.userId))) return [];
  return [accountNoticeMail(notifies, owner.email, appUrl)];
}

/**
 * Returns the mails about what was set up while the address was not verified, and which therefore were not sent. A stranger may
 * have signed up with the address, and the owner may open the link all the same.
 */
async function earlierNotices(
  users: UserLookup,
  { userId, email }: UnverifiedAccount,
  appUrl: string,
): Promise<Mail[]> {
  const notices: AccountNotice[] = [];
  if (await users.hasApiKey(userId)) notices.push("key_created");
  if (await users.hasSecondFactor(userId)) notices.push("second_factor_on");
  return notices.map((notice) => accountNoticeMail(notice, email, appUrl));
}
