import { eventSubjects } from "@purser/core";
import { events } from "@purser/db";
import { openEventData } from "@purser/platform/events";
import type { TestPurser } from "@purser/testing";
import { asc, eq } from "drizzle-orm";
import { expect } from "vitest";
import type { BankingEvent } from "../feed-events/contract.ts";
import { type StoredLedger, type StoredRow, isPresent } from "./ledger-model.ts";

/** Reads the events of an organization's banks, step by step. */
export class BankEventLog {
  readonly #purser: TestPurser;
  readonly #organizationId: string;
  readonly #seen = new Set<string>();
  /** Everything that was read so far. */
  readonly all: BankingEvent[] = [];

  constructor(purser: TestPurser, organizationId: string) {
    this.#purser = purser;
    this.#organizationId = organizationId;
  }

  /** Returns the events that were written since the last call. */
  async next(): Promise<BankingEvent[]> {
    const { db, platform } = this.#purser;
    const stored = await db
      .select()
      .from(events)
      .where(eq(events.organizationId, this.#organizationId))
      .orderBy(asc(events.transactionId), asc(events.id));
    const isNew = ({ id, type }: (typeof stored)[number]) => type.startsWith("bank_") && !this.#seen.has(id);
    const added = stored.filter(isNew).map((row) => {
      this.#seen.add(row.id);
      const { type, subjectId, actorId } = row;
      return {
        ...row,
        actor: actorId === null ? null : { id: actorId, name: "" },
        subject: { type: eventSubjects[type], id: subjectId },
        data: openEventData(platform.settings.encryptionKeys, row),
      } as BankingEvent;
    });
    this.all.push(...added);
    return added;
  }
}

type EventOf<Type extends BankingEvent["type"]> = Extract<BankingEvent, { type: Type }>;

const ofType = <Type extends BankingEvent["type"]>(reported: readonly BankingEvent[], type: Type) =>
  reported.filter((event): event is EventOf<Type> => event.type === type);

/**
 * `bank_transactions.changed` reports what happened to the ledger: the counts of each account sum up to the change
 * of its rows, and each row that was added, changed or removed was and is on a reported day.
 */
export function expectChangesReported(
  before: readonly StoredRow[],
  after: readonly StoredRow[],
  reported: readonly BankingEvent[],
): void {
  const changes = Map.groupBy(ofType(reported, "bank_transactions.changed"), ({ subject }) => subject.id);
  const earlier = new Map(before.filter(isPresent).map((row) => [row.id, row]));
  const later = new Map(after.filter(isPresent).map((row) => [row.id, row]));
  const rowsOf = (rows: ReadonlyMap<string, StoredRow>, account: string) =>
    [...rows.values()].filter(({ accountId }) => accountId === account).length;
  const accountIds = [...earlier.values(), ...later.values()].map(({ accountId }) => accountId);
  for (const account of new Set([...accountIds, ...changes.keys()])) {
    const all = changes.get(account) ?? [];
    const sum = all.reduce((total, { data }) => total + data.added - data.removed, 0);
    expect(sum, "the reported change of an account's rows").toBe(
      rowsOf(later, account) - rowsOf(earlier, account),
    );
  }
  for (const { data } of ofType(reported, "bank_transactions.changed"))
    expect(data.added + data.modified + data.removed, "an event without a change").toBeGreaterThan(0);
  for (const id of new Set([...earlier.keys(), ...later.keys()])) {
    const [from, to] = [earlier.get(id), later.get(id)];
    if (from !== undefined && to !== undefined && shownOfRow(from) === shownOfRow(to)) continue;
    for (const { accountId, transactionDate } of [from, to].filter((row) => row !== undefined)) {
      const day = Date.parse(transactionDate);
      const isReported = changes
        .get(accountId)
        ?.some(({ data }) => data.firstDay.getTime() <= day && day <= data.lastDay.getTime());
      expect(isReported, `the change of ${JSON.stringify(to ?? from)} is reported`).toBe(true);
    }
  }
}

/** What readers see of a row. */
const shownOfRow = ({ ownCategory, category, ...row }: StoredRow) =>
  JSON.stringify({ ...row, ...hidden, shownCategory: ownCategory ?? category });

/** The columns of a row that no reader sees. */
const hidden = { connectionId: "", externalId: "", idEpoch: 0, rawAmount: "", search: "", updatedAt: null };

/**
 * Each sync that succeeded has one `bank_connection.synced` with its counts, and what it changed in the accounts sums up
 * to them. Syncs that end at one instant are compared together.
 */
export function expectSyncsReported({ syncs }: StoredLedger, reported: readonly BankingEvent[]): void {
  const countsOf = ({ added, modified, removed }: Record<"added" | "modified" | "removed", number>) =>
    [added, modified, removed] as const;
  const synced = ofType(reported, "bank_connection.synced");
  const ended = syncs.filter(({ status }) => status === "SUCCEEDED");
  const ofSync = ended.map((sync) => [sync.finishedAt, sync.connectionId, ...countsOf(sync)].join(" "));
  const ofEvent = synced.map(({ createdAt, subject, data }) =>
    [createdAt, subject.id, ...countsOf(data)].join(" "),
  );
  expect(ofEvent.toSorted(), "the reported syncs").toEqual(ofSync.toSorted());
  const sums = (all: readonly { createdAt: Date; data: Parameters<typeof countsOf>[0] }[]) => {
    const totals = new Map<number, number[]>();
    for (const { createdAt, data } of all) {
      const total = totals.get(createdAt.getTime()) ?? [0, 0, 0];
      totals.set(
        createdAt.getTime(),
        total.map((count, index) => count + countsOf(data)[index]!),
      );
    }
    const changed = [...totals].filter(([, total]) => total.some((count) => count > 0));
    return changed.toSorted(([one], [other]) => one - other);
  };
  const bySyncs = ofType(reported, "bank_transactions.changed").filter(({ actor }) => actor === null);
  expect(sums(bySyncs), "the reported changes of all accounts").toEqual(sums(synced));
}

/** The last `bank_account.updated` of each account shows its present state, and each shows something new. */
export function expectAccountsReported({ accounts }: StoredLedger, reported: readonly BankingEvent[]): void {
  const updates = Map.groupBy(ofType(reported, "bank_account.updated"), ({ subject }) => subject.id);
  for (const { id, connectionId, name: accountName, balance, availableBalance } of accounts) {
    const all = (updates.get(id) ?? []).map(({ data }) => ({ ...data, connection: null }));
    expect(all.at(-1)).toMatchObject({ id, connectionId, accountName, balance, availableBalance });
    const repeated = all.filter((data, index) => JSON.stringify(data) === JSON.stringify(all[index - 1]));
    expect(repeated, "updates that show nothing new").toEqual([]);
  }
}
