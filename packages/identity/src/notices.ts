import type { Mail } from "@purser/platform/mail";
import type { UserLookup } from "./attempted-account.ts";
import type { Endpoint } from "./endpoints.ts";
import { accountNoticeMail, addressNoticeMails } from "./notice-mails.ts";
import type { AddressChange } from "./request-checks.ts";

/**
 * Returns the mails that a success of this request sends. None to an unverified address, which may be a stranger's. A password
 * reset has no caller, and sends its mail from better-auth's hook.
 */
export async function noticesOf(
  { notifies }: Endpoint,
  users: UserLookup,
  change: AddressChange | null,
  appUrl: string,
): Promise<Mail[]> {
  if (change !== null) return addressNoticeMails(change);
  const owner = notifies === undefined ? null : await users.caller();
  if (notifies === undefined || !owner?.emailVerified) return [];
  // A later code of the authenticator switches nothing on.
  if (notifies === "second_factor_on" && (await users.hasSecondFactor(owner.userId))) return [];
  return [accountNoticeMail(notifies, owner.email, appUrl)];
}
