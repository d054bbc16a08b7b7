import type { Transaction } from "@purser/db";
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
import type { BankingPlatform } from "../../context.ts";
import { bankingMetrics } from "../../metrics.ts";
import type { AccountData, ConsentStatus, TransactionData } from "../../ports.ts";
import type { Reading } from "../rules/matching.ts";
import { type SyncRow, finishSync, readPage } from "../store/runs.ts";
import { updateLedger } from "./ledger.ts";
import { planNextSync } from "./plan.ts";

/** Everything that a sync read at the bank. */
export interface SyncResult {
  connection: ConnectionRow;
  consent: ConsentRecord;
  standing: ConsentStatus;
  accounts: AccountData[];
  reading: Reading;
  /** Whether the reading began at the beginning: then a row that is not in it may be gone. */
  fromBeginning: boolean;
  /** Whether such a reading holds the whole history. */
  isComplete: boolean;
  /** The number of staged pages of transactions. */
  pages: number;
}

/** The sync was ended, or its connection changed, while it read the bank: its result is discarded. */
export class SyncSuperseded extends Error {
  override readonly name = "SyncSuperseded";
}

/** Writes accounts, transactions, counts and cursor in one transaction: a crash leaves all of it or nothing. */
export async function applyReading(
  platform: BankingPlatform,
  sync: SyncRow,
  result: SyncResult,
): Promise<void> {
  const { connection, accounts, fromBeginning, reading } = result;
  const { organizationId, id: connectionId } = connection;
  const ledger = { organizationId, connectionId };
  const mayAdopt = !(await ownsAllAccounts(platform.db, ledger, accounts));
  const changes = await retryTransaction(() =>
    platform.db.transaction(async (transaction) => {
      // A new account may be one that another connection has: only one sync may look for it at a time.
      if (mayAdopt) await lockOrganization(transaction, organizationId);
      const consent = await lockSource(transaction, result);
      const now = platform.clock.now();
      const { accountOf, hasAdopted } = await reconcileAccounts(
        platform,
        transaction,
        { ...ledger, now },
        accounts,
      );
      // This connection adopted an account after the reading began, which does not go back far enough for it.
      if (hasAdopted && !fromBeginning) throw new SyncSuperseded();
      const scope = { ...result, accountOf, showsTransactions: coversTransactions(consent), now };
      const pages = () => stagedPages(transaction, sync, result.pages);
      const { counts, gaveIds } = await updateLedger(transaction, ledger, scope, pages);
      const ended = await finishSync(transaction, sync, { status: "SUCCEEDED", finishedAt: now, ...counts });
      if (!ended) throw new SyncSuperseded();
      // Changes of a transaction without an id cannot be followed: the next sync reads the log from its beginning.
      const cursor = gaveIds || reading.windowFrom !== null ? reading.cursor : null;
      await recordSuccess(platform, transaction, { ...result, consent }, cursor, now);
      return counts;
    }),
  );
  for (const [change, rows] of Object.entries(changes)) {
    platform.meter.count(bankingMetrics.rows, { provider: connection.provider, change }, rows);
  }
}

/** Locks the connection and returns its consent. A result of another consent or cursor no longer applies. */
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

/** Whether the bank shows transactions under this consent. */
const coversTransactions = ({ grantedScopes }: ConsentRecord): boolean =>
  grantedScopes?.includes("transactions") ?? true;

/** Reads the staged pages one by one, so that a long history needs no more memory than a short one. */
async function* stagedPages(
  transaction: Transaction,
  sync: SyncRow,
  count: number,
): AsyncGenerator<TransactionData[]> {
  for (let number = 0; number < count; number += 1) {
    const items = await readPage(transaction, sync, number);
    // The sync was ended meanwhile, and its pages deleted.
    if (items === undefined) throw new SyncSuperseded();
    yield JSON.parse(items) as TransactionData[];
  }
}

/** Stores the cursor, the expiry that the bank reported, and when the next sync is due. */
async function recordSuccess(
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
    nextSyncAt: await planNextSync(platform, transaction, connection, { failures: 0 }),
  });
}
