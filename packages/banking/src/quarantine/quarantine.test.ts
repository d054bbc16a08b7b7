import { newId } from "@purser/core";
import { day } from "@purser/core/testing";
import { bankQuarantine, bankSyncs, bankTransactions } from "@purser/db";
import { countWaitingForLocks, problemOf, refusalOf } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingTasks } from "../jobs.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  gate,
  leaveOut,
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

const banking = () => team.purser.as(team.owner).banking;
const entries = () => banking().quarantine.list({ teamId: team.teamId });
const resolve = (id: string, action: "accept" | "reject") =>
  banking().quarantine.resolve({ teamId: team.teamId, id, action });
const amounts = async () => (await team.rows()).map(({ amount }) => amount).toSorted((a, b) => a - b);
const count = async () => (await team.accounts())[0]!.transactionCount;

/** A posted transaction that the bank no longer lists for its day. */
async function missing(): Promise<string> {
  await team.begin({ feed: "window", ...list([payment(), payment({ externalId: "t2", amount: 700 })]) });
  await team.sync();
  Object.assign(team.script, list([payment()]));
  await team.sync();
  return (await entries())[0]!.id;
}

/** A posted transaction under the id of another one, as earlier versions left it out of the ledger. */
async function repeatedId(): Promise<string> {
  const other = payment({ amount: 900 });
  await team.begin({ feed: "window", ...list([payment()]) });
  await team.sync();
  const now = team.purser.clock.now();
  const accountId = (await team.accounts())[0]!.id;
  const id = newId("bqu", now);
  await team.purser.db.insert(bankQuarantine).values({
    organizationId: team.teamId,
    id,
    accountId,
    connectionId: team.connectionId,
    externalId: other.externalId!,
    transactionId: null,
    reason: "DIFFERENT_AMOUNT",
    report: JSON.stringify({ ...other, accountId }),
    firstSeenAt: now,
    lastSeenAt: now,
  });
  Object.assign(team.script, list([payment(), other]));
  return id;
}

/** A posted transaction that the bank reports with another amount. */
async function contradiction(): Promise<string> {
  await team.begin(log([{ added: [payment()] }]));
  await team.sync();
  Object.assign(team.script, log([{ modified: [payment({ amount: 900 })] }]));
  await team.sync();
  return (await entries())[0]!.id;
}

describe("banking.quarantine.list", () => {
  it("shows a transaction that contradicts the ledger, with exactly the documented fields", async () => {
    await contradiction();
    const now = team.purser.clock.now();
    expect(await entries()).toEqual([
      {
        id: expect.stringMatching(/^bqu_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
        connectionId: team.connectionId,
        accountId: (await team.accounts())[0]!.id,
        transactionId: (await team.rows())[0]!.id,
        externalId: "t1",
        reason: "DIFFERENT_AMOUNT",
        transaction: {
          amount: 900,
          currency: "GBP",
          type: "DEBIT",
          description: "COFFEE",
          transactionDate: new Date("2026-03-01T00:00:00.000Z"),
        },
        canAccept: true,
        problem: null,
        firstSeenAt: now,
        lastSeenAt: now,
      },
    ]);
  });

  it("shows a posted transaction as it was, and what cannot be read", async () => {
    await missing();
    expect(await entries()).toMatchObject([{ reason: "MISSING_FROM_WINDOW", transaction: { amount: 700 } }]);
    await team.begin();
    team.script.accounts = async (_access, report) => {
      leaveOut([{ kind: "account", accountId: "odd", externalId: null, problem: "no balance" }], report);
      return [];
    };
    await team.sync();
    expect(await entries()).toMatchObject([
      { accountId: null, externalId: "odd", reason: "UNREADABLE", transaction: null, problem: "no balance" },
    ]);
  });

  it("shows what has a reason of a later version, which cannot be accepted", async () => {
    const id = await contradiction();
    await team.purser.db.execute(sql`ALTER TABLE bank_quarantine DROP CONSTRAINT bank_quarantine_reason`);
    await team.purser.db.execute(sql`UPDATE bank_quarantine SET reason = 'ANOTHER_REASON' WHERE id = ${id}`);
    expect(await entries()).toMatchObject([
      { reason: "ANOTHER_REASON", transaction: null, canAccept: false },
    ]);
    expect(await refusalOf(resolve(id, "accept"))).toBe("VALIDATION_FAILED");
  });
});

describe("banking.quarantine.resolve", () => {
  it("accepts a missing transaction: it returns, and stays although the bank omits it", async () => {
    const id = await missing();
    expect(await amounts()).toEqual([500]);
    await resolve(id, "accept");
    expect([await amounts(), await count(), await entries()]).toEqual([[500, 700], 2, []]);
    expect(await team.sync()).toBe("ok");
    expect([await amounts(), await count(), await entries()]).toEqual([[500, 700], 2, []]);
    expect(await refusalOf(resolve(id, "reject"))).toBe("QUARANTINE_ENTRY_NOT_FOUND");
  });

  it("rejects a missing transaction: it stays out until the bank lists it again", async () => {
    const id = await missing();
    await resolve(id, "reject");
    expect(await team.sync()).toBe("ok");
    expect([await amounts(), await entries()]).toEqual([[500], []]);
    Object.assign(team.script, list([payment(), payment({ externalId: "t2", amount: 700 })]));
    expect(await team.sync()).toBe("ok");
    expect(await amounts()).toEqual([500, 700]);
  });

  it("accepts another amount of a posted transaction, which keeps its row", async () => {
    const id = await contradiction();
    const [before] = await team.rows();
    await resolve(id, "accept");
    expect(await team.rows()).toMatchObject([{ id: before!.id, externalId: "t1", amount: 900 }]);
    Object.assign(team.script, log([{ modified: [payment({ amount: 900, category: "FOOD" })] }]));
    expect(await team.sync()).toBe("ok");
    expect(await team.rows()).toMatchObject([{ amount: 900, category: "FOOD" }]);
  });

  it("accepts another amount, which the bank may correct or remove after the account is linked again", async () => {
    for (const listed of [[payment({ externalId: "n1", accountId: "renamed", amount: 950 })], []]) {
      await resolve(await contradiction(), "accept");
      expect(await amounts()).toEqual([900]);
      const earlier = payment({ externalId: "n0", accountId: "renamed", amount: 100, date: "2026-02-01" });
      Object.assign(team.script, log([{ added: [earlier, ...listed] }]), {
        accounts: async () => [bankAccount({ externalId: "renamed" })],
      });
      team.purser.clock.advance(1000);
      expect(await team.sync(await team.connect("second"))).toBe("ok");
      expect(await amounts()).toEqual([100, ...listed.map(({ amount }) => amount)]);
      expect(await entries()).toMatchObject([
        { reason: "MISSING_FROM_WINDOW", transaction: { amount: 900 } },
      ]);
    }
  });

  it("accepts a transaction under the id of another one, which the bank may remove at once", async () => {
    await resolve(await repeatedId(), "accept");
    expect(await amounts()).toEqual([500, 900]);
    Object.assign(team.script, list([payment({ externalId: "t2", amount: 600 })]));
    expect(await team.sync()).toBe("ok");
    expect(await amounts()).toEqual([600]);
    const left = (await entries()).map(({ reason, transaction }) => `${reason} ${transaction?.amount}`);
    expect(left.toSorted()).toEqual(["MISSING_FROM_WINDOW 500", "MISSING_FROM_WINDOW 900"]);
  });

  it("rejects another amount until the bank reports yet another one", async () => {
    await resolve(await contradiction(), "reject");
    for (const [amount, expected] of [
      [900, 0],
      [901, 1],
    ] as const) {
      Object.assign(team.script, log([{ modified: [payment({ amount })] }]));
      expect(await team.sync()).toBe("ok");
      expect(await entries()).toHaveLength(expected);
      expect(await amounts()).toEqual([500]);
    }
  });

  it("accepts a transaction under the id of another one: it stays while the bank lists both", async () => {
    await resolve(await repeatedId(), "accept");
    for (const syncs of [1, 2]) {
      expect([syncs, await team.sync()]).toEqual([syncs, "ok"]);
      expect([await amounts(), await count(), await entries()]).toEqual([[500, 900], 2, []]);
    }
    Object.assign(team.script, list([payment()]));
    expect(await team.sync()).toBe("ok");
    expect(await amounts()).toEqual([500]);
    expect(await entries()).toMatchObject([{ reason: "MISSING_FROM_WINDOW", transaction: { amount: 900 } }]);
  });

  it("has no entry any more about a transaction under the id of another one, once it is in the list", async () => {
    const id = await repeatedId();
    expect(await team.sync()).toBe("ok");
    expect([await amounts(), await entries()]).toEqual([[500, 900], []]);
    expect(await refusalOf(resolve(id, "accept"))).toBe("QUARANTINE_ENTRY_NOT_FOUND");
  });

  it("has no entry any more about an unreadable transaction, once it is in the list under the id of another one", async () => {
    const odd = {
      kind: "transaction",
      accountId: "current",
      externalId: "t1",
      problem: "no currency",
    } as const;
    await team.begin({ feed: "window" });
    team.script.transactions = async function* unreadable(_access, _account, _from, _signal, report) {
      leaveOut([odd], report);
      yield [];
    };
    expect(await team.sync()).toBe("ok");
    expect(await entries()).toMatchObject([{ reason: "UNREADABLE" }]);
    Object.assign(team.script, list([payment(), payment()]));
    expect(await team.sync()).toBe("ok");
    expect([await amounts(), await entries()]).toEqual([[500, 500], []]);
  });

  it("has no entry any more about a row that the bank has removed, and lists under another id", async () => {
    const id = await contradiction();
    const removed = [{ accountId: "current", externalId: "t1" }];
    const added = [payment({ externalId: "t2", amount: 900 })];
    Object.assign(team.script, log([{ removed, added }]));
    expect(await team.sync()).toBe("ok");
    expect([await amounts(), await entries()]).toEqual([[900], []]);
    expect(await refusalOf(resolve(id, "accept"))).toBe("QUARANTINE_ENTRY_NOT_FOUND");
  });

  it("does not accept another amount of a row that was removed", async () => {
    const id = await contradiction();
    await team.purser.db
      .update(bankTransactions)
      .set({ status: "REMOVED" })
      .where(eq(bankTransactions.organizationId, team.teamId));
    expect(await entries()).toMatchObject([{ id, canAccept: false }]);
    expect(await refusalOf(resolve(id, "accept"))).toBe("VALIDATION_FAILED");
    await resolve(id, "reject");
    expect([await amounts(), await entries()]).toEqual([[], []]);
  });

  it("waits for a sync of the connection that continues the account, so that a row is counted once", async () => {
    const id = await missing();
    const { purser, script, teamId } = team;
    const again = payment({ externalId: "n2", accountId: "other", amount: 700 });
    const added = payment({ externalId: "n3", accountId: "other", amount: 900 });
    const listed = [payment({ externalId: "n1", accountId: "other" })];
    Object.assign(script, list(listed), { accounts: async () => [bankAccount({ externalId: "other" })] });
    purser.clock.advance(1000);
    const second = await team.connect("second");
    // Otherwise the sync would lock the account for its balance.
    script.accounts = async (_access, report) => {
      leaveOut([{ kind: "account", accountId: "other", externalId: null, problem: "no balance" }], report);
      return [];
    };
    expect(await team.sync(second)).toBe("ok");
    const entry = { id, connectionId: team.connectionId };
    expect(await entries()).toContainEqual(expect.objectContaining(entry));
    Object.assign(script, list([...listed, again, added]));
    // An open transaction with the key of the new row: the sync has read the other rows, and waits before it writes them.
    const { arrived, pass, open } = gate();
    const ofTeam = eq(bankTransactions.organizationId, teamId);
    const [row] = await purser.db.select().from(bankTransactions).where(ofTeam).limit(1);
    const sameKey = { id: newId("btx", purser.clock.now()), connectionId: second, externalId: "n3" };
    const blocking = purser.db.transaction(async (transaction) => {
      await transaction.insert(bankTransactions).values({ ...row!, ...sameKey });
      await pass();
      transaction.rollback();
    });
    await arrived;
    const waiting = (calls: number) =>
      expect.poll(() => countWaitingForLocks(purser.db), { timeout: 20_000 }).toBe(calls);
    const syncing = team.sync(second);
    await waiting(1);
    const accepting = resolve(id, "accept").catch((error: unknown) => problemOf(error).code);
    await Promise.race([accepting, waiting(2)]);
    open();
    await expect(blocking).rejects.toThrow("Rollback");
    expect(await syncing).toBe("ok");
    const outcome = await accepting;
    expect([await amounts(), await count()]).toEqual([[500, 700, 900], 3]);
    // The sync has released the entry.
    expect(outcome).toBe("QUARANTINE_ENTRY_NOT_FOUND");
  });

  it("is for owners, refuses to accept what cannot be read, and writes an audit entry", async () => {
    await team.begin(log([{ added: [payment({ accountId: "other" })] }]));
    await team.sync();
    const [entry] = await entries();
    expect(entry).toMatchObject({ canAccept: false });
    expect(await refusalOf(resolve(entry!.id, "accept"))).toBe("VALIDATION_FAILED");
    expect(await refusalOf(resolve(team.purser.unknownId("bqu"), "accept"))).toBe(
      "QUARANTINE_ENTRY_NOT_FOUND",
    );
    await resolve(entry!.id, "reject");
    expect(await entries()).toEqual([]);
    const audit = await team.purser.as(team.owner).organizations.audit.list({ id: team.teamId });
    expect(audit).toContainEqual(
      expect.objectContaining({
        action: "banking.quarantine.resolve",
        subject: entry!.id,
        details: { action: "reject" },
      }),
    );
  });
});

describe("the retention of banking", () => {
  it("deletes entries that no sync has seen for a year, and syncs that ended 90 days ago", async () => {
    await missing();
    const { purser, teamId } = team;
    const left = async () => [
      await purser.db.$count(bankQuarantine, eq(bankQuarantine.organizationId, teamId)),
      await purser.db.$count(bankSyncs, eq(bankSyncs.organizationId, teamId)),
    ];
    const purge = () => Promise.all(bankingTasks(purser.platform).map((task) => task()));
    const [, syncs] = await left();
    purser.clock.advance(90 * day);
    await purge();
    expect(await left()).toEqual([1, syncs]);
    purser.clock.advance(1);
    await purge();
    expect(await left()).toEqual([1, 0]);
    purser.clock.advance(275 * day);
    await purge();
    expect(await left()).toEqual([0, 0]);
  });
});
