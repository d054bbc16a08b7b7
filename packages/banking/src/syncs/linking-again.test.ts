import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BankError } from "../ports.ts";
import {
  type ScriptedTeam,
  account,
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

const pending = (facts = {}) => payment({ externalId: "p1", status: "PENDING", ...facts });
const ids = async () => (await team.rows()).map(({ id }) => id);

describe("pitfall 5: transactions without an id", () => {
  const blank = (facts = {}) => payment({ externalId: " ", ...facts });

  it("are matched by content, and twins by their order", async () => {
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
    const { changes, asked } = log([{ added: [payment(), payment({ externalId: "t2" })] }]);
    Object.assign(team.script, { changes });
    await team.sync();
    expect(asked).toEqual([null]);
    expect(await ids()).toEqual(before);
    expect((await team.rows()).map(({ externalId }) => externalId)).toEqual(["t1", "t2"]);
  });
});

describe("pitfall 6: linking again gives new ids to accounts and transactions", () => {
  const renamed = (facts = {}) => account({ externalId: "renamed", ...facts });

  /** Links the bank again as another connection, and syncs it. */
  async function linkAgain(): Promise<void> {
    team.purser.clock.advance(1000);
    expect(await team.sync(await team.connect("second"))).toBe("ok");
  }

  it("recognizes both: identical ones keep their rows, whether pending, posted or twins", async () => {
    const told = [
      payment(),
      payment({ externalId: "t2" }),
      payment({ externalId: "t3", description: "TEA" }),
      pending(),
    ];
    await team.begin(log([{ added: told }]));
    await team.sync();
    const [accounts, before] = [await team.accounts(), await team.rows()];
    // The same transactions, newest first, and a new one with the same amount as the pending one.
    const again = told
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

  const strangers: [string, object][] = [
    ["of another type", { type: "SAVINGS" }],
    ["in another currency", { currency: "EUR" }],
    ["without permanent identifiers, even if its displayed number matches", { identifiers: [] }],
    ["with another number", { identifiers: ["bacs:010203/87654321"] }],
  ];

  it.each(strangers)("creates a new account for one %s", async (_which, facts) => {
    await team.begin();
    await team.sync();
    const [before] = await team.accounts();
    Object.assign(team.script, { accounts: async () => [renamed(facts)] });
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

describe("pitfall 7: days of the bank", () => {
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

describe("pitfall 11: what people edited", () => {
  it("stay, as do ids and creation times, whatever the bank changes in a row", async () => {
    const { db } = team.purser;
    await db.execute(sql`ALTER TABLE bank_transactions ADD COLUMN note text`);
    await db.execute(sql`ALTER TABLE bank_accounts ADD COLUMN note text`);
    await team.begin(log([{ added: [pending()] }]));
    await team.sync();
    await db.execute(sql`UPDATE bank_transactions SET note = 'a lunch with Ada'`);
    await db.execute(sql`UPDATE bank_accounts SET note = 'for the office'`);
    const [before] = await team.rows();
    team.purser.clock.advance(1000);
    Object.assign(team.script, log([{ added: [payment({ pendingExternalId: "p1", category: "FOOD" })] }]), {
      accounts: async () => [account({ name: "Other", balance: 7 })],
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
