import { Problem } from "@purser/core";
import type { Transaction } from "@purser/db";
import { lockUserByEmail } from "./store/users.ts";

export {
  type UserProfile,
  findUserAccount,
  findUserIdByEmail,
  findUsers,
  hasUserOtherThan,
} from "./store/users.ts";

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
