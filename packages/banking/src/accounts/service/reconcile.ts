import { newId } from "@purser/core";
import type { Executor, Transaction } from "@purser/db";
import type { Keyring, Platform } from "@purser/platform";
import { lockConnection } from "../../connections/store.ts";
import type { AccountData } from "../../ports.ts";
import { recountIfOutdated } from "../../syncs/service/totals.ts";
import { type KnownSource, classifySources, matchAccounts } from "../rules.ts";
import { type ListedAccount, findAccountOwner, listAccountsById } from "../store/list.ts";
import {
  identityHashes,
  insertAccount,
  listIdentities,
  listSources,
  setSource,
  startEpoch,
  supersedeSource,
  updateAccount,
} from "../store/sources.ts";

export interface AccountOwnership {
  organizationId: string;
  /** The connection whose bank reports the accounts. */
  connectionId: string;
  now: Date;
}

/** Lists the accounts, by the bank's ids, that a connection does not own yet and no other connection owns. */
export async function listAdoptedAccounts(
  db: Executor,
  { organizationId, connectionId }: Omit<AccountOwnership, "now">,
  reported: readonly AccountData[],
): Promise<ReadonlySet<string>> {
  const sources = await listSources(db, organizationId, connectionId);
  const externalIds = reported.map(({ externalId }) => externalId);
  const classes = classifySources(externalIds, sources, connectionId);
  return new Set(externalIds.filter((externalId) => classes.get(externalId) === "adopted"));
}

/** The accounts of a connection after {@link reconcileAccounts}. */
export interface ReconciledAccounts {
  /** Our account for each external id; null for an account that another connection owns, or that cannot be read yet. */
  accountOf: Map<string, string | null>;
  /** Our accounts that the bank no longer lists, as of now. */
  unlisted: string[];
  /** The accounts as they were before. */
  before: ListedAccount[];
  hasAdopted: boolean;
}

/**
 * Writes the accounts that a connection's bank reports. An account that another consent reported before is found by its
 * identifiers and keeps its history. An account that the connection adopts is unread: the next sync reads it from its
 * beginning. The caller holds the organization's lock unless {@link listAdoptedAccounts} is empty.
 */
export async function reconcileAccounts(
  { settings }: Pick<Platform, "settings">,
  transaction: Transaction,
  ownership: AccountOwnership,
  reported: readonly AccountData[],
  unreadable: readonly string[] = [],
): Promise<ReconciledAccounts> {
  const { organizationId, connectionId, now } = ownership;
  const keys = settings.encryptionKeys;
  const sources = await listSources(transaction, organizationId, connectionId);
  const sourceIds = [...new Set(sources.map(({ accountId }) => accountId))];
  const before = await listAccountsById(transaction, keys, organizationId, sourceIds);
  const listed = new Map(reported.map((account) => [account.externalId, account]));
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
  // An account that the bank lists without its balance or currency stays as it is. A new one has to wait.
  for (const externalId of unreadable) {
    const source = sources.find((one) => one.externalId === externalId && one.supersededAt === null);
    accountOf.set(externalId, source?.accountId ?? null);
  }
  // What the bank reports about an account that it does not list is left out. Once it lists the account again, the
  // connection adopts it, and reads everything again.
  const isMissing = ({ externalId, supersededAt }: KnownSource) =>
    supersededAt === null && !listed.has(externalId) && !unreadable.includes(externalId);
  const unlisted = sources.filter(isMissing).map(({ accountId }) => accountId);
  for (const accountId of unlisted) await supersedeSource(transaction, organizationId, accountId, now);
  const adopted = [...listed.values()].filter(({ externalId }) => plan.get(externalId) === "adopted");
  if (adopted.length === 0) return { accountOf, unlisted, before, hasAdopted: false };

  const taken = new Set(accountOf.values());
  const returning = adopted.map(({ externalId }) => known.get(externalId));
  for (const id of returning) if (id !== undefined) taken.add(id);
  const candidates = (await listIdentities(transaction, organizationId)).filter(({ id }) => !taken.has(id));
  const matches = matchAccounts(
    adopted.map((account, index) => (returning[index] === undefined ? identityHashes(keys, account) : [])),
    candidates,
  );
  for (const [index, account] of adopted.entries()) {
    const id = returning[index] ?? matches[index] ?? null;
    accountOf.set(account.externalId, await adoptAccount(transaction, keys, ownership, account, id));
  }
  return { accountOf, unlisted, before, hasAdopted: true };
}

/** Makes the connection the owner of an account: a known one, or a new one. Returns the account's id. */
export async function adoptAccount(
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
    const previous = await findAccountOwner(transaction, organizationId, id);
    // A sync of the previous owner must not write to the account meanwhile.
    const owner = previous!.connectionId;
    if (owner !== connectionId) {
      const former = await lockConnection(transaction, organizationId, owner);
      // Its next sync no longer recounts this account.
      await recountIfOutdated(transaction, former!);
    }
    await supersedeSource(transaction, organizationId, id, now);
    await startEpoch(transaction, organizationId, id);
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
