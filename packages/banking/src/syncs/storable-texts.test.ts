import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { UnreadableItem } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  leaveOut,
  list,
  log,
  payment,
} from "../testing/scripted-bank.ts";

/** PostgreSQL refuses a statement with one of these, so a sync must not let them through anywhere. */

let team: ScriptedTeam;
beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
beforeEach(() => team.purser.clock.set("2026-03-02T09:00:00Z"));

/** An id of the bank, and what the ledger stores. */
const ids: [string, string, string][] = [
  ["U+0000", "o\0dd", "odd"],
  ["an unpaired surrogate", "o\ud800dd", "o\ufffddd"],
  ["more than 1,000 characters", "o".repeat(3000), "o".repeat(1000)],
];

const externalIds = async () => (await team.rows()).map(({ externalId }) => externalId);
const quarantined = async () =>
  (await team.quarantine()).map(({ externalId, reason }) => `${reason} ${externalId}`);
const odd = (fields: Partial<UnreadableItem>): UnreadableItem => ({
  kind: "transaction",
  accountId: "current",
  externalId: null,
  problem: "no currency",
  ...fields,
});

describe.each(ids)("an id with %s", (_what, id, stored) => {
  it("is removed as it was listed", async () => {
    await team.begin(log([{ added: [payment({ externalId: id }), payment({ externalId: "t2" })] }]));
    expect(await team.sync()).toBe("ok");
    expect(await externalIds()).toEqual([stored, "t2"]);
    Object.assign(team.script, log([{ removed: [{ accountId: "current", externalId: id }] }]));
    expect(await team.sync()).toBe("ok");
    expect(await externalIds()).toEqual(["t2"]);
  });

  it("is not removed if the bank lists it again", async () => {
    const again = { accountId: null, externalId: id };
    const pages = [{ removed: [again], hasMore: true }, { added: [payment({ externalId: id })] }];
    await team.begin(log(pages));
    expect(await team.sync()).toBe("ok");
    expect(await externalIds()).toEqual([stored]);
  });

  it("goes into quarantine if it cannot be read, and leaves once it can", async () => {
    await team.begin({ feed: "window", ...list([payment({ externalId: id })]) });
    expect(await team.sync()).toBe("ok");
    const other = payment({ externalId: "t2", amount: 700 });
    team.script.transactions = async function* (_access, _account, _from, _signal, report) {
      leaveOut([odd({ externalId: id })], report);
      yield [other];
    };
    expect(await team.sync()).toBe("ok");
    expect(await externalIds()).toEqual([stored, "t2"]);
    expect(await quarantined()).toEqual([`UNREADABLE ${stored}`]);
    Object.assign(team.script, list([payment({ externalId: id }), other]));
    expect(await team.sync()).toBe("ok");
    expect(await quarantined()).toEqual([]);
  });

  it("goes into quarantine if it is that of an unknown account, and leaves once the bank lists the account", async () => {
    const added = [payment({ accountId: id })];
    await team.begin(log([{ added }]));
    expect(await team.sync()).toBe("ok");
    expect(await quarantined()).toEqual([`UNKNOWN_ACCOUNT ${stored}`]);
    Object.assign(team.script, log([{ added }]), { accounts: async () => [bankAccount({ externalId: id })] });
    expect(await team.sync()).toBe("ok");
    expect(await externalIds()).toEqual(["t1"]);
    expect(await quarantined()).toEqual([]);
  });

  it("goes into quarantine if it is that of an account that cannot be read", async () => {
    await team.begin();
    team.script.accounts = async (_access, report) => {
      leaveOut([odd({ kind: "account", accountId: id })], report);
      return [bankAccount()];
    };
    expect(await team.sync()).toBe("ok");
    expect(await quarantined()).toEqual([`UNREADABLE ${stored}`]);
    expect(await team.sync()).toBe("ok");
  });
});

describe("the texts of an account", () => {
  it("lose what cannot be stored", async () => {
    await team.begin({
      accounts: async () => [bankAccount({ name: "Cur\0rent\udfff", sortCode: "01\u00000203" })],
    });
    expect(await team.accounts()).toMatchObject([{ name: "Current\ufffd", sortCode: "010203" }]);
    expect(await team.sync()).toBe("ok");
  });
});
