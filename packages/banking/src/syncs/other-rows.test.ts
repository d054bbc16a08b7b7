import { day } from "@purser/core/testing";
import { bankConnections } from "@purser/db";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bankingTasks } from "../jobs.ts";
import type { TransactionData } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  log,
  payment,
} from "../testing/scripted-bank.ts";

/** Rows that another connection has read, once this one lists the account from the beginning. See invariant 3. */

let team: ScriptedTeam;
beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
beforeEach(() => team.purser.clock.set("2026-03-02T09:00:00Z"));

const coffee = (externalId: string, overrides: Partial<TransactionData> = {}) =>
  payment({ externalId, ...overrides });
/** As another provider describes it. */
const reworded = (externalId: string) => coffee(externalId, { description: "Coffee Ltd" });
const atOther = (transactions: TransactionData[]) =>
  transactions.map((one) => ({ ...one, accountId: "other", externalId: `n-${one.externalId}` }));

/** Reads these transactions by a first connection, and by a second one that lists the account in its own way. */
async function linkAgain(first: TransactionData[], second: TransactionData[]): Promise<string> {
  await team.begin(log([{ added: first }]));
  expect(await team.sync()).toBe("ok");
  team.purser.clock.advance(1000);
  Object.assign(team.script, log([{ added: atOther(second) }]), {
    accounts: async () => [bankAccount({ externalId: "other" })],
  });
  const connectionId = await team.connect("second");
  expect(await team.sync(connectionId)).toBe("ok");
  return connectionId;
}

const ofCoffee = async () =>
  (await team.rows()).flatMap(({ amount, externalId }) => (amount === 500 ? [externalId] : [])).toSorted();
const missing = async () =>
  (await team.quarantine()).map(({ reason, externalId }) => `${reason} ${externalId}`);

describe("a posted row of another connection", () => {
  it("is removed if the bank lists it in other words, however many rows are before it", async () => {
    // The rows of March 1 are on both sides of the thousandth one.
    const earlier = Array.from({ length: 998 }, (_, index) =>
      payment({ externalId: `e${index}`, amount: 1000 + index, date: "2026-02-01" }),
    );
    await linkAgain([...earlier, coffee("a"), coffee("b")], [...earlier, reworded("a"), reworded("b")]);
    expect(await ofCoffee()).toEqual(["n-a", "n-b"]);
    expect(await missing()).toEqual([]);
  });

  it("goes into quarantine if the bank lists one less of its amount in other words", async () => {
    await linkAgain([coffee("a"), coffee("b")], [reworded("a")]);
    expect(await ofCoffee()).toEqual(["n-a"]);
    expect(await missing()).toEqual(["MISSING_FROM_WINDOW b"]);
  });

  it("goes into quarantine if the bank lists another row of its amount, which was there before", async () => {
    await linkAgain([coffee("a"), coffee("b")], [coffee("a")]);
    expect(await ofCoffee()).toEqual(["n-a"]);
    expect(await missing()).toEqual(["MISSING_FROM_WINDOW b"]);
  });

  it("stays or goes by the decision of the owner, also when the bank is read from the beginning again", async () => {
    const rent = payment({ externalId: "rent", amount: 90_000 });
    const taxi = payment({ externalId: "taxi", amount: 1500 });
    const second = await linkAgain([coffee("a"), rent, taxi], [coffee("a")]);
    const { purser, owner, teamId } = team;
    const { quarantine } = purser.as(owner).banking;
    const entries = await quarantine.list({ teamId });
    expect(entries).toHaveLength(2);
    for (const { id, transaction } of entries)
      await quarantine.resolve({ teamId, id, action: transaction!.amount === 1500 ? "accept" : "reject" });
    // A change feed sees the missing rows only when it is read from the beginning.
    purser.clock.advance(366 * day);
    for (const task of bankingTasks(purser.platform)) await task();
    await purser.db.update(bankConnections).set({ cursor: null });
    Object.assign(team.script, log([{ added: atOther([coffee("a")]) }]));
    expect(await team.sync(second)).toBe("ok");
    const amounts = new Set((await team.rows()).map(({ amount }) => amount));
    expect([amounts, await quarantine.list({ teamId })]).toEqual([new Set([500, 1500]), []]);
  });

  it("is removed if the bank lists it again in the words of an earlier row, which returns", async () => {
    const second = await linkAgain([coffee("a"), coffee("b")], [reworded("a"), reworded("b")]);
    const { purser, owner, teamId, connectionId } = team;
    await purser.as(owner).banking.connections.disconnect({ teamId, connectionId: second });
    Object.assign(team.script, log([{ added: [coffee("a"), coffee("b")] }]), {
      accounts: async () => [bankAccount()],
    });
    expect(await team.sync(connectionId)).toBe("ok");
    expect(await ofCoffee()).toEqual(["a", "b"]);
    expect(await missing()).toEqual([]);
  });
});
