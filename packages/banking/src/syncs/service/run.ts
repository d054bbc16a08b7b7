import { Problem, errorText, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import { type Platform, toProblem } from "@purser/platform";
import { ownsAllAccounts } from "../../accounts/service.ts";
import { bankProblem } from "../../call-provider.ts";
import { consentAt } from "../../connections/rules.ts";
import {
  type ConnectionRow,
  type ConsentRecord,
  accessBy,
  findConnection,
  findNewestConsent,
} from "../../connections/store.ts";
import type { BankingPlatform } from "../../context.ts";
import { bankingJobs } from "../../job-definitions.ts";
import { bankingMetrics } from "../../metrics.ts";
import {
  type Access,
  BankError,
  type CursorFeed,
  type TransactionData,
  type WindowFeed,
} from "../../ports.ts";
import { type Reading, removalKey } from "../rules/matching.ts";
import {
  type ConnectionKey,
  type SyncRow,
  claimSync,
  deletePages,
  enqueueSync,
  insertPage,
} from "../store/runs.ts";
import { SyncSuperseded, applyReading } from "./apply.ts";
import { recordFailure } from "./fail.ts";

/**
 * Requests a sync as part of a transaction, and returns its id. Requests share the sync that is queued. A running sync
 * may have read past the latest change, so another one is queued behind it.
 */
export async function requestSync(
  { clock, outbox }: Pick<Platform, "clock" | "outbox">,
  transaction: Transaction,
  { organizationId, id: connectionId }: ConnectionKey,
  trigger: SyncRow["trigger"],
): Promise<string> {
  const startedAt = clock.now();
  const id = newId("bsy", startedAt);
  const queued = await enqueueSync(transaction, { organizationId, id, connectionId, trigger, startedAt });
  if (queued === id) await outbox.enqueue(transaction, bankingJobs.sync, { organizationId, connectionId });
  return queued;
}

/**
 * Runs the queued syncs of a connection until there is none: the handler of the job `banking.sync`. If another process
 * runs one already, that process also runs the queued one.
 */
export async function runSyncs(platform: BankingPlatform, connection: ConnectionKey): Promise<void> {
  for (;;) {
    const sync = await claimSync(platform.db, connection, platform.clock.now());
    if (sync === undefined) return;
    await runSync(platform, sync);
  }
}

/** Runs one sync. It always ends: a failure is a recorded outcome. */
async function runSync(platform: BankingPlatform, sync: SyncRow): Promise<void> {
  const measured = platform.meter.time(bankingMetrics.syncDuration);
  let source: Source | undefined;
  const ended = (outcome: string) =>
    measured({ provider: source?.connection.provider ?? "none", outcome: outcome.toLowerCase() });
  try {
    source = await findSource(platform, sync);
    await readAndApply(platform, sync, source);
    ended("succeeded");
  } catch (error) {
    if (error instanceof SyncSuperseded) {
      ended("given_up");
      await recordFailure(platform, sync, { code: "INTERRUPTED" });
      return deletePages(platform.db, sync);
    }
    const { code, retryAfterSeconds } = syncProblem(error);
    ended(code);
    const log = { syncId: sync.id, connectionId: sync.connectionId, code, reason: errorText(error) };
    platform.logger.warn(log, "A sync failed");
    const isRevoked = error instanceof ConsentRevoked;
    await recordFailure(platform, sync, { code, retryAfterSeconds, isRevoked, consent: source?.consent });
  }
}

/** A connection, and the consent with which its bank is read. */
interface Source {
  connection: ConnectionRow;
  consent: ConsentRecord;
}

async function findSource(
  { db }: BankingPlatform,
  { organizationId, connectionId }: SyncRow,
): Promise<Source> {
  const connection = await findConnection(db, organizationId, connectionId);
  const consent = await findNewestConsent(db, organizationId, connectionId);
  if (connection?.status !== "ACTIVE" || consent === undefined) throw new Problem("CONNECTION_DISCONNECTED");
  return { connection, consent };
}

/** The longest time to read a bank: it may be slow, and the history long. */
const readTimeoutMs = 30 * 60 * 1000;

/** Checks the consent, reads the bank's accounts and transactions, and applies both. */
async function readAndApply(platform: BankingPlatform, sync: SyncRow, source: Source): Promise<void> {
  const { clock, settings, banks, db } = platform;
  const { connection, consent } = source;
  if (consentAt(consent, clock.now()).status === "REVOKED") {
    throw new Problem(consent.status === "REVOKED" ? "REAUTHORIZATION_REQUIRED" : "CONSENT_EXPIRED");
  }
  const access = accessBy(settings.encryptionKeys, connection.institutionId, consent);
  const bank = await banks.at(connection.provider);
  const standing = await bank.standing(access);
  if (standing.status === "revoked") throw new ConsentRevoked();
  if (standing.status === "reauthorization_required") throw new Problem("REAUTHORIZATION_REQUIRED");
  const accounts = await bank.accounts(access);
  const { feed } = bank;
  const staging = new Staging(platform, sync);
  const today = clock.now().toISOString().slice(0, 10);
  const read = (from: string | null) => {
    const signal = AbortSignal.timeout(readTimeoutMs);
    if (feed.kind === "cursor") return readChanges(feed, access, from, staging, signal);
    const accountIds = accounts.map(({ externalId }) => externalId);
    return readDays(feed, access, accountIds, { from, today }, staging, signal);
  };
  // This connection has never read the earlier transactions of an account that it adopts.
  let cursor = (await ownsAllAccounts(db, sync, accounts)) ? connection.cursor : null;
  const reading = await read(cursor).catch((error: unknown) => {
    if (!(error instanceof BankError) || error.kind !== "cursor_lost") throw error;
    cursor = null;
    return read(null);
  });
  await applyReading(platform, sync, {
    ...source,
    standing,
    accounts,
    reading,
    fromBeginning: cursor === null,
    isComplete: feed.kind === "cursor" && feed.isComplete,
    pages: staging.count,
  });
}

/** How often a reading restarts because the bank's data changed between two pages. */
const attempts = 5;

/** Reads all changes since a cursor; null is the beginning. */
async function readChanges(
  feed: CursorFeed,
  access: Access,
  from: string | null,
  staging: Staging,
  signal: AbortSignal,
): Promise<Reading> {
  for (let attempt = 1; ; attempt += 1) {
    await staging.clear();
    try {
      return await readChangePages(feed, access, from, staging, signal);
    } catch (error) {
      // The pages are of two states of the bank, so none of them is used. The first cursor is still valid.
      const hasChanged = error instanceof BankError && error.kind === "mutated" && attempt < attempts;
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
): Promise<Reading> {
  const removed = new Set<string>();
  let cursor = from;
  for (;;) {
    const page = await feed.changes(access, cursor, signal);
    const listed = [...page.added, ...page.modified];
    for (const { accountId, externalId } of listed) {
      if (externalId === null) continue;
      removed.delete(removalKey(accountId, externalId));
      removed.delete(removalKey(null, externalId));
    }
    for (const { accountId, externalId } of page.removed) removed.add(removalKey(accountId, externalId));
    await staging.add(listed);
    if (!page.hasMore) return { cursor: page.cursor, removed, windowFrom: null };
    // Otherwise the loop would never end.
    if (page.cursor === cursor) throw new BankError("outage", "The bank's feed repeats its cursor");
    cursor = page.cursor;
  }
}

/** The number of days that are read again: banks change transactions this recent. */
const overlapDays = 14;

/** Reads the days since the last sync, and the overlap; from null the whole history. */
async function readDays(
  feed: WindowFeed,
  access: Access,
  accountIds: readonly string[],
  { from, today }: { from: string | null; today: string },
  staging: Staging,
  signal: AbortSignal,
): Promise<Reading> {
  await staging.clear();
  const windowFrom = from === null ? daysBefore(today, feed.historyDays) : daysBefore(from, overlapDays);
  for (const accountId of accountIds) {
    for await (const page of feed.transactions(access, accountId, windowFrom, signal)) {
      await staging.add(page);
    }
  }
  return { cursor: today, removed: new Set(), windowFrom };
}

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

/** The pages of a sync, stored until all are read. Each page is a heartbeat. */
class Staging {
  readonly #platform: BankingPlatform;
  readonly #sync: SyncRow;
  count = 0;

  constructor(platform: BankingPlatform, sync: SyncRow) {
    this.#platform = platform;
    this.#sync = sync;
  }

  async add(page: readonly TransactionData[]): Promise<void> {
    if (page.length === 0) return;
    const { db, clock } = this.#platform;
    if (!(await insertPage(db, this.#sync, this.count, JSON.stringify(page), clock.now()))) {
      throw new SyncSuperseded();
    }
    this.count += 1;
  }

  async clear(): Promise<void> {
    if (this.count > 0) await deletePages(this.#platform.db, this.#sync);
    this.count = 0;
  }
}

/** The problem that a failure is recorded as. If the bank no longer knows the consent, a person has to act. */
function syncProblem(error: unknown): Problem {
  const isUnknownConsent = error instanceof BankError && error.kind === "consent_not_found";
  return isUnknownConsent
    ? new Problem("REAUTHORIZATION_REQUIRED", { cause: error })
    : toProblem(bankProblem(error));
}

/** The bank says that the consent has ended there. */
class ConsentRevoked extends Problem {
  constructor() {
    super("REAUTHORIZATION_REQUIRED");
  }
}
