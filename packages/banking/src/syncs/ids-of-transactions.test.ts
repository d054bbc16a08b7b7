import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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

/** The content of a row, without ids and times. */
const says = async () =>
  (await team.rows()).map(({ externalId, status, amount, description }) => [
    externalId,
    status,
    amount,
    description,
  ]);

const gone = (...externalIds: string[]) =>
  externalIds.map((externalId) => ({ accountId: "current", externalId }));

describe("a pending transaction that posts under a new id", () => {
  it("keeps its row by the bank's pending id, even if the pending one is removed on the same page", async () => {
    await team.begin(log([{ added: [pending()] }]));
    await team.sync();
    const before = await ids();
    const posted = payment({ externalId: "t1", pendingExternalId: "p1", amount: 650, date: "2026-03-09" });
    Object.assign(
      team.script,
      log([{ added: [posted], removed: [{ accountId: "current", externalId: "p1" }] }]),
    );
    await team.sync();
    expect(await ids()).toEqual(before);
    expect(await says()).toEqual([["t1", "POSTED", 650, "COFFEE"]]);
  });

  it("keeps its row if the pending one was removed in an earlier sync", async () => {
    await team.begin(log([{ added: [pending()] }]));
    await team.sync();
    const before = await ids();
    Object.assign(team.script, log([{ removed: [{ accountId: null, externalId: "p1" }] }]));
    await team.sync();
    expect(await ids()).toEqual([]);
    Object.assign(team.script, log([{ added: [payment({ pendingExternalId: "p1" })] }]));
    await team.sync();
    expect(await ids()).toEqual(before);
  });

  const changes: [string, object][] = [
    ["amount", { amount: 9999 }],
    ["direction", { type: "CREDIT" }],
    ["currency", { currency: "EUR" }],
  ];

  it.each(changes)(
    "is posted with another %s, under the same id or under one that the bank links",
    async (_what, change) => {
      await team.begin(log([{ added: [pending(), pending({ externalId: "p2" })] }]));
      await team.sync();
      const before = await ids();
      const posted = { ...change, date: "2026-03-03" };
      Object.assign(
        team.script,
        log([
          {
            added: [payment({ externalId: "t2", pendingExternalId: "p2", ...posted })],
            modified: [payment({ externalId: "p1", ...posted })],
            removed: [{ accountId: "current", externalId: "p2" }],
          },
        ]),
      );
      await team.sync();
      expect(await ids()).toEqual(before);
      expect(await team.rows()).toMatchObject([change, change]);
      expect((await team.rows()).map(({ status }) => status)).toEqual(["POSTED", "POSTED"]);
      expect(await team.quarantine()).toEqual([]);
    },
  );

  it("keeps its row under an id that a removed row had", async () => {
    await team.begin(log([{ added: [payment()] }]));
    await team.sync();
    Object.assign(team.script, log([{ added: [pending()], removed: gone("t1") }]));
    expect(await team.sync()).toBe("ok");
    const before = await ids();
    const posted = payment({ pendingExternalId: "p1", date: "2026-03-03" });
    Object.assign(team.script, log([{ added: [posted], removed: gone("p1") }]));
    expect(await team.sync()).toBe("ok");
    expect(await ids()).toEqual(before);
    expect(await team.rows()).toMatchObject([{ externalId: "t1", status: "POSTED" }]);
  });

  it("keeps its row without a pending id if exactly one row of its account and amount is gone", async () => {
    await team.begin(log([{ added: [pending(), pending({ externalId: "p2", amount: 900 })] }]));
    await team.sync();
    const before = await ids();
    const posted = payment({ externalId: "t1", date: "2026-03-09" });
    Object.assign(team.script, log([{ added: [posted], removed: gone("p1", "p2") }]));
    await team.sync();
    expect(await ids()).toEqual([before[0]]);
  });

  const others: [string, object, string[]][] = [
    ["if two rows match", { second: { externalId: "p2" } }, ["p1", "p2"]],
    ["after more than eight days", { posted: { date: "2026-03-10" } }, ["p1"]],
    ["with another amount", { posted: { amount: 501 } }, ["p1"]],
    ["with another direction", { posted: { type: "CREDIT" } }, ["p1"]],
    ["if the pending one still exists", {}, []],
  ];

  it.each(others)("is a new transaction %s", async (_title, overrides, removed) => {
    const { second = null, posted = {} } = overrides as { second?: object; posted?: object };
    await team.begin(log([{ added: [pending(), ...(second ? [pending(second)] : [])] }]));
    await team.sync();
    const before = await ids();
    const added = [payment({ externalId: "t1", ...posted })];
    Object.assign(team.script, log([{ added, removed: gone(...removed) }]));
    await team.sync();
    expect(before).not.toContain((await ids()).at(-1));
    expect((await team.rows()).at(-1)).toMatchObject({ externalId: "t1", status: "POSTED" });
  });

  it("keeps its row if the bank lists days and still lists another pending one of the same amount", async () => {
    const duplicate = pending({ externalId: "p2" });
    await team.begin({ feed: "window", ...list([pending(), duplicate]) });
    await team.sync();
    const before = await ids();
    Object.assign(team.script, list([payment({ externalId: "t1", date: "2026-03-02" }), duplicate]));
    await team.sync();
    expect(await ids()).toEqual(before);
    expect(await says()).toEqual([
      ["t1", "POSTED", 500, "COFFEE"],
      ["p2", "PENDING", 500, "COFFEE"],
    ]);
  });
});

describe("a transaction that the bank removes and lists again under another id", () => {
  it("keeps its row and what a person set", async () => {
    await team.begin(log([{ added: [payment()] }]));
    await team.sync();
    const before = await ids();
    const { purser, owner, teamId } = team;
    const { transactions, syncs } = purser.as(owner).banking;
    const personal = { category: "TEAM", note: "With the client" };
    await transactions.update({ teamId, transactionId: before[0]!, ...personal });
    Object.assign(team.script, log([{ added: [payment({ externalId: "t9" })], removed: gone("t1") }]));
    expect(await team.sync()).toBe("ok");
    expect(await ids()).toEqual(before);
    expect(await transactions.get({ teamId, transactionId: before[0]! })).toMatchObject(personal);
    expect((await syncs.list({ teamId }))[0]).toMatchObject({ added: 0, modified: 1, removed: 0 });
    Object.assign(team.script, log([{ removed: gone("t9") }]));
    await team.sync();
    expect(await ids()).toEqual([]);
  });

  it("keeps its row while it is pending", async () => {
    await team.begin(log([{ added: [pending()] }]));
    await team.sync();
    const before = await ids();
    Object.assign(team.script, log([{ added: [pending({ externalId: "p9" })], removed: gone("p1") }]));
    await team.sync();
    expect(await ids()).toEqual(before);
  });

  it("leaves the row to the transaction that the bank links to it", async () => {
    await team.begin(log([{ added: [pending()] }]));
    await team.sync();
    const before = await ids();
    const posted = payment({ externalId: "t1", pendingExternalId: "p1", date: "2026-03-03" });
    Object.assign(
      team.script,
      log([{ added: [pending({ externalId: "p9" }), posted], removed: gone("p1") }]),
    );
    await team.sync();
    expect((await team.rows()).map(({ id, externalId }) => [id === before[0], externalId])).toEqual([
      [true, "t1"],
      [false, "p9"],
    ]);
  });

  it.each([
    ["another amount", { amount: 501 }],
    ["another day", { date: "2026-03-02" }],
    ["another description", { description: "TEA" }],
  ])("is a new transaction with %s", async (_what, change) => {
    await team.begin(log([{ added: [payment()] }]));
    await team.sync();
    const before = await ids();
    const other = payment({ externalId: "t9", ...change });
    Object.assign(team.script, log([{ added: [other], removed: gone("t1") }]));
    await team.sync();
    expect(await ids()).not.toEqual(before);
    expect(await team.rows()).toMatchObject([{ externalId: "t9" }]);
  });
});

describe("ids of the bank that are wrong", () => {
  it("may exist in two accounts for two transactions", async () => {
    const saver = bankAccount({ externalId: "saver", type: "SAVINGS", identifiers: ["x:1"] });
    const added = [payment(), payment({ accountId: "saver", amount: 900 })];
    await team.begin({ accounts: async () => [bankAccount(), saver], ...log([{ added }]) });
    await team.sync();
    expect(await says()).toEqual([
      ["t1", "POSTED", 500, "COFFEE"],
      ["t1", "POSTED", 900, "COFFEE"],
    ]);
  });

  const contradictions: [string, object][] = [
    ["amount", { amount: 9999 }],
    ["direction", { type: "CREDIT" }],
    ["currency", { currency: "EUR" }],
  ];

  it.each(contradictions)(
    "are quarantined with another %s, and the row stays",
    async (_what, contradiction) => {
      await team.begin(log([{ added: [payment()] }]));
      await team.sync();
      const before = await team.rows();
      Object.assign(team.script, log([{ modified: [payment({ ...contradiction, description: "OTHER" })] }]));
      expect(await team.sync()).toBe("ok");
      expect(await team.rows()).toEqual(before);
      const [quarantined] = await team.quarantine();
      expect(quarantined).toMatchObject({ externalId: "t1", reason: "DIFFERENT_AMOUNT" });
      expect(JSON.parse(quarantined!.report)).toMatchObject(contradiction);

      Object.assign(team.script, log([{ modified: [payment({ category: "FOOD" })] }]));
      await team.sync();
      expect(await team.quarantine()).toEqual([]);
      expect(await team.rows()).toMatchObject([{ category: "FOOD", description: "COFFEE" }]);
    },
  );

  it("are quarantined if a page has two amounts for a pending one, though its amount may change between syncs", async () => {
    await team.begin(log([{ added: [pending(), pending({ amount: 900, description: "OTHER" })] }]));
    await team.sync();
    expect(await says()).toEqual([["p1", "PENDING", 500, "COFFEE"]]);
    expect(await team.quarantine()).toHaveLength(1);
    Object.assign(team.script, log([{ modified: [pending({ amount: 700 })] }]));
    await team.sync();
    expect(await says()).toEqual([["p1", "PENDING", 700, "COFFEE"]]);
    expect(await team.quarantine()).toEqual([]);
  });

  it("may differ in every read without counting a transaction twice", async () => {
    const named = (mark: string) =>
      list([
        payment({ externalId: `${mark}1` }),
        payment({ externalId: `${mark}2` }),
        payment({ externalId: `${mark}3`, amount: 700 }),
      ]);
    await team.begin({ feed: "window", ...named("a") });
    await team.sync();
    const before = await ids();
    for (const mark of ["b", "c"]) {
      Object.assign(team.script, named(mark));
      await team.sync();
      expect(await ids()).toEqual(before);
    }
    expect(await team.quarantine()).toEqual([]);
  });
});
