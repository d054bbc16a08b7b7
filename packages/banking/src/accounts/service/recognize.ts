import type { Executor, Transaction } from "@purser/db";
import { lockOrganization } from "@purser/organizations";
import { recordAudit, changeOrganization } from "@purser/platform";
import { type ConnectionRow, lockConnections } from "../../connections/store.ts";
import type { BankingPlatform } from "../../context.ts";
import { recordAccountEvents } from "../../feed-events/service.ts";
import { bankingJobs } from "../../job-definitions.ts";
import type { AccountData } from "../../ports.ts";
import { matchAccounts } from "../rules.ts";
import { lockAccountRows } from "../store/merge.ts";
import {
  haveSameConnection,
  identityHashes,
  listIdentities,
  listSources,
  setBalanceCurrent,
} from "../store/sources.ts";
import { findMergeRefusal, moveAccount } from "./move.ts";
import { adoptAccount } from "./reconcile.ts";

/** What a connection's bank lists now. */
interface AccountListing {
  organizationId: string;
  connectionId: string;
  accounts: readonly AccountData[];
  /** The bank's ids of the accounts that it lists and that cannot be read. */
  unreadable: readonly string[];
}

/** An account of the connection, and the other account that it turns out to be. */
interface Recognized {
  reported: AccountData;
  accountId: string;
  otherId: string;
}

/**
 * Merges accounts that turn out to be one: some banks show numbers minutes after an account was linked, and another
 * connection may have read the account until now. The older account continues with its id under this connection. An account
 * that another connection reads stays as it is, and so does everything ambiguous. Returns whether anything changed: then
 * the connection reads the account from its beginning.
 */
export async function mergeRecognizedAccounts(
  platform: BankingPlatform,
  listing: AccountListing,
): Promise<boolean> {
  const { organizationId } = listing;
  if ((await findRecognized(platform, platform.db, listing)).length === 0) return false;
  return changeOrganization(platform, organizationId, async (transaction) => {
    await lockOrganization(transaction, organizationId);
    let hasChanged = false;
    for (const recognized of await findRecognized(platform, transaction, listing))
      if (await continueOlder(platform, transaction, listing, recognized)) hasChanged = true;
    return hasChanged;
  });
}

/**
 * Finds the accounts of a connection that share an identifier with exactly one other account, which no connection reads.
 * Accounts that one bank has listed with the same identifier are two accounts: only an identifier that is new tells that
 * they are one.
 */
async function findRecognized(
  { settings: { encryptionKeys: keys } }: Pick<BankingPlatform, "settings">,
  db: Executor,
  { organizationId, connectionId, accounts, unreadable }: AccountListing,
): Promise<Recognized[]> {
  const sources = await listSources(db, organizationId, connectionId);
  const current = sources.filter(({ supersededAt }) => supersededAt === null);
  const ownIds = new Map(current.map(({ externalId, accountId }) => [externalId, accountId]));
  const known = await listIdentities(db, organizationId);
  const hashesOf = new Map(known.map((account) => [account.id, account.identityHashes]));
  const owned = accounts.flatMap((reported) => {
    const accountId = ownIds.get(reported.externalId);
    if (accountId === undefined) return [];
    const stored = hashesOf.get(accountId) ?? [];
    const newHashes = reported.identifiers
      .map((identifier) => identityHashes(keys, { ...reported, identifiers: [identifier] }))
      .filter((hashes) => !hashes.some((hash) => stored.includes(hash)))
      .flat();
    return [{ reported, accountId, newHashes, hashes: [...stored, ...identityHashes(keys, reported)] }];
  });
  const ownedIds = new Set(owned.map(({ accountId }) => accountId));
  // Accounts that are read take part in the matching, so that an identifier of two accounts stays ambiguous.
  const others = known.filter(({ id }) => !ownedIds.has(id));
  const matches = matchAccounts(
    owned.map(({ hashes }) => hashes),
    others,
  );
  const listed = new Set([...accounts.map(({ externalId }) => externalId), ...unreadable]);
  // Of all sources, because one that the bank lists again may not be current yet.
  const live = new Set(
    sources.flatMap(({ externalId, accountId }) => (listed.has(externalId) ? [accountId] : [])),
  );
  const recognized: Recognized[] = [];
  for (const [index, { reported, accountId, newHashes }] of owned.entries()) {
    const other = others.find(({ id }) => id === matches[index]);
    if (other === undefined) continue;
    const isRead = other.connectionId === connectionId ? live.has(other.id) : reads(other);
    if (isRead) continue;
    const isNew = other.identityHashes.some((hash) => newHashes.includes(hash));
    if (isNew || !(await haveSameConnection(db, organizationId, [accountId, other.id])))
      recognized.push({ reported, accountId, otherId: other.id });
  }
  return recognized;
}

/** Whether a connection reads its accounts. One that needs the person does not, as when a bank is linked again. */
const reads = ({ status, needsReauthorization }: Pick<ConnectionRow, "status" | "needsReauthorization">) =>
  status === "ACTIVE" && needsReauthorization === null;

/** Moves the newer of the two accounts into the older one, which this connection adopts. */
async function continueOlder(
  platform: BankingPlatform,
  transaction: Transaction,
  { organizationId, connectionId }: AccountListing,
  { reported, accountId: ownId, otherId }: Recognized,
): Promise<boolean> {
  const identities = await listIdentities(transaction, organizationId);
  const ownerId = identities.find(({ id }) => id === otherId)?.connectionId;
  if (ownerId === undefined) return false;
  const connections = await lockConnections(transaction, organizationId, [connectionId, ownerId]);
  const owner = connections.get(ownerId);
  const isActive = connections.get(connectionId)?.status === "ACTIVE";
  // A person may have connected the other one again since.
  if (!isActive || (ownerId !== connectionId && owner !== undefined && reads(owner))) return false;
  // The oldest id comes first.
  const [continuing, account] = await lockAccountRows(transaction, organizationId, [ownId, otherId]);
  if (account === undefined || continuing === undefined) return false;
  if ((await findMergeRefusal(transaction, account, continuing)) !== null) return false;
  const now = platform.clock.now();
  const { counts, ...moved } = await moveAccount(
    platform,
    transaction,
    { account, continuing },
    { actor: null, now },
  );
  const keys = platform.settings.encryptionKeys;
  const ownership = { organizationId, connectionId, now };
  await adoptAccount(transaction, keys, ownership, reported, continuing.id);
  // The balance is new. The transactions follow only once this sync succeeds.
  await setBalanceCurrent(transaction, organizationId, [continuing.id], false);
  recordAudit(transaction, {
    organizationId,
    at: now,
    actor: null,
    action: bankingJobs.sync.name,
    subject: continuing.id,
    details: { accountId: account.id, ...counts },
  });
  const accountIds = [continuing.id];
  await recordAccountEvents(platform, transaction, null, { organizationId, accountIds, ...moved });
  return true;
}
