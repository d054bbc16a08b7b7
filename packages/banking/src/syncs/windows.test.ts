import { day } from "@purser/core/testing";
import { bankConnections } from "@purser/db";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BankError, type TransactionData } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  list,
  payment,
} from "../testing/scripted-bank.ts";

let team: ScriptedTeam;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
beforeEach(() => team.purser.clock.set("2026-03-02T09:00:00Z"));

const old = payment({ externalId: "old", amount: 1, date: "2024-05-01" });
const recent = payment({ externalId: "recent", amount: 2, date: "2026-02-20" });

/** A bank that refuses days before this one, and records the requested days. */
function refusingBefore(first: string, transactions: TransactionData[]) {
  const bank = list(transactions);
  return {
    requests: bank.requests,
    async *transactions(...request: Parameters<typeof bank.transactions>) {
      if (request[2] < first) {
        bank.requests.push([request[1], request[2]]);
        throw new BankError("history_unavailable", "The sign-in is too long ago");
      }
      yield* bank.transactions(...request);
    },
  };
}

/** Lets the next sync read the whole history again, as after a new consent. */
async function forgetCursor(): Promise<void> {
  const theConnection = eq(bankConnections.id, team.connectionId);
  await team.purser.db.update(bankConnections).set({ cursor: null }).where(theConnection);
}

const amounts = async () => (await team.rows()).map(({ amount }) => amount);

describe("a bank that refuses old days", () => {
  it("is read for the days that every bank lists, and requires no user", async () => {
    const bank = refusingBefore("2025-12-04", [old, recent]);
    await team.begin({ feed: "window", transactions: bank.transactions });
    await team.purser.drain();
    team.purser.mails.length = 0;
    expect(await team.sync()).toBe("ok");
    expect(bank.requests.slice(0, 2)).toEqual([
      ["current", "2024-03-02"],
      ["current", "2025-12-04"],
    ]);
    expect(await amounts()).toEqual([2]);
    await team.purser.drain();
    expect(team.purser.mails).toEqual([]);
  });

  it("does not make the old rows of the ledger missing", async () => {
    await team.begin({ feed: "window", ...list([old, recent]) });
    await team.sync();
    await forgetCursor();
    team.script.transactions = refusingBefore("2025-12-04", [recent]).transactions;
    expect(await team.sync()).toBe("ok");
    expect(await amounts()).toEqual([1, 2]);
    expect(await team.quarantine()).toEqual([]);
  });
});

describe("a bank that silently lists less history than before", () => {
  it("does not make the rows before its first day missing, but those after it", async () => {
    const middle = payment({ externalId: "middle", amount: 3, date: "2025-06-01" });
    const later = payment({ externalId: "later", amount: 4, date: "2025-07-01" });
    await team.begin({ feed: "window", ...list([old, middle, later, recent]) });
    await team.sync();
    await forgetCursor();
    Object.assign(team.script, list([middle, recent]));
    await team.sync();
    expect((await team.quarantine()).map(({ externalId }) => externalId)).toEqual(["later"]);
  });
});

describe("an account that appears later at a bank that is read by days", () => {
  it("is the only one that is read from the beginning", async () => {
    await team.begin({ feed: "window", ...list([recent]) });
    await team.sync();
    team.purser.clock.advance(day);
    const saver = bankAccount({ externalId: "saver", type: "SAVINGS", identifiers: ["x:1"] });
    const bank = list([recent, payment({ accountId: "saver", amount: 5, date: "2024-06-01" })]);
    Object.assign(team.script, {
      transactions: bank.transactions,
      accounts: async () => [bankAccount(), saver],
    });
    expect(await team.sync()).toBe("ok");
    expect(bank.requests).toEqual([
      ["current", "2026-02-16"],
      ["saver", "2024-03-03"],
    ]);
    expect(await amounts()).toEqual([2, 5]);
  });
});
