import { type ProblemCode, Problem, errorText } from "@purser/core";
import type { BankingPlatform } from "../../context.ts";
import { toProblem } from "@purser/platform";
import { ownsAllAccounts } from "../../accounts/service.ts";
import { consentAt } from "../../connections/rules.ts";
import {
  type ConnectionRow,
  type ConsentRecord,
  accessBy,
  findConnection,
  findNewestConsent,
} from "../../connections/store.ts";
import { bankingMetrics } from "../../metrics.ts";
import { BankError } from "../../ports.ts";
import { bankProblem } from "../../call-provider.ts";
import { type ConnectionKey, type SyncRow, claimSync, deletePages, insertPage } from "../store/runs.ts";
import { SyncSuperseded, applyReading } from "./apply.ts";
import { recordFailure } from "./fail.ts";
import { type Staging, readBank } from "./read.ts";

/** The longest that a bank is read for; it may be slow, and the history long. */
const readingTimeoutMs = 30 * 60 * 1000;

/**
 * Runs whatever synchronisation waits for a connection, one after the other, until none does; where one runs
 * already, in whatever process, that one's process goes on with those that wait.
 */
export async function runSyncs(platform: BankingPlatform, connection: ConnectionKey): Promise<void> {
  for (;;) {
    const sync = await claimSync(platform.db, connection, platform.clock.now());
    if (sync === undefined) return;
    await runSync(platform, sync);
  }
}

/** Runs one synchronisation to its end, which it always reaches: a failure is an outcome. */
async function runSync(platform: BankingPlatform, sync: SyncRow): Promise<void> {
  const measured = platform.meter.time(bankingMetrics.syncDuration);
  let source: Source | undefined;
  const ended = (outcome: string) =>
    measured({ provider: source?.connection.provider ?? "none", outcome: outcome.toLowerCase() });
  try {
    source = await sourceOf(platform, sync);
    await synchronise(platform, sync, source);
    ended("succeeded");
  } catch (error) {
    const { code, retryAfterSeconds } = problemOf(error);
    ended(error instanceof SyncSuperseded ? "given_up" : code);
    // Given up meanwhile: by a disconnection, as stale, or because a person has linked the bank again.
    if (error instanceof SyncSuperseded) return giveUp(platform, sync);
    const log = { syncId: sync.id, connectionId: sync.connectionId, code, reason: errorText(error) };
    platform.logger.warn(log, "A synchronisation failed");
    const isRevoked = error instanceof Revoked;
    await recordFailure(platform, sync, { code, retryAfterSeconds, isRevoked, consent: source?.consent });
  }
}

/** Its end may be on record already, but not that of what it had still under way. */
async function giveUp(platform: BankingPlatform, sync: SyncRow): Promise<void> {
  await recordFailure(platform, sync, { code: "INTERRUPTED" });
  await deletePages(platform.db, sync);
}

/** What a failure stands for. Where the bank knows a connection's consent no more, only a person can help. */
function problemOf(error: unknown): Problem {
  const isUnknown = error instanceof BankError && error.kind === "consent_not_found";
  return isUnknown
    ? new Problem("REAUTHORIZATION_REQUIRED", { cause: error })
    : toProblem(bankProblem(error));
}

async function synchronise(platform: BankingPlatform, sync: SyncRow, source: Source): Promise<void> {
  const { clock, settings, banks, db } = platform;
  const { connection, consent } = source;
  if (consentAt(consent, clock.now()).status === "REVOKED") {
    throw new Problem(consent.status === "REVOKED" ? "REAUTHORIZATION_REQUIRED" : "CONSENT_EXPIRED");
  }
  const access = accessBy(settings.encryptionKeys, connection.institutionId, consent);
  const bank = await banks.at(connection.provider);
  const standing = await bank.standing(access);
  if (standing.status === "revoked") throw new Revoked();
  if (standing.status === "reauthorization_required") throw new Problem("REAUTHORIZATION_REQUIRED");
  const accounts = await bank.accounts(access);
  const staging = stagingOf(platform, sync);
  const today = clock.now().toISOString().slice(0, 10);
  const accountIds = accounts.map(({ externalId }) => externalId);
  const read = (from: string | null) => {
    const signal = AbortSignal.timeout(readingTimeoutMs);
    return readBank(bank, access, accountIds, { today, cursor: from }, staging, signal);
  };
  // What was before in an account that this connection begins to feed, it has never read.
  let cursor = (await ownsAllAccounts(db, sync, accounts)) ? connection.cursor : null;
  const reading = await read(cursor).catch((error: unknown) => {
    if (!(error instanceof BankError) || error.kind !== "cursor_lost") throw error;
    cursor = null;
    return read(null);
  });
  await applyReading(platform, sync, {
    connection,
    consent,
    standing,
    accounts,
    reading,
    fromBeginning: cursor === null,
    isComplete: bank.feed.kind === "cursor" && bank.feed.isComplete,
    pages: staging.count(),
  });
}

/** A connection, and the consent by which it is read. */
interface Source {
  connection: ConnectionRow;
  consent: ConsentRecord;
}

async function sourceOf({ db }: BankingPlatform, { organizationId, connectionId }: SyncRow): Promise<Source> {
  const connection = await findConnection(db, organizationId, connectionId);
  const consent = await findNewestConsent(db, organizationId, connectionId);
  if (connection?.status !== "ACTIVE" || consent === undefined) throw new Problem("CONNECTION_DISCONNECTED");
  return { connection, consent };
}

/** Keeps pages beside the synchronisation until they are applied; each is a sign of life. */
function stagingOf({ db, clock }: BankingPlatform, sync: SyncRow): Staging & { count(): number } {
  let count = 0;
  return {
    count: () => count,
    async add(transactions) {
      const items = JSON.stringify(transactions);
      if (!(await insertPage(db, sync, count, items, clock.now()))) throw new SyncSuperseded();
      count += 1;
    },
    async clear() {
      if (count > 0) await deletePages(db, sync);
      count = 0;
    },
  };
}

/** The bank says that the consent has ended there. */
class Revoked extends Problem {
  constructor() {
    super("REAUTHORIZATION_REQUIRED" satisfies ProblemCode);
  }
}
