import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import type { Access, AccountData, BankProvider } from "../../ports.ts";
import { noteBalances, permittedBalances } from "./balances.ts";
import { type FetchedAccounts, fetchAccounts, unreadableAccounts } from "./fetch.ts";
import { type AccountOwnership, reconcileAccounts } from "./reconcile.ts";

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

/** Writes the accounts of a connection that is activated. Its first sync reads the transactions. */
export async function reconcilePermittedAccounts(
  platform: Pick<Platform, "settings">,
  transaction: Transaction,
  ownership: AccountOwnership,
  { accounts, unreadable }: PermittedAccounts,
): Promise<Pick<Awaited<ReturnType<typeof reconcileAccounts>>, "accountOf" | "before">> {
  if (accounts === null) return { accountOf: new Map(), before: [] };
  // The sync that follows quarantines what cannot be read.
  const { accountOf, before } = await reconcileAccounts(
    platform,
    transaction,
    ownership,
    accounts,
    unreadableAccounts(unreadable),
  );
  const noted = { reported: accounts, hasTransactions: () => false };
  await noteBalances(transaction, ownership.organizationId, accountOf, noted);
  return { accountOf, before };
}
