import type { Transaction } from "@purser/db";
import type { BankingPlatform } from "../../context.ts";
import { lockOrganization } from "@purser/organizations";
import { retryTransaction } from "@purser/platform";
import { ownsAllAccounts, reconcileAccounts } from "../../accounts/service.ts";
import { renewedExpiry } from "../../connections/rules.ts";
import {
  type ConnectionRow,
  type ConsentRecord,
  findNewestConsent,
  lockConnection,
  setConnection,
  setConsent,
} from "../../connections/store.ts";
import { bankingMetrics } from "../../metrics.ts";
import type { AccountData, ConsentStatus, TransactionData } from "../../ports.ts";
import { type SyncRow, finishSync, readPage } from "../store/runs.ts";
import { planNext } from "./fail.ts";
import { LedgerUpdate } from "./ledger.ts";
import type { Reading } from "./read.ts";

/** Everything that a synchronisation has learned at the bank. */
export interface SyncResult {
  connection: ConnectionRow;
  consent: ConsentRecord;
  standing: ConsentStatus;
  accounts: AccountData[];
  reading: Reading;
  /** Whether the reading began at the beginning: then what is not in it may be gone. */
  fromBeginning: boolean;
  /** Whether such a reading holds all there ever was. */
  isComplete: boolean;
  /** How many pages of transactions wait beside the synchronisation. */
  pages: number;
}

/** Somebody has ended this synchronisation, or changed what it stood on: nothing of it may count. */
export class SyncSuperseded extends Error {
  override readonly name = "GivenUp";
}

/**
 * Brings accounts, transactions and cursor to what was read, in one transaction: a crash leaves all of it or none.
 * The transactions come back page by page, so that a long history needs no more memory than a short one.
 */
export async function applyReading(
  platform: BankingPlatform,
  sync: SyncRow,
  learned: SyncResult,
): Promise<void> {
  const { connection, accounts, fromBeginning } = learned;
  const { organizationId, id: connectionId } = connection;
  const mayMove = !(await ownsAllAccounts(platform.db, { organizationId, connectionId }, accounts));
  const changes = await retryTransaction(() =>
    platform.db.transaction(async (transaction) => {
      // A new account may be one that another connection has brought: only one may look for it at a time.
      if (mayMove) await lockOrganization(transaction, organizationId);
      const consent = await lockSource(transaction, learned);
      const now = platform.clock.now();
      const feeding = { organizationId, connectionId, now };
      const { accountOf, hasBegun } = await reconcileAccounts(platform, transaction, feeding, accounts);
      // It has become this connection's to feed after the reading began, which goes not back far enough for it.
      if (hasBegun && !fromBeginning) throw new SyncSuperseded();
      const { counts, cursor } = await updateLedger(transaction, sync, learned, accountOf, now);
      const ended = await finishSync(transaction, sync, { status: "SUCCEEDED", finishedAt: now, ...counts });
      if (!ended) throw new SyncSuperseded();
      await settle(platform, transaction, { ...learned, consent }, cursor, now);
      return counts;
    }),
  );
  for (const [change, rows] of Object.entries(changes)) {
    platform.meter.count(bankingMetrics.rows, { provider: connection.provider, change }, rows);
  }
}

/**
 * Locks the connection, and gives its consent as it is now. What was read by another consent or from another cursor
 * is not about what the connection has become.
 */
async function lockSource(
  transaction: Transaction,
  { connection, consent }: SyncResult,
): Promise<ConsentRecord> {
  const { organizationId, id } = connection;
  const current = await lockConnection(transaction, organizationId, id);
  if (current?.status !== "ACTIVE" || current.cursor !== connection.cursor) throw new SyncSuperseded();
  const newest = await findNewestConsent(transaction, organizationId, id);
  const isSame = newest?.id === consent.id && newest.token === consent.token;
  if (!isSame || newest.status !== "AUTHORIZED") throw new SyncSuperseded();
  return newest;
}

async function updateLedger(
  transaction: Transaction,
  sync: SyncRow,
  { connection, consent, reading, fromBeginning, isComplete, pages }: SyncResult,
  accountOf: Map<string, string | null>,
  now: Date,
) {
  const ledger = { organizationId: connection.organizationId, connectionId: connection.id };
  const showsTransactions = consent.grantedScopes?.includes("transactions") ?? true;
  const scope = { reading, fromBeginning, isComplete, showsTransactions, now };
  const update = await LedgerUpdate.begin(transaction, ledger, accountOf, scope);
  for await (const take of update.passes()) {
    for (let number = 0; number < pages; number += 1) {
      const items = await readPage(transaction, sync, number);
      // Whoever gave this synchronisation up has deleted its pages.
      if (items === undefined) throw new SyncSuperseded();
      await take(JSON.parse(items) as TransactionData[]);
    }
  }
  const isFollowable = update.gaveIds || reading.windowFrom !== null;
  return { counts: await update.finish(), cursor: isFollowable ? reading.cursor : null };
}

/** What a success says of the connection and its consent. */
async function settle(
  platform: BankingPlatform,
  transaction: Transaction,
  { connection, consent, standing }: SyncResult,
  cursor: string | null,
  now: Date,
): Promise<void> {
  if (standing.status === "authorized" && standing.expiresAt !== null && consent.grantedScopes !== null) {
    const grantedUntil = standing.expiresAt;
    const expiresAt = renewedExpiry(consent, grantedUntil);
    const isLater = expiresAt > consent.expiresAt;
    await setConsent(transaction, consent, {
      grantedUntil,
      expiresAt,
      ...(isLater && { remindedDays: null }),
    });
  }
  await setConnection(transaction, connection, {
    cursor,
    needsReauthorization: null,
    syncedAt: now,
    failures: 0,
    nextSyncAt: await planNext(platform, transaction, connection, { failures: 0 }),
  });
}
