import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import type { Access, AccountData, BankProvider, UnreadableItem } from "../../ports.ts";
import { cleanAccount, cleanUnreadable } from "../../syncs/rules/cleaning.ts";
import type { ListedAccount } from "../store/list.ts";
import { noteBalances, permittedBalances } from "./balances.ts";
import { type AccountOwnership, reconcileAccounts } from "./reconcile.ts";

/** The accounts of a consent. */
interface FetchedAccounts {
  accounts: AccountData[];
  /** The accounts that the bank lists and that cannot be read. */
  unreadable: UnreadableItem[];
}

/**
 * Reads all accounts of a consent at the bank, with texts that can be stored. One that cannot be read does not keep the
 * others away.
 */
async function fetchAccounts(bank: BankProvider, access: Access): Promise<FetchedAccounts> {
  const unreadable: UnreadableItem[] = [];
  const accounts = await bank.accounts(access, (item) => unreadable.push(cleanUnreadable(item)));
  return { accounts: accounts.map(cleanAccount), unreadable };
}

/** The bank's ids of the accounts that could not be read. */
export const unreadableAccounts = (items: readonly UnreadableItem[]): string[] =>
  items.flatMap(({ kind, accountId }) => (kind === "account" && accountId !== null ? [accountId] : []));

/** What the team lets be read of the accounts of a consent. */
export interface PermittedAccounts extends Omit<FetchedAccounts, "accounts"> {
  /** Null if the team withholds the accounts. */
  accounts: AccountData[] | null;
}

/** Reads the accounts of a consent, except what the team withholds. */
export async function fetchPermittedAccounts(
  bank: BankProvider,
  access: Access,
  withheld: ReadonlySet<string>,
): Promise<PermittedAccounts> {
  if (withheld.has("accounts")) return { accounts: null, unreadable: [] };
  const { accounts, unreadable } = await fetchAccounts(bank, { ...access, withheldScopes: withheld });
  return { accounts: permittedBalances(accounts, withheld), unreadable };
}

/**
 * Writes the accounts of a connection that is activated. Its first sync reads the transactions. Returns the accounts that it may
 * have changed, and those of the connection as they were before.
 */
export async function reconcilePermittedAccounts(
  platform: Pick<Platform, "settings">,
  transaction: Transaction,
  ownership: AccountOwnership,
  { accounts, unreadable }: PermittedAccounts,
): Promise<{ accountIds: (string | null)[]; before: ListedAccount[] }> {
  if (accounts === null) return { accountIds: [], before: [] };
  // The sync that follows quarantines what cannot be read.
  const { accountOf, unlisted, before } = await reconcileAccounts(
    platform,
    transaction,
    ownership,
    accounts,
    unreadableAccounts(unreadable),
  );
  const noted = { reported: accounts, hasTransactions: () => false };
  await noteBalances(transaction, ownership.organizationId, accountOf, noted);
  return { accountIds: [...accountOf.values(), ...unlisted], before };
}
