import { Problem, newId } from "@purser/core";
import type { Database, Executor, Transaction } from "@purser/db";
import type { ListContext } from "@purser/organizations";
import { type Keyring, type Platform, requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import { findConnection, lockConnection, setConnection } from "../connections/store.ts";
import type { BankingContext } from "../context.ts";
import type { AccountData } from "../ports.ts";
import type { GetAccount, ListAccounts } from "./contract.ts";
import { classifySources, matchAccounts } from "./rules.ts";
import { findAccount, findAccountPlace, listAccountRows, listRecentTransactions } from "./store/list.ts";
import {
  identityHashes,
  insertAccount,
  listHashedOtherwise,
  listIdentities,
  listSources,
  rehashAccount,
  setSource,
  supersedeSource,
  updateAccount,
} from "./store/sources.ts";

const recent = 10;

export async function listAccounts(ctx: ListContext, input: z.output<typeof ListAccounts>) {
  const { teamId, connectionId, after, limit } = input;
  if (connectionId !== undefined && !(await findConnection(ctx.readDb, teamId, connectionId))) {
    throw new Problem("CONNECTION_NOT_FOUND");
  }
  await requireItem(after, (id) => findAccountPlace(ctx.readDb, teamId, id));
  const page = { connectionId, after, rows: limit + 1 };
  return toPage(ctx, limit, await listAccountRows(ctx.readDb, ctx.settings.encryptionKeys, teamId, page));
}

export async function getAccount(ctx: BankingContext, { teamId, accountId }: z.output<typeof GetAccount>) {
  const account = await findAccount(ctx.db, ctx.settings.encryptionKeys, teamId, accountId);
  if (account === undefined) throw new Problem("BANK_ACCOUNT_NOT_FOUND");
  const rows = await listRecentTransactions(ctx.db, teamId, accountId, recent);
  const recentTransactions = rows.map((row) => ({ ...row, transactionDate: new Date(row.transactionDate) }));
  return { ...account, recentTransactions };
}

interface AccountOwnership {
  organizationId: string;
  /** The connection whose bank reports the accounts. */
  connectionId: string;
  now: Date;
}

/** Whether a connection already owns each of these accounts, or skips it because another connection owns it. */
export async function ownsAllAccounts(
  db: Executor,
  { organizationId, connectionId }: Omit<AccountOwnership, "now">,
  facts: readonly AccountData[],
): Promise<boolean> {
  const sources = await listSources(db, organizationId, connectionId);
  const externalIds = facts.map(({ externalId }) => externalId);
  return ![...classifySources(externalIds, sources, connectionId).values()].includes("adopted");
}

/**
 * Writes the accounts that a connection's bank reports. Returns our account for each external id; null for an account
 * that another connection owns. An account that another consent reported before is found by its identifiers and keeps
 * its history. When the connection adopts an account, its cursor is dropped, because it has never read the earlier
 * transactions of that account. The caller holds the organization's lock unless {@link ownsAllAccounts} is true.
 */
export async function reconcileAccounts(
  { settings }: Pick<Platform, "settings">,
  transaction: Transaction,
  feeding: AccountOwnership,
  facts: readonly AccountData[],
): Promise<{ accountOf: Map<string, string | null>; hasAdopted: boolean }> {
  const { organizationId, connectionId, now } = feeding;
  const keys = settings.encryptionKeys;
  const sources = await listSources(transaction, organizationId, connectionId);
  const listed = new Map(facts.map((account) => [account.externalId, account]));
  const plan = classifySources([...listed.keys()], sources, connectionId);
  const known = new Map(sources.map((source) => [source.externalId, source.accountId]));
  const accountOf = new Map<string, string | null>();
  for (const [externalId, account] of listed) {
    if (plan.get(externalId) === "skipped") accountOf.set(externalId, null);
    if (plan.get(externalId) !== "owned") continue;
    const id = known.get(externalId)!;
    accountOf.set(externalId, id);
    await updateAccount(transaction, keys, { organizationId, id, connectionId, updatedAt: now }, account);
  }
  const begun = [...listed.values()].filter(({ externalId }) => plan.get(externalId) === "adopted");
  if (begun.length === 0) return { accountOf, hasAdopted: false };
  await setConnection(transaction, { organizationId, id: connectionId }, { cursor: null });

  const taken = new Set(accountOf.values());
  const returning = begun.map(({ externalId }) => known.get(externalId));
  for (const id of returning) if (id !== undefined) taken.add(id);
  const candidates = (await listIdentities(transaction, organizationId)).filter(({ id }) => !taken.has(id));
  const matches = matchAccounts(
    begun.map((account, index) => (returning[index] === undefined ? identityHashes(keys, account) : [])),
    candidates,
  );
  for (const [index, account] of begun.entries()) {
    const id = returning[index] ?? matches[index] ?? null;
    accountOf.set(account.externalId, await adoptAccount(transaction, keys, feeding, account, id));
  }
  return { accountOf, hasAdopted: true };
}

/** Makes the connection the owner of an account: a known one, or a new one. Returns the account's id. */
async function adoptAccount(
  transaction: Transaction,
  keys: Keyring,
  { organizationId, connectionId, now }: AccountOwnership,
  account: AccountData,
  known: string | null,
): Promise<string> {
  const id = known ?? newId("bac", now);
  if (known === null) {
    await insertAccount(transaction, keys, { organizationId, id, connectionId, createdAt: now }, account);
  } else {
    const place = await findAccountPlace(transaction, organizationId, id);
    // A sync of the previous owner must not write to the account meanwhile.
    const feeder = place!.connectionId;
    if (feeder !== connectionId) await lockConnection(transaction, organizationId, feeder);
    await supersedeSource(transaction, organizationId, id, now);
    await updateAccount(transaction, keys, { organizationId, id, connectionId, updatedAt: now }, account);
  }
  await setSource(transaction, {
    organizationId,
    connectionId,
    externalId: account.externalId,
    accountId: id,
  });
  return id;
}

/**
 * Hashes the identifiers of all accounts with the first key, so that accounts are found after the other keys are
 * removed. The identifiers must be sealed with a key of the ring. Returns the number of accounts.
 */
export async function rehashAccounts(db: Database, keys: Keyring): Promise<number> {
  let after = { organizationId: "", id: "" };
  for (let count = 0; ;) {
    const accounts = await listHashedOtherwise(db, keys[0]?.version ?? 0, after, 100);
    for (const account of accounts) await rehashAccount(db, keys, account);
    count += accounts.length;
    const last = accounts.at(-1);
    if (last === undefined) return count;
    after = last;
  }
}
