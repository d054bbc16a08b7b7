import { day } from "@purser/core/testing";
import { bankAccountSources, bankConnections } from "@purser/db";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BankError, type TransactionData } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  gate,
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

it("a bank is read as one of the country that its account numbers tell", async () => {
  const german = bankAccount({ identifiers: ["iban:DE89370400440532013000"] });
  const countries: unknown[] = [];
  await team.begin({
    feed: "window",
    accounts: async () => [german],
    async *transactions({ country }) {
      countries.push(country);
      yield [];
    },
  });
  expect(await team.sync()).toBe("ok");
  expect(new Set(countries)).toEqual(new Set(["DE"]));
});

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

  it("is asked for them again only once a user is present, who may have signed in there", async () => {
    const [open, refusing] = [list([old, recent]), refusingBefore("2025-12-04", [old, recent])];
    await team.begin({
      feed: "window",
      transactions: (access, ...request) =>
        (access.personAddress === undefined ? refusing : open).transactions(access, ...request),
    });
    const { purser, owner, teamId, connectionId } = team;
    await purser.drain();
    await purser.as(owner).banking.connections.sync({ teamId, connectionId });
    expect(refusing.requests).toEqual([
      ["current", "2024-03-02"],
      ["current", "2025-12-04"],
      ["current", "2026-02-16"],
    ]);
    expect(await amounts()).toEqual([2]);
    for (const _sync of ["first", "second"]) expect(await team.sync()).toBe("ok");
    expect(open.requests).toEqual([
      ["current", "2024-03-02"],
      ["current", "2026-02-16"],
    ]);
    expect(await amounts()).toEqual([2, 1]);
  });

  it("is asked for them again also where the last sync is longer ago than it lists", async () => {
    const bank = list([recent]);
    await team.begin({ feed: "window", ...bank });
    expect(await team.sync()).toBe("ok");
    team.purser.clock.advance(150 * day);
    const between = payment({ externalId: "between", amount: 3, date: "2026-04-01" });
    const refusing = refusingBefore("2026-05-03", [recent, between]);
    team.script.transactions = refusing.transactions;
    expect(await team.sync()).toBe("ok");
    expect(await amounts()).toEqual([2]);
    Object.assign(team.script, list([recent, between]));
    expect(await team.sync()).toBe("ok");
    expect(await amounts()).toEqual([2, 3]);
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

const saver = bankAccount({ externalId: "saver", type: "SAVINGS", identifiers: ["x:1"] });
const saved = payment({ accountId: "saver", amount: 5, date: "2024-06-01" });

describe("an account that appears later at a bank that is read by days", () => {
  const onlySaver = [
    ["current", "2026-02-16"],
    ["saver", "2024-03-03"],
  ];

  beforeEach(async () => {
    await team.begin({ feed: "window", ...list([recent]) });
    expect(await team.sync()).toBe("ok");
    team.purser.clock.advance(day);
  });

  /** Lets the bank list both accounts, and returns the first day that is requested of each. */
  function openSaver() {
    const bank = list([recent, saved]);
    Object.assign(team.script, {
      transactions: bank.transactions,
      accounts: async () => [bankAccount(), saver],
    });
    return bank.requests;
  }

  /** Lets the connection wait for its user. */
  async function needUser() {
    const { accounts } = team.script;
    team.script.accounts = async () => {
      throw new BankError("reauthorization_required", "The sign-in is too long ago");
    };
    expect(await team.sync()).toBe("REAUTHORIZATION_REQUIRED");
    team.script.accounts = accounts;
  }

  it("is the only one that is read from the beginning", async () => {
    const requests = openSaver();
    expect(await team.sync()).toBe("ok");
    expect(requests).toEqual(onlySaver);
    expect(await amounts()).toEqual([2, 5]);
  });

  it("is the only one that is read from the beginning, also if the user adds it while confirming the consent", async () => {
    await needUser();
    const requests = openSaver();
    await team.connect("first");
    expect(await team.sync()).toBe("ok");
    expect(requests).toEqual(onlySaver);
    expect(await amounts()).toEqual([2, 5]);
    expect(await team.sync()).toBe("ok");
    expect(requests.slice(2)).toEqual([
      ["current", "2026-02-17"],
      ["saver", "2026-02-17"],
    ]);
  });

  it("is read from the beginning by the first sync that succeeds", async () => {
    await needUser();
    openSaver();
    await team.connect("first");
    const { transactions } = team.script;
    team.script.transactions = async function* failing() {
      yield [];
      throw new BankError("outage", "The bank says so");
    };
    expect(await team.sync()).toBe("PROVIDER_ERROR");
    expect(await amounts()).toEqual([2]);
    team.script.transactions = transactions;
    expect(await team.sync()).toBe("ok");
    expect(await amounts()).toEqual([2, 5]);
  });

  it("is read from the beginning, although a sync that began before another process adopted it ends later", async () => {
    const { arrived, pass, open } = gate();
    const bank = list([recent]);
    team.script.transactions = async function* held(...request) {
      await pass();
      yield* bank.transactions(...request);
    };
    const before = team.sync();
    await arrived;
    const theConnection = eq(bankAccountSources.connectionId, team.connectionId);
    await team.purser.db.update(bankAccountSources).set({ isUnread: true }).where(theConnection);
    open();
    expect(await before).toBe("UNAVAILABLE");
    expect(await team.sync()).toBe("ok");
    expect(bank.requests).toEqual([
      ["current", "2026-02-16"],
      ["current", "2024-03-03"],
    ]);
  });
});

describe("an account that turns out to be an earlier one at a bank that is read by days", () => {
  it("is the only one that is read from the beginning", async () => {
    await team.begin({
      feed: "window",
      ...list([recent, saved]),
      accounts: async () => [bankAccount(), saver],
    });
    expect(await team.sync()).toBe("ok");
    const [, earlier] = await team.accounts();
    await team.purser
      .as(team.owner)
      .banking.connections.disconnect({ teamId: team.teamId, connectionId: team.connectionId });
    team.purser.clock.advance(day);
    const hidden = { ...saver, identifiers: [] };
    team.script.accounts = async () => [bankAccount(), hidden];
    const second = await team.connect("second");
    expect(await team.sync(second)).toBe("ok");
    expect(await team.accounts()).toHaveLength(3);
    team.purser.clock.advance(day);
    const bank = list([recent, saved]);
    Object.assign(team.script, { ...bank, accounts: async () => [bankAccount(), saver] });
    expect(await team.sync(second)).toBe("ok");
    expect(bank.requests).toEqual([
      ["current", "2026-02-17"],
      ["saver", "2024-03-04"],
    ]);
    expect(await team.accounts()).toHaveLength(2);
    expect(await team.accounts()).toContainEqual(
      expect.objectContaining({ id: earlier!.id, connectionId: second }),
    );
    expect(await amounts()).toEqual([2, 5]);
  });
});
