import type { Access, AccountData, BankProvider, UnreadableItem } from "../../ports.ts";
import { cleanAccount, cleanUnreadable } from "../../syncs/rules/cleaning.ts";

/** The accounts of a consent. */
export interface FetchedAccounts {
  accounts: AccountData[];
  /** The accounts that the bank lists and that cannot be read. */
  unreadable: UnreadableItem[];
}

/**
 * Reads all accounts of a consent at the bank, with texts that can be stored. One that cannot be read does not keep the
 * others away.
 */
export async function fetchAccounts(bank: BankProvider, access: Access): Promise<FetchedAccounts> {
  const unreadable: UnreadableItem[] = [];
  const accounts = await bank.accounts(access, (item) => unreadable.push(cleanUnreadable(item)));
  return { accounts: accounts.map(cleanAccount), unreadable };
}

/** The bank's ids of the accounts that could not be read. */
export const unreadableAccounts = (items: readonly UnreadableItem[]): string[] =>
  items.flatMap(({ kind, accountId }) => (kind === "account" && accountId !== null ? [accountId] : []));
