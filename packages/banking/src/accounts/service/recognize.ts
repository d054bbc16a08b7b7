import type { Executor, Transaction } from "@purser/db";
import { lockOrganization } from "@purser/organizations";
import { recordAudit, retryTransaction } from "@purser/platform";
import { lockConnections, setConnection } from "../../connections/store.ts";
import type { BankingPlatform } from "../../context.ts";
import { recordAccountEvents } from "../../events/service.ts";
import { bankingJobs } from "../../job-definitions.ts";
import type { AccountData } from "../../ports.ts";
import { matchAccounts, refuseMerge } from "../rules.ts";
import { lockAccountRows } from "../store/merge.ts";
import { identityHashes, listIdentities, listSources } from "../store/sources.ts";
import { moveAccount } from "./move.ts";
import { adoptAccount } from "./reconcile.ts";

/** What a connection's bank lists now. */
interface AccountListing {
  organizationId: string;
  connectionId: string;
  accounts: readonly AccountData[];
  /** The bank's ids of the accounts that it lists and that cannot be read. */
  unreadable: readonly string[];
}

/** An account, and the earlier account that it turns out to be. */
interface Recognized {
  reported: AccountData;
  accountId: string;
  earlierId: string;
}

/**
 * Merges accounts into earlier ones whose identifiers their bank shows only now: some banks show numbers minutes after an
 * account was linked. The earlier account continues with its id under this connection. An account that another connection
 * reads stays as it is, and so does everything ambiguous. Returns whether anything changed: then the connection has no
 * cursor, and reads its bank from the beginning.
 */
export async function mergeRecognizedAccounts(
  platform: BankingPlatform,
  listing: AccountListing,
): Promise<boolean> {
  const { db } = platform;
  if ((await findRecognized(platform, db, listing)).length === 0) return false;
  return retryTransaction(() =>
    db.transaction(async (transaction) => {
      await lockOrganization(transaction, listing.organizationId);
      let hasChanged = false;
      for (const recognized of await findRecognized(platform, transaction, listing))
        if (await continueEarlier(platform, transaction, listing, recognized)) hasChanged = true;
      return hasChanged;
    }),
  );
}

/** Finds the accounts of a connection with a new identifier that exactly one account has, which no connection reads. */
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
    return accountId === undefined ? [] : [{ reported, accountId }];
  });
  const newHashes = owned.map(({ reported, accountId }) =>
    reported.identifiers
      .map((identifier) => identityHashes(keys, { ...reported, identifiers: [identifier] }))
      .filter((hashes) => !hashes.some((hash) => hashesOf.get(accountId)?.includes(hash)))
      .flat(),
  );
  if (newHashes.every((hashes) => hashes.length === 0)) return [];
  const listed = new Set([...accounts.map(({ externalId }) => externalId), ...unreadable]);
  // Of all sources, because one that the bank lists again may not be current yet.
  const live = new Set(
    sources.flatMap(({ externalId, accountId }) => (listed.has(externalId) ? [accountId] : [])),
  );
  const isRead = ({ id, connectionId: owner, connectionStatus }: (typeof known)[number]) =>
    owner === connectionId ? live.has(id) : connectionStatus === "ACTIVE";
  // Accounts that are read take part in the matching, so that an identifier of two accounts stays ambiguous.
  const matches = matchAccounts(newHashes, known);
  return owned.flatMap((one, index) => {
    const earlier = known.find(({ id }) => id === matches[index]);
    return earlier === undefined || isRead(earlier) ? [] : [{ ...one, earlierId: earlier.id }];
  });
}

/** Moves an account into the earlier one, which this connection adopts. */
async function continueEarlier(
  platform: BankingPlatform,
  transaction: Transaction,
  { organizationId, connectionId }: AccountListing,
  { reported, accountId, earlierId }: Recognized,
): Promise<boolean> {
  const identities = await listIdentities(transaction, organizationId);
  const owner = identities.find(({ id }) => id === earlierId)?.connectionId;
  if (owner === undefined) return false;
  const connections = await lockConnections(transaction, organizationId, [connectionId, owner]);
  const isActive = connections.get(connectionId)?.status === "ACTIVE";
  // A person may have connected the earlier one again since.
  if (!isActive || (owner !== connectionId && connections.get(owner)?.status === "ACTIVE")) return false;
  const rows = await lockAccountRows(transaction, organizationId, [accountId, earlierId]);
  const account = rows.find(({ id }) => id === accountId);
  const continuing = rows.find(({ id }) => id === earlierId);
  if (account === undefined || continuing === undefined || refuseMerge(account, continuing) !== null)
    return false;
  const now = platform.clock.now();
  const { counts, ...moved } = await moveAccount(
    platform,
    transaction,
    { account, continuing },
    { actor: null, now },
  );
  const keys = platform.settings.encryptionKeys;
  const ownership = { organizationId, connectionId, now };
  await adoptAccount(transaction, keys, ownership, reported, earlierId);
  await setConnection(transaction, { organizationId, id: connectionId }, { cursor: null });
  recordAudit(transaction, {
    organizationId,
    at: now,
    actor: null,
    action: bankingJobs.sync.name,
    subject: earlierId,
    details: { accountId, ...counts },
  });
  const accountIds = [earlierId];
  await recordAccountEvents(platform, transaction, null, { organizationId, accountIds, ...moved });
  return true;
}
