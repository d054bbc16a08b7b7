// @module-tag slow
import { type RandomSource, createRandom } from "@purser/core";
import { day } from "@purser/core/testing";
import {
  type Person,
  type Service,
  type TestPurser,
  changeTestTrigger,
  createTestPurser,
  createTestSequence,
  createTestTable,
  isNightly,
  openOtherProcess,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BankProvider, Banks } from "../ports.ts";
import { sandboxBank } from "../sandbox/bank.ts";
import {
  BankEventLog,
  expectAccountsReported,
  expectChangesReported,
  expectSyncsReported,
} from "../testing/event-check.ts";
import { flakyBank, noBankFailures } from "../testing/flaky-bank.ts";
import {
  type RowsByRoot,
  expectAgreement,
  expectBalances,
  expectIdentity,
  expectSoundBooks,
  expectUnread,
} from "../testing/ledger-check.ts";
import { expectPersonal } from "../testing/personal-check.ts";
import { type StoredLedger, type StoredRow, accountsOf } from "../testing/ledger-model.ts";
import {
  type World,
  bankingOf,
  createWorld,
  ledgerOf,
  stopSchedule,
  truthOf,
} from "../testing/sandbox-world.ts";
import { type Step, steps } from "../testing/steps.ts";

/**
 * Random histories of a bank and its readers: transactions are added, posted, changed and removed; faults, crashes,
 * concurrent syncs, and consents that end and are renewed. After every step with a successful sync, the ledger is
 * compared with the bank's log. After every other step, it must be unchanged. The events report exactly what
 * changed. A step in which the bank changes between two reads is verified after each of them.
 *
 * Replay a failing seed with PURSER_SEED=…, and a nightly one also with PURSER_PROFILE=nightly.
 */
const size = isNightly ? { seeds: 500, steps: 30 } : { seeds: 5, steps: 3 };
const replayed = process.env["PURSER_SEED"];
const seeds =
  replayed === undefined ? Array.from({ length: size.seeds }, (_, seed) => seed) : [Number(replayed)];

let purser: TestPurser;
let other: Service;
let owner: Person;
let bank: BankProvider;
const failures = noBankFailures();
const banks: Banks = { configured: ["sandbox"], at: async () => bank };

beforeAll(async () => {
  purser = await createTestPurser({ banks });
  other = await openOtherProcess(purser, { banks });
  owner = await purser.person();
  await createTestTable(purser.db, "broken", `organization_id text COLLATE "C", way text`);
  await createTestSequence(purser.db, "commits");
  // The end of a sync is written last. If that write fails, everything else has happened.
  await purser.db.execute(sql`
    CREATE FUNCTION fail_last_write() RETURNS trigger LANGUAGE plpgsql
    SET citus.allow_nested_distributed_execution = on AS $$
    DECLARE found text := (SELECT way FROM broken WHERE organization_id = NEW.organization_id);
    BEGIN
      IF found = 'always' THEN RAISE EXCEPTION 'the write fails'; END IF;
      IF found = 'once' AND nextval('commits') % 2 = 1 THEN RAISE serialization_failure; END IF;
      RETURN NEW;
    END $$`);
  await changeTestTrigger(
    purser.db,
    sql`CREATE TRIGGER fail_last_write BEFORE UPDATE ON bank_syncs FOR EACH ROW WHEN (NEW.status = 'SUCCEEDED')
      EXECUTE FUNCTION fail_last_write()`,
  );
});
afterAll(async () => {
  await other.close();
  await purser.close();
});

describe("the sync of a bank", () => {
  it.each(seeds)(
    "keeps the ledger equal to the bank's, whatever happens meanwhile (seed %i)",
    { timeout: isNightly ? 3_600_000 : 240_000 },
    async (seed) => {
      const chance = createRandom("sync", seed);
      purser.clock.set(new Date(Date.parse("2026-03-02T09:00:00Z") + seed * 5 * day));
      const feed = chance.happens(0.5) ? "cursor" : "window";
      bank = flakyBank(sandboxBank(purser.platform, { feed, pageSize: chance.whole(10, 60) }), failures);
      const hidesLinks = chance.happens(0.3);
      Object.assign(failures, noBankFailures(), { hidesLinks });
      const world = await createWorld(purser, owner, failures, feed);
      const run = new Run(world, await ledgerOf(world));
      await run.take("first", () => purser.drain());
      for (let number = 0; number < size.steps; number += 1) {
        const [name, step] = pick(chance);
        await run.take(name, () => step(world, chance, { other, verify: () => run.verify() }));
      }
      await run.end();
      await stopSchedule(world);
      expect(run.length).toBe(size.steps + 1);
    },
  );
});

function pick(chance: RandomSource): [string, Step] {
  const all = Object.entries(steps).flatMap(([name, [weight, step]]) =>
    Array.from({ length: weight }, (): [string, Step] => [name, step]),
  );
  return chance.pick(all);
}

/** The history so far, and what is known from it. */
class Run {
  readonly #world: World;
  readonly #names: string[] = [];
  readonly #events: BankEventLog;
  #before: StoredLedger;
  #known: RowsByRoot = new Map();
  /** Every row that a transaction ever had. */
  readonly #formerRows = new Map<number, Set<string>>();
  #accountIds: string[] | undefined;
  /** The consent of the last read. */
  #consentId: string | undefined;

  constructor(world: World, before: StoredLedger) {
    this.#world = world;
    this.#before = before;
    this.#events = new BankEventLog(purser, world.organizationId);
  }

  get length(): number {
    return this.#names.length;
  }

  async take(name: string, step: () => Promise<unknown>): Promise<void> {
    this.#names.push(name);
    await this.verify(await step());
  }

  /** Verifies the history since the last verification. `result` is shown only on failure. */
  async verify(result?: unknown): Promise<void> {
    const after = await ledgerOf(this.#world);
    try {
      await this.#check(this.#before, after);
    } catch (error) {
      const history = this.#names.join(", ");
      throw new Error(`${this.#world.feed}: ${history} (${JSON.stringify(result)})`, { cause: error });
    }
    this.#before = after;
    this.#world.failures.returnedBlankIds = false;
  }

  async #check(before: StoredLedger, after: StoredLedger): Promise<void> {
    expectSoundBooks(after);
    expectPersonal(this.#world.personal, after);
    expectChangesReported(before.rows, after.rows, await this.#events.next());
    expectSyncsReported(after, this.#events.all);
    expectAccountsReported(after, this.#events.all);
    const done = new Set(before.syncs.filter(({ status }) => status === "SUCCEEDED").map(({ id }) => id));
    const {
      connectionId,
      failures: { hidesLinks, repeated, returnedBlankIds },
    } = this.#world;
    const succeeded = after.syncs.filter((sync) => sync.status === "SUCCEEDED" && !done.has(sync.id));
    if (!succeeded.some((sync) => sync.connectionId === connectionId))
      return expectUnchanged(connectionId, before, after);
    const truth = await truthOf(this.#world);
    const { organizationId, consentId } = this.#world;
    const consent = { organizationId, connectionId, consentId };
    const { cursor } = after.connections.find(({ id }) => id === connectionId)!;
    const reading = {
      consent,
      windowFrom: this.#windowFrom(before),
      pendingSince: pendingSince(before),
      hasAllIds: cursor !== null,
      repeated: [...repeated.values()].flat(),
    };
    const now = expectAgreement(reading, before, after, truth);
    const formerRows = reading.windowFrom === null ? new Map<number, Set<string>>() : this.#formerRows;
    expectIdentity({ known: this.#known, before, after, truth }, now, {
      isWindow: reading.windowFrom !== null,
      hidesLinks,
      returnedBlankIds,
      formerRows,
    });
    expectBalances(reading, after, truth);
    for (const [root, { row }] of now)
      this.#formerRows.set(root, new Set([...(this.#formerRows.get(root) ?? []), row.id]));
    this.#known = new Map([...expectUnread(reading, { known: this.#known, after, truth }, now), ...now]);
    this.#consentId = consentId;
    const accountIds = [...accountsOf(consent, after).values()];
    this.#accountIds ??= accountIds;
    expect(accountIds.toSorted(), "accounts stay the same").toEqual(this.#accountIds.toSorted());
    expect(after.accounts).toHaveLength(accountIds.length);
  }

  /** The first requested day of a bank without a change feed. */
  #windowFrom(before: StoredLedger): string | null {
    const { feed, connectionId, consentId } = this.#world;
    if (feed === "cursor") return null;
    const cursor = before.connections.find(({ id }) => id === connectionId)?.cursor ?? null;
    const isAnew = cursor === null || this.#consentId !== consentId;
    const [from, days] = isAnew ? [purser.clock.now().toISOString(), 730] : [cursor, 14];
    return new Date(Date.parse(from.slice(0, 10)) - days * day).toISOString().slice(0, 10);
  }

  /** The ledger as its readers see it, and the number of reads without a user present. */
  async end(): Promise<void> {
    const { organizationId: teamId } = this.#world;
    const { rows, syncs } = this.#before;
    const listed = await bankingOf(this.#world).transactions.list({ teamId, limit: 1000 });
    const posted = rows.filter(({ status }) => status === "POSTED").map(({ id }) => id);
    expect(listed.map(({ id }) => id).toSorted()).toEqual(posted.toSorted());
    for (const [, ofOne] of Map.groupBy(syncs, ({ connectionId }) => connectionId)) {
      const reads = ofOne.filter(({ trigger }) => trigger === "SCHEDULE" || trigger === "WEBHOOK");
      for (const { startedAt, trigger } of reads) {
        const since = startedAt.getTime() - day;
        const within = reads.filter(
          (read) => read.startedAt <= startedAt && read.startedAt.getTime() > since,
        );
        if (trigger === "SCHEDULE")
          expect(within.length, "unattended reads in 24 hours").toBeLessThanOrEqual(4);
      }
    }
  }
}

/** The day of the oldest pending row of each account. */
function pendingSince({ rows }: StoredLedger): ReadonlyMap<string, string> {
  const pending = rows.filter(({ status }) => status === "PENDING");
  return new Map(
    pending
      .toSorted((a, b) => (a.transactionDate < b.transactionDate ? 1 : -1))
      .map(({ accountId, transactionDate }) => [accountId, transactionDate]),
  );
}

/** A failure changes nothing, nor does a success of a connection that no longer feeds any account. */
function expectUnchanged(connectionId: string, before: StoredLedger, after: StoredLedger): void {
  const state = ({ rows, accounts, quarantine, connections }: StoredLedger) => {
    const { cursor, syncedAt } = connections.find(({ id }) => id === connectionId)!;
    return { rows: rows.map(bankOwned), accounts, quarantine, cursor, syncedAt };
  };
  expect(state(after)).toEqual(state(before));
}

const bankOwned = ({ ownCategory: _category, note: _note, updatedAt: _at, ...row }: StoredRow) => row;
