import { day, hour, minute } from "@purser/core/testing";
import { bankConnections, bankSyncs } from "@purser/db";
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BankError, type BankErrorKind } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  list,
  log,
  payment,
} from "../testing/scripted-bank.ts";

let team: ScriptedTeam;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
beforeEach(() => team.purser.clock.set("2026-03-02T09:00:00Z"));

const failure = (kind: BankErrorKind) => new BankError(kind, "The bank says so");

async function connection() {
  const { db } = team.purser;
  const [row] = await db.select().from(bankConnections).where(eq(bankConnections.id, team.connectionId));
  return row!;
}

async function lastSync() {
  const ofTeam = eq(bankSyncs.organizationId, team.teamId);
  const [row] = await team.purser.db
    .select()
    .from(bankSyncs)
    .where(ofTeam)
    .orderBy(desc(bankSyncs.id))
    .limit(1);
  return row!;
}

const amounts = async () => (await team.rows()).map(({ amount }) => amount);

/** Everything that a failure must not change. */
async function state() {
  const { cursor, syncedAt } = await connection();
  return { rows: await team.rows(), accounts: await team.accounts(), cursor, syncedAt };
}

describe("the bank's data changes between two pages", () => {
  it("restarts from the first page's cursor, and discards the pages that were read before", async () => {
    await team.begin();
    await team.sync();
    const begin = (await connection()).cursor;
    const { changes, requests } = log([
      { added: [payment({ externalId: "moved", amount: 1 })], hasMore: true, cursor: "a" },
      failure("mutated"),
      { added: [payment({ externalId: "t1", amount: 2 })], hasMore: true, cursor: "b" },
      { added: [payment({ externalId: "t2", amount: 3 })], cursor: "end" },
    ]);
    Object.assign(team.script, { changes });
    expect(await team.sync()).toBe("ok");
    expect(requests).toEqual([begin, "a", begin, "b"]);
    expect(await amounts()).toEqual([2, 3]);
    expect((await connection()).cursor).toBe("end");
  });

  it("fails if the data keeps changing, and later continues from the same cursor", async () => {
    await team.begin();
    await team.sync();
    const before = await state();
    const { changes, requests } = log(Array.from({ length: 9 }, () => failure("mutated")));
    Object.assign(team.script, { changes });
    expect(await team.sync()).toBe("PROVIDER_ERROR");
    expect(requests).toEqual(Array.from({ length: 5 }, () => before.cursor));
    expect(await state()).toEqual(before);
  });

  it("compares with the full set if the cursor is lost, because the bank does not report removals then", async () => {
    const added = [payment({ externalId: "stays" }), payment({ externalId: "goes", amount: 700 })];
    await team.begin({ changes: log([{ added }]).changes });
    await team.sync();
    const [stays] = await team.rows();
    const { changes, requests } = log([failure("cursor_lost"), { added: [added[0]!], cursor: "new" }]);
    Object.assign(team.script, { changes });
    expect(await team.sync()).toBe("ok");
    expect(requests).toEqual(["c1", null]);
    expect(await team.rows()).toEqual([stays]);
    expect(await lastSync()).toMatchObject({ added: 0, modified: 0, removed: 1 });
  });

  it("removes nothing before the first day of an incomplete full set", async () => {
    const old = payment({ externalId: "old", date: "2025-01-01" });
    const gone = payment({ externalId: "gone", date: "2026-02-20", amount: 700 });
    const stays = payment({ externalId: "stays", date: "2026-02-10", amount: 800 });
    await team.begin({ isComplete: false, changes: log([{ added: [old, gone, stays] }]).changes });
    await team.sync();
    Object.assign(team.script, log([failure("cursor_lost"), { added: [stays] }]));
    expect(await team.sync()).toBe("ok");
    expect((await team.rows()).map(({ externalId }) => externalId)).toEqual(["old", "stays"]);
  });

  it("removes nothing if the bank no longer grants transactions", async () => {
    await team.begin({ changes: log([{ added: [payment()] }]).changes });
    await team.sync();
    Object.assign(team.script, log([{}]), { granted: ["accounts", "balances"] });
    team.purser.clock.advance(1000);
    const renewed = await team.connect("second");
    expect(await team.sync(renewed)).toBe("ok");
    expect(await amounts()).toEqual([500]);
  });
});

describe("a history that is not ready", () => {
  it("is not a success: nothing is stored, and a retry follows soon", async () => {
    await team.begin({ changes: log([failure("not_ready")]).changes });
    const before = await state();
    expect(await team.sync()).toBe("UNAVAILABLE");
    expect(await state()).toEqual(before);
    expect(before).toMatchObject({ cursor: null, syncedAt: null });
    const soon = new Date(team.purser.clock.now().getTime() + 2 * minute);
    expect((await connection()).nextSyncAt).toEqual(soon);
    Object.assign(team.script, log([{ added: [payment()] }]));
    expect(await team.sync()).toBe("ok");
    expect(await amounts()).toEqual([500]);
  });

  it("is no failure of the connection in the first hour of a consent, because every new one begins so", async () => {
    const notReady = Array.from({ length: 4 }, () => failure("not_ready"));
    await team.begin({ changes: log(notReady).changes });
    const { purser, owner, teamId } = team;
    const shown = async () => (await purser.as(owner).banking.connections.health({ teamId }))[0];
    const failed = () =>
      purser.as(owner).events.list({ organizationId: teamId, types: ["bank_connection.sync_failed"] });
    for (const wait of [0, 2 * minute, hour - 2 * minute - 1]) {
      purser.clock.advance(wait);
      expect(await team.sync()).toBe("UNAVAILABLE");
      const nextSyncAt = new Date(purser.clock.now().getTime() + 2 * minute);
      expect(await shown()).toMatchObject({ status: "syncing", reason: null, nextSyncAt });
    }
    expect(await connection()).toMatchObject({ failures: 0 });
    expect(await failed()).toEqual([]);
    purser.clock.advance(1);
    expect(await team.sync()).toBe("UNAVAILABLE");
    expect(await shown()).toMatchObject({ status: "failing", reason: "UNAVAILABLE" });
    expect(await failed()).toHaveLength(1);
  });
});

describe("banks that list transactions by day", () => {
  const before = (days: number) =>
    new Date(team.purser.clock.now().getTime() - days * day).toISOString().slice(0, 10);

  it("are read again for the last fourteen days before the last success", async () => {
    await team.begin({ feed: "window" });
    await team.sync();
    team.purser.clock.advance(3 * day);
    const { transactions, requests } = list([]);
    Object.assign(team.script, { transactions });
    await team.sync();
    expect(requests).toEqual([["current", before(17)]]);
  });

  it("remove missing transactions; posted ones are quarantined, and return with their row when they are listed again", async () => {
    const pending = payment({ externalId: "p", status: "PENDING", amount: 1 });
    const posted = payment({ externalId: "b", amount: 2 });
    const earlier = payment({ externalId: "e", amount: 3, date: before(40) });
    await team.begin({ feed: "window", ...list([pending, posted, earlier]) });
    await team.sync();
    const [, postedRow, earlierRow] = await team.rows();
    Object.assign(team.script, list([]));
    expect(await team.sync()).toBe("ok");
    expect(await team.rows()).toEqual([earlierRow]);
    expect(await team.quarantine()).toMatchObject([
      { externalId: "b", transactionId: postedRow!.id, reason: "MISSING_FROM_WINDOW" },
    ]);
    expect(await lastSync()).toMatchObject({ removed: 2 });
    expect((await team.accounts())[0]!.transactionCount).toBe(1);

    Object.assign(team.script, list([posted]));
    await team.sync();
    expect(await team.quarantine()).toEqual([]);
    expect(await team.rows()).toEqual([postedRow, earlierRow]);
    expect((await team.accounts())[0]!.transactionCount).toBe(2);
  });
});

describe("a history that can be read only right after the consent", () => {
  it("is read first, as soon as the bank is connected", async () => {
    const { transactions, requests } = list([payment({ date: "2024-03-05" })]);
    await team.begin({ feed: "window", transactions });
    await team.purser.drain();
    expect(requests).toEqual([["current", "2024-03-02"]]);
    expect(await amounts()).toEqual([500]);
  });

  it("is read just as far back for an account that appears later", async () => {
    await team.begin({ feed: "window" });
    await team.sync();
    const saver = bankAccount({ externalId: "saver", type: "SAVINGS", identifiers: ["x:1"] });
    const { transactions, requests } = list([payment({ accountId: "saver", date: "2024-06-01" })]);
    Object.assign(team.script, { transactions, accounts: async () => [bankAccount(), saver] });
    await team.sync();
    expect(requests).toContainEqual(["saver", "2024-03-02"]);
    expect(await amounts()).toEqual([500]);
  });
});

describe("an error that looks like an empty success", () => {
  const sources: [string, BankErrorKind, string][] = [
    ["consentStatus", "outage", "PROVIDER_ERROR"],
    ["accounts", "rate_limited", "PROVIDER_ERROR"],
    ["changes", "outage", "PROVIDER_ERROR"],
    ["changes", "reauthorization_required", "REAUTHORIZATION_REQUIRED"],
    ["accounts", "consent_not_found", "REAUTHORIZATION_REQUIRED"],
  ];

  it.each(sources)("of %s changes nothing and is recorded (%s)", async (call, kind, code) => {
    await team.begin({ changes: log([{ added: [payment()] }]).changes });
    await team.sync();
    const before = await state();
    const refuse = async () => {
      throw failure(kind);
    };
    Object.assign(team.script, { [call]: refuse });
    expect(await team.sync()).toBe(code);
    expect(await state()).toEqual(before);
    expect(await lastSync()).toMatchObject({ status: "FAILED", errorCode: code, added: 0, removed: 0 });
    expect(await connection()).toMatchObject({ failures: 1 });
  });

  it("in one account of several leaves the others unchanged, too", async () => {
    const saver = bankAccount({ externalId: "saver", type: "SAVINGS", identifiers: ["x:1"] });
    await team.begin({ feed: "window", accounts: async () => [bankAccount(), saver] });
    await team.sync();
    const before = await state();
    Object.assign(team.script, {
      async *transactions(_access: unknown, accountId: string) {
        if (accountId === "saver") throw failure("outage");
        yield [payment()];
      },
    });
    expect(await team.sync()).toBe("PROVIDER_ERROR");
    expect(await state()).toEqual(before);
  });

  it("of a feed that makes no progress is reported", async () => {
    await team.begin();
    await team.sync();
    const { cursor } = await connection();
    Object.assign(team.script, log([{ added: [payment()], hasMore: true, cursor: cursor! }]));
    expect(await team.sync()).toBe("PROVIDER_ERROR");
    expect(await team.rows()).toEqual([]);
  });
});
