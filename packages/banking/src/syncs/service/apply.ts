import type { Transaction } from "@purser/db";
import { lockOrganization } from "@purser/organizations";
import { changeOrganization } from "@purser/platform";
import { countryOfAccounts } from "../../accounts/rules.ts";
import { noteBalances } from "../../accounts/service/balances.ts";
import { unreadableAccounts } from "../../accounts/service/permitted.ts";
import {
  type ReconciledAccounts,
  listAdoptedAccounts,
  reconcileAccounts,
} from "../../accounts/service/reconcile.ts";
import { listUnreadSources, setSourcesUnread } from "../../accounts/store/sources.ts";
import { datesAfterSync, hasSameDates, isSameConsent } from "../../connections/rules.ts";
import {
  type ConnectionRow,
  type ConsentRow,
  findNewestConsent,
  lockConnection,
  openConsentToken,
  setConnection,
  setConsent,
} from "../../connections/store.ts";
import type { BankingPlatform } from "../../context.ts";
import { recordAccountEvents, recordConnectionEvent } from "../../feed-events/service.ts";
import { bankingMetrics } from "../../metrics.ts";
import type { AccountData, ConsentStatus, TransactionData, UnreadableItem } from "../../ports.ts";
import { cleanAccountId, cleanExternalId, cleanUnreadable } from "../rules/cleaning.ts";
import type { BankReading, StagedReading } from "../rules/matching.ts";
import { LastPages } from "../rules/last-pages.ts";
import { WindowSummary } from "../rules/window-summary.ts";
import type { LedgerKey } from "../store/ledger.ts";
import { type SyncRow, deletePages, finishSync, insertPage, readPage } from "../store/runs.ts";
import { updateLedger } from "./update-ledger.ts";
import { planNextSync } from "./plan.ts";
import type { LedgerChange } from "./change-counter.ts";
import { recountIfOutdated } from "./totals.ts";

/** Everything that a sync read at the bank. */
export interface SyncResult {
  connection: ConnectionRow;
  consent: ConsentRow;
  /** The accounts, by the bank's ids, that the connection had yet to read from their beginning before this sync. */
  unread: ReadonlySet<string>;
  consentStatus: ConsentStatus;
  /** Null if no accounts were read, because the team limits the consent. */
  accounts: AccountData[] | null;
  /** What the bank sent and the adapter could not read. */
  unreadable: UnreadableItem[];
  /** Null if no transactions were read, because the team limits the consent. */
  reading: StagedReading | null;
  /** Whether the sync reads the feed from its beginning: then a row that it does not return may be gone. */
  isFullRead: boolean;
  /** Whether it has read an account, by the bank's id, from its beginning. */
  wasRead: (externalId: string) => boolean;
  /** Whether such a reading holds the whole history. */
  isComplete: boolean;
}

/** The sync was ended, or its connection changed, while it read the bank: its result is discarded. */
export class SyncSuperseded extends Error {
  override readonly name = "SyncSuperseded";
}

/**
 * Writes accounts, transactions, counts, cursor and events in one transaction: a crash leaves all of it or nothing.
 * However many pages were read, there is one event for the sync, and one for each account with changed transactions.
 */
export async function applyReading(
  platform: BankingPlatform,
  sync: SyncRow,
  result: SyncResult,
): Promise<void> {
  const { organizationId, id: connectionId, provider } = result.connection;
  const ledger = { organizationId, connectionId };
  const mayAdopt = (await listAdoptedAccounts(platform.db, ledger, result.accounts ?? [])).size > 0;
  const written = await changeOrganization(platform, organizationId, async (transaction) => {
    // A new account may be one that another connection has: only one sync may look for it at a time.
    if (mayAdopt) await lockOrganization(transaction, organizationId);
    return writeReading(platform, transaction, sync, result);
  });
  for (const [change, count] of Object.entries(written)) {
    platform.meter.count(bankingMetrics.rows, { provider, change }, count);
  }
}

/** Returns how many transactions were added, modified and removed. */
async function writeReading(
  platform: BankingPlatform,
  transaction: Transaction,
  sync: SyncRow,
  result: SyncResult,
) {
  const { connection, reading } = result;
  const { organizationId, id: connectionId } = connection;
  const ledger = { organizationId, connectionId };
  const consent = await lockSource(platform, transaction, result);
  const now = platform.clock.now();
  const { accountOf, unlisted, before } = await writeAccounts(platform, transaction, result, now);
  // Recounts the daily totals if a version that did not keep them was the last to sync. Also without a reading, because
  // the success marks them as kept.
  await recountIfOutdated(transaction, connection);
  const showsTransactions = coversTransactions(consent);
  const scope = { ...result, accountOf, isBackfilling: connection.isBackfilling, showsTransactions, now };
  const pages = () => stagedPages(transaction, sync, reading?.pages ?? 0);
  const { counts, changes, hasAllIds } =
    reading === null ? nothingRead : await updateLedger(transaction, ledger, { ...scope, reading }, pages);
  const ended = await finishSync(transaction, sync, { status: "SUCCEEDED", finishedAt: now, ...counts });
  if (!ended) throw new SyncSuperseded();
  await setReadAccounts(transaction, ledger, result, [...accountOf.keys()]);
  const cursor = nextCursor(connection, reading, hasAllIds);
  await recordSuccess(platform, transaction, result, { consent, cursor, now });
  const accountIds = [...accountOf.values(), ...unlisted];
  const changed = { organizationId, accountIds, before, changes };
  await recordAccountEvents(platform, transaction, null, changed);
  await recordConnectionEvent(platform, transaction, null, connection, "bank_connection.synced", counts);
  return counts;
}

const nothingRead = {
  counts: { added: 0, modified: 0, removed: 0 },
  changes: new Map<string, LedgerChange>(),
  hasAllIds: true,
};

/** Finds our account for each of the bank's, and adopts those that another connection has fed until now. */
async function writeAccounts(
  platform: BankingPlatform,
  transaction: Transaction,
  { connection, accounts, unreadable, isFullRead, reading }: SyncResult,
  now: Date,
): Promise<ReconciledAccounts> {
  if (accounts === null) return noAccounts;
  const { organizationId, id: connectionId } = connection;
  const reconciled = await reconcileAccounts(
    platform,
    transaction,
    { organizationId, connectionId, now },
    accounts,
    unreadableAccounts(unreadable),
  );
  await noteBalances(transaction, organizationId, reconciled.accountOf, {
    reported: accounts,
    hasTransactions: (externalId) => reading !== null && !reading.refused?.has(externalId),
  });
  // This connection adopted an account after the reading began, which does not go back far enough for it.
  if (reconciled.hasAdopted && !isFullRead && reading !== null) throw new SyncSuperseded();
  return reconciled;
}

const noAccounts: ReconciledAccounts = { accountOf: new Map(), unlisted: [], before: [], hasAdopted: false };

/** Stores which of the bank's accounts this sync has read from their beginning, and which have yet to be read so. */
async function setReadAccounts(
  transaction: Transaction,
  ledger: LedgerKey,
  { reading, wasRead }: SyncResult,
  externalIds: readonly string[],
): Promise<void> {
  const { refused = new Set<string>() } = reading ?? {};
  const read = externalIds.filter((id) => wasRead(id) && !refused.has(id));
  await setSourcesUnread(transaction, ledger, read, false);
  // The cursor moves on. Once the bank allows it, such an account lacks all days since.
  await setSourcesUnread(transaction, ledger, [...refused], true);
}

/** Where the next sync continues to read the feed; null for its beginning. */
function nextCursor(
  { cursor }: ConnectionRow,
  reading: StagedReading | null,
  hasAllIds: boolean,
): string | null {
  if (reading === null) return cursor;
  // Changes of a transaction without an id cannot be followed.
  const canContinue = hasAllIds || reading.windowFrom !== null;
  return canContinue ? (reading.cursor ?? null) : null;
}

/** Locks the connection and returns its consent. A result of another consent, cursor or accounts no longer applies. */
async function lockSource(
  { settings }: Pick<BankingPlatform, "settings">,
  transaction: Transaction,
  { connection, consent, unread }: SyncResult,
): Promise<ConsentRow> {
  const { organizationId, id } = connection;
  const current = await lockConnection(transaction, organizationId, id);
  if (current?.status !== "ACTIVE" || current.cursor !== connection.cursor) throw new SyncSuperseded();
  const newest = await findNewestConsent(transaction, organizationId, id);
  const open = (one: ConsentRow) => openConsentToken(settings.encryptionKeys, one);
  if (newest?.status !== "AUTHORIZED" || !isSameConsent(newest, consent, open)) throw new SyncSuperseded();
  // Another process has adopted an account since.
  const isAdded = (externalId: string) => !unread.has(externalId);
  if ([...(await listUnreadSources(transaction, organizationId, id))].some(isAdded))
    throw new SyncSuperseded();
  return newest;
}

/** Whether the bank shows transactions under this consent. */
const coversTransactions = ({ grantedScopes }: ConsentRow): boolean =>
  grantedScopes?.includes("transactions") ?? true;

/**
 * Reads the staged pages one by one, so that a long history needs no more memory than a short one. The database reads the
 * next one while this one is used.
 */
async function* stagedPages(
  transaction: Transaction,
  sync: SyncRow,
  count: number,
): AsyncGenerator<TransactionData[]> {
  const read = (number: number) => {
    const page = number < count ? readPage(transaction, sync, number) : undefined;
    page?.catch(() => undefined);
    return page;
  };
  let next = read(0);
  for (let number = 0; number < count; number += 1) {
    const items = await next;
    next = read(number + 1);
    // The sync was ended meanwhile, and its pages deleted.
    if (items === undefined) throw new SyncSuperseded();
    yield JSON.parse(items) as TransactionData[];
  }
}

/** Stores the cursor, the country, the dates of the consent, and when the next sync is due. */
async function recordSuccess(
  platform: BankingPlatform,
  transaction: Transaction,
  { connection, consent: begunWith, consentStatus, accounts, reading }: SyncResult,
  { consent, cursor, now }: { consent: ConsentRow; cursor: string | null; now: Date },
): Promise<void> {
  const { bankReadAt = now } = consentStatus.status === "authorized" ? consentStatus : {};
  // Otherwise a person has confirmed or changed the consent since its status was read.
  if (consentStatus.status === "authorized" && hasSameDates(consent, begunWith))
    await setConsent(transaction, consent, datesAfterSync(consent, consentStatus, now));
  await setConnection(transaction, connection, {
    cursor,
    ...(reading !== null && { isBackfilling: !reading.isHistoryComplete }),
    // Some providers have the numbers of accounts only minutes after the connection was made.
    institutionCountry: countryOfAccounts(accounts ?? []) ?? connection.institutionCountry,
    needsReauthorization: null,
    syncedAt: now,
    bankReadAt,
    totaledAt: now,
    failures: 0,
    nextSyncAt: await planNextSync(platform, transaction, connection, { failures: 0 }),
  });
}

/** The pages of a sync, stored until all are read. Each page is a heartbeat. */
export class Staging {
  readonly #platform: BankingPlatform;
  readonly #sync: SyncRow;
  readonly #isChangeFeed: boolean;
  /** The page that the database stores during the request for the next one. */
  #storing: Promise<void> = Promise.resolve();
  #count = 0;
  #lastPages = new LastPages();
  #window = new WindowSummary();
  /** What the adapter left out. */
  unreadable: UnreadableItem[] = [];
  readonly reportUnreadable = (item: UnreadableItem): void =>
    void this.unreadable.push(cleanUnreadable(item));

  /** `isChangeFeed` says whether the bank lists changes, so that an id may appear on several pages. */
  constructor(platform: BankingPlatform, sync: SyncRow, isChangeFeed: boolean) {
    this.#platform = platform;
    this.#sync = sync;
    this.#isChangeFeed = isChangeFeed;
  }

  /** Stores a page. Fails if the page before could not be stored. */
  async add(page: readonly TransactionData[]): Promise<void> {
    if (page.length === 0) return;
    const number = this.#count;
    this.#count += 1;
    this.#noteIds(page, number);
    const items = JSON.stringify(page);
    await this.#storing;
    this.#storing = this.#store(items, number);
    this.#storing.catch(() => undefined);
  }

  /** Resolves once all pages are stored. */
  async complete(reading: BankReading): Promise<StagedReading> {
    await this.#storing;
    return { ...reading, pages: this.#count, lastPages: this.#lastPages, window: this.#window };
  }

  async clear(): Promise<void> {
    await this.#storing;
    if (this.#count > 0) await deletePages(this.#platform.db, this.#sync);
    this.#count = 0;
    this.#lastPages = new LastPages();
    this.#window = new WindowSummary();
    this.unreadable = [];
  }

  async #store(items: string, number: number): Promise<void> {
    const { db, clock } = this.#platform;
    if (!(await insertPage(db, this.#sync, number, items, clock.now()))) throw new SyncSuperseded();
  }

  #noteIds(page: readonly TransactionData[], number: number): void {
    for (const one of page) {
      const accountId = cleanAccountId(one.accountId);
      const externalId = cleanExternalId(one.externalId);
      if (!this.#isChangeFeed) this.#window.note(accountId, externalId, one.date);
      else if (externalId !== null) this.#lastPages.note(accountId, externalId, number);
    }
  }
}
