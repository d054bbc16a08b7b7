// @module-tag slow
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BankError } from "../ports.ts";
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

const pending = (overrides = {}) => payment({ externalId: "p1", status: "PENDING", ...overrides });
const ids = async () => (await team.rows()).map(({ id }) => id);

describe("transactions without an id", () => {
  const blank = (overrides = {}) => payment({ externalId: " ", ...overrides });

  it("are matched by content, and duplicates by their order", async () => {
    await team.begin({ feed: "window", ...list([blank(), blank(), blank({ amount: 700 })]) });
    await team.sync();
    const before = await ids();
    expect(before).toHaveLength(3);
    Object.assign(
      team.script,
      list([blank({ amount: 700 }), blank(), blank(), blank({ date: "2026-03-02" })]),
    );
    await team.sync();
    const after = await ids();
    expect(after.slice(0, 3)).toEqual(before);
    expect(after).toHaveLength(4);
    Object.assign(team.script, list([blank({ amount: 700 }), blank(), blank({ date: "2026-03-02" })]));
    await team.sync();
    expect(await ids()).toHaveLength(3);
  });

  it("keep their row when the bank later gives them an id", async () => {
    await team.begin(log([{ added: [blank(), blank()] }]));
    await team.sync();
    const before = await ids();
    // Changes cannot reference transactions without an id, so the log is read from its beginning.
    const { changes, requests } = log([{ added: [payment(), payment({ externalId: "t2" })] }]);
    Object.assign(team.script, { changes });
    await team.sync();
    expect(requests).toEqual([null]);
    expect(await ids()).toEqual(before);
    expect((await team.rows()).map(({ externalId }) => externalId)).toEqual(["t1", "t2"]);
  });
});

describe("linking again gives new ids to accounts and transactions", () => {
  const renamed = (overrides = {}) => bankAccount({ externalId: "renamed", ...overrides });

  /** Links the bank again as another connection, and syncs it. */
  async function linkAgain(): Promise<void> {
    team.purser.clock.advance(1000);
    expect(await team.sync(await team.connect("second"))).toBe("ok");
  }

  it("recognizes both: identical ones keep their rows, whether pending, posted or duplicates", async () => {
    const transactions = [
      payment(),
      payment({ externalId: "t2" }),
      payment({ externalId: "t3", description: "TEA" }),
      pending(),
    ];
    await team.begin(log([{ added: transactions }]));
    await team.sync();
    const [accounts, before] = [await team.accounts(), await team.rows()];
    // The same transactions, newest first, and a new one with the same amount as the pending one.
    const again = transactions
      .toReversed()
      .map((one) => ({ ...one, accountId: "renamed", externalId: `n-${one.externalId}` }));
    const bought = payment({ accountId: "renamed", externalId: "n-t4", date: "2026-03-02" });
    Object.assign(team.script, log([{ added: [bought, ...again] }]), { accounts: async () => [renamed()] });
    await linkAgain();
    expect((await team.accounts()).map(({ id }) => id)).toEqual(accounts.map(({ id }) => id));
    const after = await team.rows();
    const content = (row: (typeof after)[number]) => [
      row.id,
      row.status,
      row.description,
      row.transactionDate,
    ];
    expect(after.slice(0, 4).map(content)).toEqual(before.map(content));
    expect(after.slice(4)).toMatchObject([{ externalId: "n-t4" }]);
  });

  it("recognizes a transaction with a different description if the match is unambiguous", async () => {
    await team.begin(log([{ added: [payment(), payment({ externalId: "t2", amount: 700 })] }]));
    await team.sync();
    const before = await ids();
    const other = { accountId: "renamed", description: "Coffee shop" };
    const added = [
      payment({ ...other, externalId: "x" }),
      payment({ ...other, externalId: "y", amount: 700 }),
    ];
    Object.assign(team.script, log([{ added }]), { accounts: async () => [renamed()] });
    await linkAgain();
    expect(await ids()).toEqual(before);
  });

  describe("at a bank that adds earlier days later", () => {
    const old = payment({ externalId: "old", date: "2024-05-01", description: "RENT" });
    const reworded = payment({ externalId: "reworded", date: "2024-06-01", amount: 800 });
    const twice = [1, 2].map((number) => payment({ externalId: `twice-${number}`, date: "2024-07-01" }));
    const removed = payment({ externalId: "removed", date: "2024-08-01", amount: 900 });
    const recent = payment({ externalId: "recent", date: "2026-02-28" });
    const history = [old, reworded, ...twice, removed, recent];
    const relinked = (transactions: typeof history) =>
      transactions.map((one) => ({ ...one, accountId: "renamed", externalId: `n-${one.externalId}` }));

    async function relink(link: () => Promise<string>): Promise<string> {
      await team.begin({ isComplete: false, ...log([{ added: history }]) });
      await team.sync();
      team.purser.clock.advance(1000);
      Object.assign(team.script, { accounts: async () => [renamed()] });
      Object.assign(team.script, log([{ added: relinked([recent]), isHistoryComplete: false }]));
      return link();
    }

    const ways: [string, () => Promise<string>][] = [
      ["another connection", () => team.connect("second")],
      ["a new consent of the connection", async () => (await team.renew("second"), team.connectionId)],
    ];

    it.each(ways)("recognizes all of them under %s, in however many parts they come", async (_way, link) => {
      const connectionId = await relink(link);
      const before = await ids();
      expect(before).toHaveLength(6);
      expect(await team.sync(connectionId)).toBe("ok");
      expect(await ids()).toEqual(before);
      const bought = payment({ accountId: "renamed", externalId: "n-new", date: "2026-03-02" });
      const later = { ...relinked([reworded])[0]!, description: "Landlord" };
      Object.assign(team.script, log([{ added: [bought, ...relinked(twice)], isHistoryComplete: false }]));
      expect(await team.sync(connectionId)).toBe("ok");
      Object.assign(team.script, log([{ added: [later, ...relinked([old])] }]));
      expect(await team.sync(connectionId)).toBe("ok");
      const after = await team.rows();
      const expected = before.filter((_, index) => index !== 4);
      expect(after.map(({ id }) => id).slice(0, 5)).toEqual(expected);
      expect(after.map(({ externalId }) => externalId).toSorted()).toEqual(
        ["n-new", "n-old", "n-recent", "n-reworded", "n-twice-1", "n-twice-2"].toSorted(),
      );
      expect((await team.accounts())[0]).toMatchObject({ transactionCount: 6 });
    });

    it("counts a transaction once whose description changes before it is listed, whichever of two rows it had", async () => {
      const connectionId = await relink(() => team.connect("second"));
      await team.sync(connectionId);
      const before = await ids();
      const [one, other] = relinked(twice);
      const renamedOne = { ...one!, description: "Coffee shop" };
      Object.assign(team.script, log([{ added: [renamedOne], isHistoryComplete: false }]));
      expect(await team.sync(connectionId)).toBe("ok");
      expect(await ids()).toEqual(before);
      Object.assign(team.script, log([{ added: [renamedOne, other!] }]));
      expect(await team.sync(connectionId)).toBe("ok");
      const listed = (await team.rows()).filter(({ transactionDate }) => transactionDate === "2024-07-01");
      expect(listed.map(({ id }) => id)).toEqual(before.slice(2, 4));
      expect(listed.map(({ description }) => description).toSorted()).toEqual(["COFFEE", "Coffee shop"]);
    });

    it("removes what it no longer lists from the first day on that it lists, be that of a pending one", async () => {
      const connectionId = await relink(() => team.connect("second"));
      await team.sync(connectionId);
      const held = { ...relinked([pending({ date: "2024-05-01" })])[0]!, amount: 300 };
      Object.assign(team.script, log([{ added: [held, ...relinked(twice)] }]));
      expect(await team.sync(connectionId)).toBe("ok");
      const days = (await team.rows()).map(({ transactionDate }) => transactionDate);
      expect(days.toSorted()).toEqual(["2024-05-01", "2024-07-01", "2024-07-01", "2026-02-28"]);
    });

    it("adds a second purchase of the same price on a day that it has listed", async () => {
      const connectionId = await relink(() => team.connect("second"));
      await team.sync(connectionId);
      const again = { ...relinked([recent])[0]!, externalId: "n-again" };
      Object.assign(team.script, log([{ added: [again], isHistoryComplete: false }]));
      await team.sync(connectionId);
      expect(await ids()).toHaveLength(7);
    });
  });

  const strangers: [string, object][] = [
    ["of another type", { type: "SAVINGS" }],
    ["in another currency", { currency: "EUR" }],
    ["without permanent identifiers, even if its displayed number matches", { identifiers: [] }],
    ["with another number", { identifiers: ["bacs:010203/87654321"] }],
  ];

  it.each(strangers)("creates a new account for one %s", async (_which, overrides) => {
    await team.begin();
    await team.sync();
    const [before] = await team.accounts();
    Object.assign(team.script, { accounts: async () => [renamed(overrides)] });
    await linkAgain();
    const after = await team.accounts();
    expect(after).toHaveLength(2);
    expect(after[0]).toEqual(before);
  });

  it("creates new accounts for two that may both be the same known one", async () => {
    await team.begin();
    await team.sync();
    Object.assign(team.script, { accounts: async () => [renamed(), renamed({ externalId: "other" })] });
    await linkAgain();
    expect(await team.accounts()).toHaveLength(3);
  });

  it("does not match a new purchase to a removed one if the bank kept its ids", async () => {
    await team.begin(log([{ added: [payment(), payment({ externalId: "t2", description: "TEA" })] }]));
    await team.sync();
    const before = await ids();
    const bought = payment({ externalId: "t3", description: "CAKE" });
    Object.assign(
      team.script,
      log([new BankError("cursor_lost", "Forgotten"), { added: [payment(), bought] }]),
    );
    await team.sync();
    const after = await ids();
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });
});

describe("days of the bank", () => {
  it.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])(
    "are never shifted, even for a team in %s",
    async (timeZone) => {
      team.purser.clock.set("2026-03-01T23:59:59.999Z");
      await team.begin(log([{ added: [payment({ date: "2026-03-01" })] }]));
      const { purser, owner, teamId } = team;
      await purser.as(owner).organizations.settings.update({ id: teamId, timeZone });
      await team.sync();
      const [listed] = await purser.as(owner).banking.transactions.list({ teamId });
      expect(listed!.transactionDate).toEqual(new Date("2026-03-01T00:00:00.000Z"));
    },
  );
});

describe("columns that people edit", () => {
  it("stay, as do ids and creation times, whatever the bank changes in a row", async () => {
    const { db } = team.purser;
    await db.execute(sql`ALTER TABLE bank_accounts ADD COLUMN note text`);
    await team.begin(log([{ added: [pending()] }]));
    await team.sync();
    await db.execute(sql`UPDATE bank_transactions SET note = 'a lunch with Ada'`);
    await db.execute(sql`UPDATE bank_accounts SET note = 'for the office'`);
    const [before] = await team.rows();
    team.purser.clock.advance(1000);
    Object.assign(team.script, log([{ added: [payment({ pendingExternalId: "p1", category: "FOOD" })] }]), {
      accounts: async () => [bankAccount({ name: "Other", balance: 7 })],
    });
    await team.sync();
    Object.assign(team.script, log([{ removed: [{ accountId: "current", externalId: "t1" }] }]));
    await team.sync();
    Object.assign(team.script, log([{ added: [payment()] }]));
    await team.sync();
    const [after] = await team.rows();
    expect(after).toMatchObject({
      id: before!.id,
      createdAt: before!.createdAt,
      accountId: before!.accountId,
    });
    expect(
      await db.execute(sql`SELECT note FROM bank_transactions WHERE organization_id = ${team.teamId}`),
    ).toMatchObject([{ note: "a lunch with Ada" }]);
    expect(
      await db.execute(sql`SELECT note, name FROM bank_accounts WHERE organization_id = ${team.teamId}`),
    ).toMatchObject([{ note: "for the office", name: "Other" }]);
  });
});
