import { Problem, errorText, newId } from "@purser/core";
import type { TenantKey, Transaction } from "@purser/db";
import { type Platform, retryWhileUnavailable, whileRenewing } from "@purser/platform";
import { fetchPermittedAccounts, unreadableAccounts } from "../../accounts/service/permitted.ts";
import { mergeRecognizedAccounts } from "../../accounts/service/recognize.ts";
import { listAdoptedAccounts } from "../../accounts/service/reconcile.ts";
import { listUnreadSources } from "../../accounts/store/sources.ts";
import { bankErrorKind } from "../../call-provider.ts";
import { consentAt, withheldScopes } from "../../connections/rules.ts";
import {
  type ConnectionRow,
  type ConsentRow,
  accessBy,
  findConnection,
  findNewestConsent,
} from "../../connections/store.ts";
import type { BankingPlatform } from "../../context.ts";
import { bankingJobs } from "../../job-definitions.ts";
import { bankingMetrics } from "../../metrics.ts";
import { type PresentPerson, presentAddress, presentSince } from "../../person.ts";
import { type Access, type AccountData, BankError, type BankProvider, type CursorFeed } from "../../ports.ts";
import { type BankReading, removalKey } from "../rules/matching.ts";
import {
  type SyncClaim,
  type SyncRow,
  claimSync,
  deletePages,
  enqueueSync,
  findClaimed,
  touchSync,
} from "../store/runs.ts";
import { Staging, SyncSuperseded, applyReading } from "./apply.ts";
import { recordFailure, syncProblem } from "./fail.ts";
import { readDays } from "./read-days.ts";
import { refreshOnRequest } from "./refresh.ts";

/**
 * Requests a sync as part of a transaction, and returns its id. Requests share the sync that is queued. A running sync
 * may have read past the latest change, so another one is queued behind it.
 */
export async function requestSync(
  { clock, outbox }: Pick<Platform, "clock" | "outbox">,
  transaction: Transaction,
  { organizationId, id: connectionId }: TenantKey,
  trigger: SyncRow["trigger"],
  person?: PresentPerson,
): Promise<string> {
  const startedAt = clock.now();
  const id = newId("bsy", startedAt);
  const requested = { organizationId, id, connectionId, trigger, startedAt };
  const queued = await enqueueSync(transaction, {
    ...requested,
    personAddress: person?.address ?? null,
    personAt: person === undefined ? null : new Date(person.requestedAt),
  });
  // Also for one that was queued before: its job may be lost, and a second job is harmless.
  await outbox.enqueue(transaction, bankingJobs.sync, { organizationId, connectionId, person });
  return queued;
}

/**
 * Runs the queued syncs of a connection until there is none: the work of the job `banking.sync`. If another process
 * runs one already, that process also runs the queued one, for the user who requested it. Returns the problem of each sync
 * that failed, by its id.
 */
export async function runSyncs(
  platform: BankingPlatform,
  connection: TenantKey,
  person?: PresentPerson,
): Promise<ReadonlyMap<string, Problem>> {
  const problems = new Map<string, Problem>();
  for (;;) {
    const now = platform.clock.now();
    const sync = await claimQueuedSync(platform, connection, {
      now,
      presentSince: presentSince(now),
      personAddress: presentAddress(person, now),
    });
    if (sync === undefined) return problems;
    // The heartbeat: without it another process would end this sync.
    const problem = await whileRenewing(
      platform,
      () => touchSync(platform.db, sync, platform.clock.now()),
      () => runSync(platform, sync, sync.personAddress ?? undefined),
    );
    if (problem !== undefined) problems.set(sync.id, problem);
  }
}

/**
 * Marks the queued sync of a connection as running, as soon as the database is available. Returns undefined if none is
 * queued, or one is running. If an attempt marked it and its answer was lost, the next attempt finds it by its instant.
 */
async function claimQueuedSync(
  platform: BankingPlatform,
  connection: TenantKey,
  claim: SyncClaim,
): Promise<SyncRow | undefined> {
  let attempt = 0;
  return retryWhileUnavailable(platform, async () => {
    attempt += 1;
    const claimed = attempt > 1 ? await findClaimed(platform.db, connection, claim.now) : undefined;
    return claimed ?? claimSync(platform.db, connection, claim);
  });
}

/** Runs one sync. It always ends: a failure is a recorded outcome. Returns its problem, unless it was superseded. */
async function runSync(
  platform: BankingPlatform,
  sync: SyncRow,
  personAddress: string | undefined,
): Promise<Problem | undefined> {
  const measured = platform.meter.time(bankingMetrics.syncDuration);
  let source: Source | undefined;
  const ended = (outcome: string) =>
    measured({ provider: source?.connection.provider ?? "none", outcome: outcome.toLowerCase() });
  try {
    source = await findSource(platform, sync);
    await readAndApply(platform, sync, source, personAddress);
    ended("succeeded");
    return undefined;
  } catch (error) {
    if (error instanceof SyncSuperseded) {
      ended("superseded");
      await retryWhileUnavailable(platform, async () => {
        await recordFailure(platform, sync, { code: "INTERRUPTED" });
        await deletePages(platform.db, sync);
      });
      return undefined;
    }
    const problem = syncProblem(error);
    const { code, retryAfterSeconds } = problem;
    ended(code);
    const log = { syncId: sync.id, connectionId: sync.connectionId, code, reason: errorText(error) };
    platform.logger.warn(log, "A sync failed");
    const isRevoked = error instanceof ConsentRevoked;
    const isNotReady = bankErrorKind(problem) === "not_ready";
    const failure = { code, retryAfterSeconds, isRevoked, isNotReady, consent: source?.consent };
    // Otherwise the sync would run until its heartbeat has expired, if it failed because the database was away.
    await retryWhileUnavailable(platform, () => recordFailure(platform, sync, failure));
    return problem;
  }
}

/** A connection, and the consent with which its bank is read. */
interface Source {
  connection: ConnectionRow;
  consent: ConsentRow;
  /** The accounts, by the bank's ids, that the connection has yet to read from their beginning. */
  unread: ReadonlySet<string>;
}

async function findSource(
  { db }: BankingPlatform,
  { organizationId, connectionId }: SyncRow,
): Promise<Source> {
  const connection = await findConnection(db, organizationId, connectionId);
  const consent = await findNewestConsent(db, organizationId, connectionId);
  if (connection?.status !== "ACTIVE" || consent === undefined) throw new Problem("CONNECTION_DISCONNECTED");
  return { connection, consent, unread: await listUnreadSources(db, organizationId, connectionId) };
}

/** Checks the consent, reads the bank's accounts and transactions, and applies both. */
async function readAndApply(
  platform: BankingPlatform,
  sync: SyncRow,
  source: Source,
  personAddress: string | undefined,
  isFirstPass = true,
): Promise<void> {
  const { clock, settings, banks } = platform;
  const { connection, consent } = source;
  if (consentAt(consent, clock.now()).status === "REVOKED") {
    throw new Problem(consent.status === "REVOKED" ? "REAUTHORIZATION_REQUIRED" : "CONSENT_EXPIRED");
  }
  const withheld = withheldScopes(consent);
  const access = {
    ...accessBy(settings.encryptionKeys, connection.institutionId, consent),
    country: connection.institutionCountry,
    personAddress,
    withheldScopes: withheld,
  };
  const bank = await banks.at(connection.provider);
  const consentStatus = await bank.consentStatus(access);
  if (consentStatus.status === "revoked") throw new ConsentRevoked();
  if (consentStatus.status === "reauthorization_required") throw new Problem("REAUTHORIZATION_REQUIRED");
  // Each refresh is billed.
  if (isFirstPass && !withheld.has("accounts"))
    await refreshOnRequest(platform, sync, bank, access, consentStatus);
  const { accounts, unreadable } = await fetchPermittedAccounts(bank, access, withheld);
  if (accounts === null)
    return applyReading(platform, sync, { ...source, consentStatus, ...withoutTransactions });
  // After a merge the connection has another account, which it has yet to read.
  if (
    await mergeRecognizedAccounts(platform, { ...sync, accounts, unreadable: unreadableAccounts(unreadable) })
  )
    return readAndApply(platform, sync, await findSource(platform, sync), personAddress, false);
  if (withheld.has("transactions"))
    return applyReading(platform, sync, {
      ...source,
      consentStatus,
      ...withoutTransactions,
      accounts,
      unreadable,
    });
  const transactions = await readTransactions(platform, sync, source, {
    bank,
    access,
    accounts,
    unreadable: unreadableAccounts(unreadable),
  });
  await applyReading(platform, sync, {
    ...source,
    ...transactions,
    consentStatus,
    accounts,
    unreadable: [...unreadable, ...transactions.unreadable],
  });
}

/** The result of a sync that reads no transactions, because the team limits the consent. */
const withoutTransactions = {
  accounts: null,
  unreadable: [],
  reading: null,
  isFullRead: false,
  wasRead: () => false,
  isComplete: false,
};

/** The longest time to read a bank: it may be slow, and the history long. */
const readTimeoutMs = 30 * 60 * 1000;

/** Reads what is new since the last sync: everything, if the bank has lost the cursor. */
async function readTransactions(
  platform: BankingPlatform,
  sync: SyncRow,
  { connection: { cursor: stored, isBackfilling }, unread }: Source,
  {
    bank: { feed },
    access,
    accounts,
    unreadable,
  }: { bank: BankProvider; access: Access; accounts: readonly AccountData[]; unreadable: string[] },
) {
  // This connection has never read the earlier transactions of an account that it adopts. A change feed has them
  // only at its beginning; days are read per account.
  const adopted = new Set([...unread, ...(await listAdoptedAccounts(platform.db, sync, accounts))]);
  const staging = new Staging(platform, sync, feed.kind === "cursor");
  const read = (from: string | null) => {
    const signal = AbortSignal.timeout(readTimeoutMs);
    if (feed.kind === "cursor") return readChanges(feed, access, from, staging, signal);
    const accountIds = accounts.map(({ externalId }) => externalId);
    const request = { feed, access, accountIds, unreadable, adopted, since: from, isBackfilling };
    return readDays(platform, sync, request, staging, signal);
  };
  // A bank that refused earlier days may list them while the person is present, after they signed in there.
  const isReadAgain =
    feed.kind === "cursor" ? adopted.size > 0 : isBackfilling && access.personAddress !== undefined;
  let cursor = isReadAgain ? null : stored;
  const reading = await read(cursor).catch((error: unknown) => {
    if (!BankError.is(error, "cursor_lost")) throw error;
    cursor = null;
    return read(null);
  });
  return {
    reading: await staging.complete(reading),
    unreadable: staging.unreadable,
    isFullRead: cursor === null || adopted.size > 0,
    wasRead: (externalId: string) => cursor === null || adopted.has(externalId),
    isComplete: feed.kind === "cursor" && feed.isComplete,
  };
}

/** How often a reading starts, if the bank's data changes between two pages. */
const maxReadAttempts = 5;

/** Reads all changes since a cursor; null is the beginning. */
async function readChanges(
  feed: CursorFeed,
  access: Access,
  from: string | null,
  staging: Staging,
  signal: AbortSignal,
): Promise<BankReading> {
  for (let attempt = 1; ; attempt += 1) {
    await staging.clear();
    try {
      return await readChangePages(feed, access, from, staging, signal);
    } catch (error) {
      // The pages are of two states of the bank, so none of them is used. The first cursor is still valid.
      const hasChanged = BankError.is(error, "mutated") && attempt < maxReadAttempts;
      if (!hasChanged) throw error;
    }
  }
}

async function readChangePages(
  feed: CursorFeed,
  access: Access,
  from: string | null,
  staging: Staging,
  signal: AbortSignal,
): Promise<BankReading> {
  const removed = new Set<string>();
  let cursor = from;
  for (;;) {
    const page = await feed.changes(access, cursor, signal, staging.reportUnreadable);
    const listed = [...page.added, ...page.modified];
    for (const { accountId, externalId } of listed) {
      if (externalId === null) continue;
      removed.delete(removalKey(accountId, externalId));
      removed.delete(removalKey(null, externalId));
    }
    for (const { accountId, externalId } of page.removed) removed.add(removalKey(accountId, externalId));
    await staging.add(listed);
    if (!page.hasMore) {
      const { isHistoryComplete = true } = page;
      return { cursor: page.cursor, removed, windowFrom: null, isHistoryComplete };
    }
    // Otherwise the loop would never end.
    if (page.cursor === cursor) throw new BankError("outage", "The bank's feed repeats its cursor");
    cursor = page.cursor;
  }
}

/** The bank says that the consent has ended there. */
class ConsentRevoked extends Problem {
  constructor() {
    super("REAUTHORIZATION_REQUIRED");
  }
}
