import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TransactionData } from "../ports.ts";
import { type ScriptedTeam, bankAccount, createScriptedTeam, payment } from "../testing/scripted-bank.ts";

let team: ScriptedTeam;
beforeAll(async () => void (team = await createScriptedTeam()));
afterAll(() => team.purser.close());

const banking = () => team.purser.as(team.owner).banking;
const contents = async () =>
  (await team.rows())
    .map(({ transactionDate, amount, description }) => `${transactionDate} ${amount} ${description}`)
    .toSorted();

/** What the bank has of each of its accounts. */
const ledger: Record<string, Partial<TransactionData>[]> = {
  lost: [
    { externalId: "l1", amount: 300, description: "TAXI", date: "2026-02-26" },
    { externalId: "l2", amount: 700, description: "HOTEL", date: "2026-02-28" },
  ],
  replacement: [
    { externalId: "r1", amount: 100, description: "TEA", date: "2026-02-27" },
    { externalId: "r2", amount: 200, description: "CAKE", date: "2026-03-01" },
  ],
};
const both = ["2026-02-26 300 TAXI", "2026-02-27 100 TEA", "2026-02-28 700 HOTEL", "2026-03-01 200 CAKE"];

/** A connection whose bank has replaced an account by another one. */
async function replaceAccount(feed: "cursor" | "window", isComplete: boolean) {
  team.purser.clock.set("2026-03-02T09:00:00Z");
  let accountId = "lost";
  const listed = () => ledger[accountId]!.map((one) => payment({ ...one, accountId }));
  await team.begin({
    feed,
    isComplete,
    accounts: async () => [bankAccount({ externalId: accountId, identifiers: [] })],
    changes: async (_access, cursor) => ({
      added: cursor === accountId ? [] : listed(),
      modified: [],
      removed: [],
      hasMore: false,
      cursor: accountId,
    }),
    async *transactions(_access, _account, from) {
      yield listed().filter(({ date }) => date >= from);
    },
  });
  expect(await team.sync()).toBe("ok");
  accountId = "replacement";
  team.purser.clock.advance(1000);
  expect(await team.sync()).toBe("ok");
  const [lost, replacement] = await team.accounts();
  return { lost: lost!.id, replacement: replacement!.id };
}

describe.each([
  ["a complete change feed", "cursor", true],
  ["a change feed of limited history", "cursor", false],
  ["a bank that is read by days", "window", false],
] as const)("an account that replaces another one of its connection, at %s", (_name, feed, isComplete) => {
  it.each([
    ["lost", "replacement"],
    ["replacement", "lost"],
  ] as const)("has the transactions of both once the %s one is merged into the %s", async (from, into) => {
    const accounts = await replaceAccount(feed, isComplete);
    const pair = { accountId: accounts[from], intoAccountId: accounts[into] };
    await banking().accounts.merge({ teamId: team.teamId, ...pair });
    expect(await contents()).toEqual(both);
    await team.purser.drain();
    expect(await team.sync()).toBe("ok");
    expect([await contents(), await banking().quarantine.list({ teamId: team.teamId })]).toEqual([both, []]);
  });
});
