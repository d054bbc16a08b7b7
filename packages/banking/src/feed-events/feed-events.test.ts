import { eventTypes } from "@purser/core";
import { encodeWire } from "@purser/core/wire";
import { minute } from "@purser/core/testing";
import { events as eventTable } from "@purser/db";
import { openEventData } from "@purser/platform/events";
import { refusalOf } from "@purser/testing";
import { and, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTwice } from "../testing/linked-twice.ts";
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

const banking = (idempotencyKey: string | null = null) =>
  team.purser.as(team.owner, { idempotencyKey }).banking;
const types = eventTypes.filter((type) => type.startsWith("bank_"));
const actor = () => ({ id: team.owner.userId, name: expect.any(String) });
const midnight = (day: string) => new Date(`${day}T00:00:00.000Z`);

/** Runs something, and returns the events that it wrote, the oldest first. */
async function eventsOf(act: () => Promise<unknown>) {
  const read = () =>
    team.purser.as(team.owner).events.list({ organizationId: team.teamId, types, limit: 100 });
  const before = new Set((await read()).map(({ id }) => id));
  team.purser.clock.advance(minute);
  await act();
  return (await read()).filter(({ id }) => !before.has(id)).toReversed();
}

/** Runs something, and returns type, actor, subject and data of the events that it wrote. */
const eventDataOf = async (act: () => Promise<unknown>) =>
  (await eventsOf(act)).map(({ type, actor: by, subject: { id }, data }) => ({ type, actor: by, id, data }));

/** An event about an account, as its read procedure returns it now. */
async function ofAccount(type: string, by: unknown, accountId: string, details: object = {}) {
  const accounts = await banking().accounts.list({ teamId: team.teamId });
  const account = accounts.find(({ id }) => id === accountId);
  expect(account).toBeDefined();
  return { type, actor: by, id: accountId, data: { ...account, ...details } };
}

/** An event about the connection, as its read procedure returns it now. */
async function ofConnection(type: string, by: unknown, details: object = {}) {
  const connections = await banking().connections.list({ teamId: team.teamId });
  const connection = connections.find(({ id }) => id === team.connectionId);
  return { type, actor: by, id: team.connectionId, data: { ...connection, ...details } };
}

const none = { added: 0, modified: 0, removed: 0 };
const days = (first: string, last = first) => ({ firstDay: midnight(first), lastDay: midnight(last) });
const accountIds = async () => (await team.accounts()).map(({ id }) => id);
const sync = async () => expect(await team.sync()).toBe("ok");

/** A team that has synced these transactions. */
async function synced(...added: Parameters<typeof payment>[0][]): Promise<string> {
  team.purser.clock.set("2026-03-02T09:00:00Z");
  await team.begin(log([{ added: added.map((one) => payment(one)) }]));
  await sync();
  return (await accountIds())[0]!;
}

describe("bank_connection.connected and bank_account.updated", () => {
  it("report the connection and its new accounts once, although the request is repeated", async () => {
    team.purser.clock.set("2026-03-02T09:00:00Z");
    await team.begin();
    const { teamId } = team;
    team.script.accounts = async () => [bankAccount({ identifiers: [] })];
    const consent = { teamId, provider: "sandbox", providerId: "a-bank", consentId: "second" } as const;
    const events = await eventDataOf(async () => {
      for (let times = 2; times > 0; times -= 1)
        ({ id: team.connectionId } = await banking("key").connections.connect(consent));
    });
    const [, accountId] = await accountIds();
    expect(events).toEqual([
      await ofConnection("bank_connection.connected", actor()),
      await ofAccount("bank_account.updated", actor(), accountId!),
    ]);
    // The first sync finds the accounts as they are.
    expect(await eventDataOf(sync)).toEqual([await ofConnection("bank_connection.synced", null, none)]);
  });

  it("report what changed about an account, and nothing about one that stays", async () => {
    team.purser.clock.set("2026-03-02T09:00:00Z");
    const saver = bankAccount({ externalId: "saver", identifiers: ["bacs:2"], accountNumber: "2" });
    await team.begin({ accounts: async () => [bankAccount(), saver] });
    await sync();
    const [current] = await accountIds();
    const success = await ofConnection("bank_connection.synced", null, none);
    // A bank that leaves out the number for a while takes nothing back.
    const changes = [{ balance: 7 }, { availableBalance: 5 }, { name: "Main" }, { accountNumber: null }];
    const account = {};
    for (const change of changes) {
      const listed = bankAccount(Object.assign(account, change));
      team.script.accounts = async () => [listed, saver];
      const events = await eventDataOf(sync);
      const isShown = !("accountNumber" in change);
      const updated = isShown ? [await ofAccount("bank_account.updated", null, current!)] : [];
      expect(events).toEqual([...updated, success]);
      expect(await eventDataOf(sync)).toEqual([success]);
    }
    // The person closes an account, or no longer shares it.
    const [, savings] = await accountIds();
    for (const isListed of [false, true]) {
      team.script.accounts = async () => [bankAccount(account), ...(isListed ? [saver] : [])];
      const events = await eventDataOf(sync);
      expect(events).toEqual([
        await ofAccount("bank_account.updated", null, savings!, { isListed }),
        success,
      ]);
      expect(await eventDataOf(sync)).toEqual([success]);
    }
    // The connection's own event reports that its accounts are no longer read.
    const { teamId, connectionId } = team;
    const end = () => banking().connections.disconnect({ teamId, connectionId });
    const ended = await eventDataOf(async () => [await end(), await end()]);
    expect(ended).toEqual([await ofConnection("bank_connection.disconnected", actor())]);
  });
});

describe("bank_connection.synced and bank_transactions.changed", () => {
  it("report the counts once for all pages: of the sync, and of each account with the days", async () => {
    team.purser.clock.set("2026-03-02T09:00:00Z");
    const saver = bankAccount({ externalId: "saver", identifiers: ["bacs:2"], accountNumber: "2" });
    const pages = [
      { added: [payment(), payment({ externalId: "t2", date: "2026-02-03" })], hasMore: true },
      { added: [payment({ externalId: "t3", status: "PENDING", date: "2026-03-02" })], hasMore: true },
      { added: [payment({ accountId: "saver", externalId: "s1", date: "2026-01-15" })] },
    ];
    await team.begin({ accounts: async () => [bankAccount(), saver], ...log(pages) });
    const first = await eventDataOf(sync);
    const [current, savings] = await accountIds();
    const ofFirst = { ...none, added: 3, ...days("2026-02-03", "2026-03-02") };
    expect(first).toEqual([
      await ofAccount("bank_transactions.changed", null, current!, ofFirst),
      await ofAccount("bank_transactions.changed", null, savings!, {
        ...none,
        added: 1,
        ...days("2026-01-15"),
      }),
      await ofConnection("bank_connection.synced", null, { ...none, added: 4 }),
    ]);
    // The range has the earlier day of a transaction that moves to another one.
    const next = {
      added: [
        payment({ externalId: "t4", pendingExternalId: "t3", date: "2026-03-04" }),
        payment({ externalId: "t5", date: "2026-03-03" }),
      ],
      removed: [{ accountId: "current", externalId: "t1" }],
    };
    Object.assign(team.script, log([next]));
    const counts = { added: 1, modified: 1, removed: 1 };
    expect(await eventDataOf(sync)).toEqual([
      await ofAccount("bank_transactions.changed", null, current!, {
        ...counts,
        ...days("2026-03-01", "2026-03-04"),
      }),
      await ofConnection("bank_connection.synced", null, counts),
    ]);
    const [record] = await banking().syncs.list({ teamId: team.teamId, limit: 1 });
    expect(record).toMatchObject(counts);
    Object.assign(team.script, log([{}]));
    expect(await eventDataOf(sync)).toEqual([await ofConnection("bank_connection.synced", null, none)]);
  });

  it("are not written by a sync that fails", async () => {
    await synced({});
    const page = { added: [payment({ externalId: "t2" })], hasMore: true };
    Object.assign(team.script, log([page, new Error("The bank is on fire")]));
    const failed = await eventDataOf(team.sync);
    expect(failed).toEqual([
      await ofConnection("bank_connection.sync_failed", null, { error: expect.any(String) }),
    ]);
  });
});

describe("bank_transactions.changed", () => {
  it("reports the edit of a person once, and not one without a visible change", async () => {
    const accountId = await synced({ category: "FOOD", date: "2026-02-27" });
    const { teamId } = team;
    const [{ id: transactionId } = { id: "" }] = await banking().transactions.list({ teamId });
    const update = (patch: object, key: string | null = null) =>
      banking(key).transactions.update({ teamId, transactionId, ...patch });
    const edited = await eventDataOf(async () => {
      for (let times = 2; times > 0; times -= 1) await update({ note: "Lunch" }, "key");
      await update({ note: "Lunch" });
      await update({ category: "FOOD" });
      expect(await refusalOf(update({ note: "" }))).toBe("VALIDATION_FAILED");
    });
    const change = { ...none, modified: 1, ...days("2026-02-27") };
    expect(edited).toEqual([await ofAccount("bank_transactions.changed", actor(), accountId, change)]);
  });

  it("reports an accepted transaction, and not a rejected or unknown one", async () => {
    const accountId = await synced({});
    const entry = async (changed: object) => {
      Object.assign(team.script, changed);
      await sync();
      return (await banking().quarantine.list({ teamId: team.teamId }))[0]!.id;
    };
    const resolve = (id: string, action: "accept" | "reject") =>
      banking().quarantine.resolve({ teamId: team.teamId, id, action });
    const reported = (amount: number) => log([{ modified: [payment({ amount, date: "2026-02-28" })] }]);
    const rejected = await entry(reported(800));
    expect(await eventDataOf(() => resolve(rejected, "reject"))).toEqual([]);
    const other = await entry(reported(900));
    const change = { ...none, modified: 1, ...days("2026-02-28", "2026-03-01") };
    const event = async (details: object) => [
      await ofAccount("bank_transactions.changed", actor(), accountId, details),
    ];
    expect(await eventDataOf(() => resolve(other, "accept"))).toEqual(await event(change));
    expect(await eventDataOf(() => refusalOf(resolve(other, "accept")))).toEqual([]);
  });

  it("reports a missing transaction that an owner accepts as added", async () => {
    team.purser.clock.set("2026-03-02T09:00:00Z");
    await team.begin({ feed: "window", ...list([payment({ externalId: "t2" })]) });
    await sync();
    const [accountId] = await accountIds();
    Object.assign(team.script, list([]));
    const { teamId } = team;
    const counts = { ...none, removed: 1 };
    expect(await eventDataOf(sync)).toEqual([
      await ofAccount("bank_transactions.changed", null, accountId!, { ...counts, ...days("2026-03-01") }),
      await ofConnection("bank_connection.synced", null, counts),
    ]);
    const [entry] = await banking().quarantine.list({ teamId });
    const accept = () => banking().quarantine.resolve({ teamId, id: entry!.id, action: "accept" });
    const added = { ...none, added: 1, ...days("2026-03-01") };
    expect(await eventDataOf(accept)).toEqual([
      await ofAccount("bank_transactions.changed", actor(), accountId!, added),
    ]);
  });

  it("reports a merge: what leaves the account that ends, and what the continuing one gets", async () => {
    const coffee = { description: "COFFEE" };
    const { accountId, intoAccountId, secondConnection } = await linkTwice(
      team,
      [
        { ...coffee, externalId: "a1" },
        { externalId: "x", amount: 1, date: "2026-01-31" },
      ],
      [
        { ...coffee, externalId: "a2" },
        { externalId: "b2", amount: 700, date: "2026-02-01" },
        { externalId: "c2", amount: 800, date: "2026-03-02", status: "PENDING" },
      ],
    );
    const { teamId } = team;
    const listed = await banking().transactions.list({ teamId, accountId });
    const duplicate = listed.find(({ amount }) => amount === 500)!;
    await banking().transactions.update({ teamId, transactionId: duplicate.id, note: "Lunch" });
    const removed = await ofAccount("bank_transactions.changed", actor(), accountId, {
      ...none,
      removed: 3,
      ...days("2026-02-01", "2026-03-02"),
    });
    const pair = { teamId, accountId, intoAccountId };
    const merged = await eventDataOf(async () => {
      for (let times = 2; times > 0; times -= 1) await banking("key").accounts.merge(pair);
      expect(await refusalOf(banking().accounts.merge(pair))).toBe("BANK_ACCOUNT_NOT_FOUND");
    });
    expect(removed.data).toMatchObject({ connectionId: secondConnection });
    expect(merged).toEqual([
      await ofAccount("bank_account.updated", actor(), intoAccountId),
      removed,
      await ofAccount("bank_transactions.changed", actor(), intoAccountId, {
        ...none,
        added: 1,
        modified: 1,
        ...days("2026-02-01", "2026-03-01"),
      }),
    ]);
  });
});

describe("an event that an earlier version has stored", () => {
  it("is read although the account in it does not say whether the bank lists it", async () => {
    await synced({ externalId: "t1" });
    const { db, settings } = team.purser.platform;
    const ofAccounts = inArray(eventTable.type, ["bank_account.updated", "bank_transactions.changed"]);
    const rows = await db
      .select()
      .from(eventTable)
      .where(and(eq(eventTable.organizationId, team.teamId), ofAccounts));
    for (const row of rows) {
      const { isListed: _, ...data } = openEventData(settings.encryptionKeys, row) as Record<string, unknown>;
      await db
        .update(eventTable)
        .set({ data: JSON.stringify(encodeWire(data)) })
        .where(and(eq(eventTable.organizationId, team.teamId), eq(eventTable.id, row.id)));
    }
    const ids = new Set(rows.map(({ id }) => id));
    const found = async () => {
      const { events } = await team.purser.as(team.owner).events.feed({ organizationId: team.teamId });
      return events.filter(({ id }) => ids.has(id)).map(({ data }) => data);
    };
    // The feed holds events back while an earlier transaction runs, in another database of the server too.
    await expect.poll(found).toEqual(rows.map(() => expect.objectContaining({ isListed: true })));
    expect(rows.length).toBeGreaterThan(1);
  });
});
