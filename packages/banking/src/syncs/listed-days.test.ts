import { day } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TransactionData } from "../ports.ts";
import { type ScriptedTeam, createScriptedTeam, list, payment } from "../testing/scripted-bank.ts";

let team: ScriptedTeam;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
beforeEach(() => team.purser.clock.set("2026-03-02T09:00:00Z"));

const pending = (overrides = {}) => payment({ externalId: "p1", status: "PENDING", ...overrides });
const ids = async () => (await team.rows()).map(({ id }) => id);
const reasons = async () => (await team.quarantine()).map(({ reason }) => reason);

/** Syncs a bank that lists these transactions, and compares: each day has the bank's amounts, each once. */
async function expectSynced(...transactions: TransactionData[]): Promise<void> {
  Object.assign(team.script, list(transactions));
  expect(await team.sync()).toBe("ok");
  const listed = transactions.map(({ date, amount, type, currency, status }) =>
    [date, amount, type, currency, status].join(" "),
  );
  const stored = (await team.rows()).map(({ transactionDate, amount, type, currency, status }) =>
    [transactionDate, amount, type, currency, status].join(" "),
  );
  expect(stored.toSorted()).toEqual(listed.toSorted());
}

describe("a bank that lists days", () => {
  it("has one row for a posted transaction whose id and description change", async () => {
    await team.begin({ feed: "window" });
    await expectSynced(payment(), payment({ externalId: "t2", amount: 700 }));
    const before = await ids();
    await expectSynced(
      payment({ externalId: "n1", description: "Coffee shop" }),
      payment({ externalId: "t2", amount: 700 }),
    );
    expect(await ids()).not.toContain(before[0]);
    expect(await ids()).toContain(before[1]);
    expect(await reasons()).toEqual(["MISSING_FROM_WINDOW"]);
  });

  it("keeps the rows of transactions whose ids and descriptions all change, where the match is unambiguous", async () => {
    await team.begin({ feed: "window" });
    await expectSynced(payment(), payment({ externalId: "t2", amount: 700 }));
    const before = await ids();
    await expectSynced(
      payment({ externalId: "n1", description: "Coffee shop" }),
      payment({ externalId: "n2", description: "Tea house", amount: 700 }),
    );
    expect(await ids()).toEqual(before);
    expect(await reasons()).toEqual([]);
  });

  it("has one row for a posted transaction that changes its amount, its direction or its currency", async () => {
    await team.begin({ feed: "window" });
    await expectSynced(payment());
    for (const change of [{ amount: 501 }, { type: "CREDIT" as const }, { currency: "EUR" }]) {
      await expectSynced(payment(change));
      await expectSynced(payment());
    }
  });

  it("restores the same row when the bank lists it again, under its id or another one", async () => {
    await team.begin({ feed: "window" });
    await expectSynced(payment());
    const before = await ids();
    await expectSynced();
    expect(await reasons()).toEqual(["MISSING_FROM_WINDOW"]);
    await expectSynced(payment());
    expect(await ids()).toEqual(before);
    expect(await reasons()).toEqual([]);
    await expectSynced();
    await expectSynced(payment({ externalId: "n1" }));
    expect(await ids()).toEqual(before);
    expect(await reasons()).toEqual([]);
  });

  it("follows ids that are only positions in a list", async () => {
    const entry = (position: number, amount: number) =>
      payment({ externalId: String(position), amount, description: `NO ${amount}` });
    await team.begin({ feed: "window" });
    await expectSynced(entry(1, 100), entry(2, 200));
    const before = await ids();
    await expectSynced(entry(1, 300), entry(2, 100), entry(3, 200));
    expect((await ids()).slice(0, 2)).toEqual(before);
    await expectSynced(entry(1, 200), entry(2, 300));
    expect(await reasons()).toEqual(["MISSING_FROM_WINDOW"]);
  });

  it("changes nothing before the days that it lists", async () => {
    const old = payment({ externalId: "old", date: "2025-12-01" });
    await team.begin({ feed: "window" });
    await expectSynced(old, payment());
    team.purser.clock.advance(day);
    Object.assign(team.script, list([]));
    expect(await team.sync()).toBe("ok");
    expect((await team.rows()).map(({ externalId }) => externalId)).toEqual(["old"]);
  });

  it("has no pending transaction that was released after more than 14 days", async () => {
    const hold = pending({ date: "2026-03-01" });
    await team.begin({ feed: "window" });
    await expectSynced(hold);
    team.purser.clock.set("2026-03-16T09:00:00Z");
    await expectSynced(hold);
    team.purser.clock.set("2026-03-17T09:00:00Z");
    await expectSynced();
    expect(await reasons()).toEqual([]);
  });

  it("is read from its oldest pending transaction on, if every bank lists that day", async () => {
    const bank = list([pending({ date: "2026-01-10" }), pending({ externalId: "p2", date: "2025-11-01" })]);
    await team.begin({ feed: "window", transactions: bank.transactions });
    for (const now of ["2026-02-10T09:00:00Z", "2026-03-02T09:00:00Z"]) {
      team.purser.clock.set(now);
      expect(await team.sync()).toBe("ok");
    }
    expect(bank.requests.map(([, from]) => from)).toEqual(["2024-02-11", "2026-01-10"]);
    Object.assign(team.script, list([]));
    team.purser.clock.advance(day);
    expect(await team.sync()).toBe("ok");
    expect((await team.rows()).map(({ externalId }) => externalId)).toEqual(["p2"]);
  });

  it("lists a pending transaction that flips its direction", async () => {
    await team.begin({ feed: "window" });
    await expectSynced(pending({ amount: 0, type: "CREDIT" }));
    const before = await ids();
    await expectSynced(pending({ amount: 500, type: "DEBIT" }));
    await expectSynced(payment({ externalId: "p1", amount: 450 }));
    expect(await ids()).toEqual(before);
  });
});
