import type { Executor, Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import type { Access, AccountData, BankProvider } from "../../ports.ts";
import { keepBalances, noteBalances } from "./balances.ts";
import { type FetchedAccounts, fetchAccounts, unreadableAccounts } from "./fetch.ts";
import { type AccountOwnership, reconcileAccounts } from "./reconcile.ts";

/** What the team lets be read of the accounts of a consent. */
export interface PermittedAccounts extends Omit<FetchedAccounts, "accounts"> {
  /** Null if the team withholds the accounts. */
  accounts: AccountData[] | null;
  /** Whether the balances were read. Otherwise they are those that were read before. */
  hasBalances: boolean;
}

/** Reads the accounts of a consent, except what the team withholds. */
export async function fetchPermittedAccounts(
  db: Executor,
  bank: BankProvider,
  access: Access,
  { connectionId, withheld }: { connectionId: string | undefined; withheld: ReadonlySet<string> },
): Promise<PermittedAccounts> {
  if (withheld.has("accounts")) return { accounts: null, unreadable: [], hasBalances: false };
  const fetched = await fetchAccounts(bank, { ...access, withheldScopes: withheld });
  if (connectionId === undefined || !withheld.has("balances")) return { ...fetched, hasBalances: true };
  const key = { organizationId: access.organizationId, connectionId };
  return { ...fetched, accounts: await keepBalances(db, key, fetched.accounts), hasBalances: false };
}

/** Writes the accounts of a connection that is activated. Its first sync reads the transactions. */
export async function reconcilePermittedAccounts(
  platform: Pick<Platform, "settings">,
  transaction: Transaction,
  ownership: AccountOwnership,
  { accounts, unreadable, hasBalances }: PermittedAccounts,
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
  const reported = hasBalances ? accounts : [];
  await noteBalances(transaction, ownership.organizationId, accountOf, { reported, hasTransactions: false });
  return { accountOf, before };
}
