import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AccountData, BankError, type TransactionData } from "../ports.ts";
import { type ScriptedTeam, bankAccount, createScriptedTeam, payment } from "../testing/scripted-bank.ts";

let team: ScriptedTeam;
/** The identifiers that the bank shows under each consent. */
let identifiers: Record<string, string[]>;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());

const history: Partial<TransactionData>[] = [
  { externalId: "a" },
  { externalId: "b", amount: 900, date: "2026-02-20" },
];

beforeEach(async () => {
  team.purser.clock.set("2026-03-02T09:00:00Z");
  identifiers = {};
  const account = (consentId: string): AccountData =>
    bankAccount({ externalId: consentId, identifiers: identifiers[consentId] ?? [] });
  await team.begin({
    accounts: async ({ consentId }) => [account(consentId)],
    changes: async ({ consentId }, cursor) => ({
      added:
        cursor === null
          ? history.map((one) =>
              payment({ ...one, accountId: consentId, externalId: `${one.externalId} ${consentId}` }),
            )
          : [],
      modified: [],
      removed: [],
      cursor: "end",
      hasMore: false,
    }),
  });
});

const banking = () => team.purser.as(team.owner).banking;
const disconnect = (connectionId: string) =>
  banking().connections.disconnect({ teamId: team.teamId, connectionId });
const later = () => team.purser.clock.advance(60_000);

/** Syncs the first connection, and connects the bank again without identifiers: a second account. */
async function linkAgain(): Promise<{ first: string; second: string; ids: string[]; rows: string[] }> {
  identifiers["first"] = ["iban:1"];
  expect(await team.sync()).toBe("ok");
  const rows = (await team.rows()).map(({ id }) => id);
  later();
  const second = await team.connect("second");
  expect(await team.sync(second)).toBe("ok");
  const ids = (await team.accounts()).map(({ id }) => id);
  expect(ids).toHaveLength(2);
  later();
  return { first: team.connectionId, second, ids, rows };
}

describe("identifiers that a bank shows only later", () => {
  it("continue the history of the account that had them, once nobody reads it", async () => {
    const { first, second, ids, rows } = await linkAgain();
    const { cards, events } = team.purser.as(team.owner);
    const organizationId = team.teamId;
    const { id: policyId } = await cards.policies.create({ organizationId, name: "Travel" });
    const { id: cardId } = await cards.create({
      organizationId,
      policyId,
      assignedToId: team.owner.userId,
      fundingAccountId: ids[1]!,
      purpose: "BUSINESS",
    });
    await disconnect(first);
    identifiers["second"] = ["iban:1"];
    expect(await team.sync(second)).toBe("ok");
    expect(await team.accounts()).toMatchObject([
      { id: ids[0], connectionId: second, transactionCount: rows.length },
    ]);
    expect((await team.rows()).map(({ id }) => id)).toEqual(rows);
    const card = await cards.get({ organizationId, cardId });
    expect(card.fundingAccountId).toBe(ids[0]);
    const [event] = await events.list({ organizationId, subject: cardId });
    expect(event).toMatchObject({ type: "card.updated", actor: null, data: card });
    const audit = await team.purser.as(team.owner).organizations.audit.list({ id: organizationId });
    expect(audit[0]).toMatchObject({
      action: "banking.sync",
      actor: null,
      subject: ids[0],
      details: { accountId: ids[1], duplicates: rows.length },
    });
    expect(await team.sync(second)).toBe("ok");
    expect((await team.rows()).map(({ id }) => id)).toEqual(rows);
  });

  it("have no earlier balances until the reading that follows has succeeded", async () => {
    const { first, second } = await linkAgain();
    await disconnect(first);
    identifiers["second"] = ["iban:1"];
    const { changes } = team.script;
    team.script.changes = async () => {
      throw new BankError("outage", "Down");
    };
    expect(await team.sync(second)).toBe("PROVIDER_ERROR");
    const { teamId } = team;
    const range = { from: new Date("2026-03-01"), to: new Date("2026-03-02") };
    const days = async () =>
      (await banking().reports.balances({ teamId, ...range })).map(({ points }) => points.length);
    expect(await days()).toEqual([0]);
    Object.assign(team.script, { changes });
    expect(await team.sync(second)).toBe("ok");
    expect(await days()).toEqual([2]);
  });

  it("continue it also under a renewed consent of the same connection", async () => {
    identifiers["first"] = ["iban:1"];
    expect(await team.sync()).toBe("ok");
    const [before] = await team.accounts();
    later();
    await team.renew("renewed");
    expect(await team.sync()).toBe("ok");
    expect(await team.accounts()).toHaveLength(2);
    later();
    identifiers["renewed"] = ["iban:1"];
    expect(await team.sync()).toBe("ok");
    expect(await team.accounts()).toMatchObject([{ id: before!.id, transactionCount: history.length }]);
  });

  it("change nothing while another connection reads the account, and continue it once none does", async () => {
    const { first, second, ids, rows } = await linkAgain();
    identifiers["second"] = ["iban:1"];
    expect(await team.sync(second)).toBe("ok");
    expect((await team.accounts()).map(({ id }) => id)).toEqual(ids);
    later();
    await disconnect(first);
    expect(await team.sync(second)).toBe("ok");
    expect(await team.accounts()).toMatchObject([{ id: ids[0], connectionId: second }]);
    expect((await team.rows()).map(({ id }) => id)).toEqual(rows);
  });

  it("continue an account whose connection waits for the person", async () => {
    const { first, second, ids, rows } = await linkAgain();
    const { accounts } = team.script;
    team.script.accounts = async (access, report) => {
      if (access.consentId === "first") throw new BankError("reauthorization_required", "Log in again");
      return accounts(access, report);
    };
    expect(await team.sync(first)).toBe("REAUTHORIZATION_REQUIRED");
    identifiers["second"] = ["iban:1"];
    expect(await team.sync(second)).toBe("ok");
    expect(await team.accounts()).toMatchObject([{ id: ids[0], connectionId: second }]);
    expect((await team.rows()).map(({ id }) => id)).toEqual(rows);
    // The person logs in again: two connections never feed one account.
    team.script.accounts = accounts;
    expect(await team.sync(first)).toBe("ok");
    expect(await team.accounts()).toMatchObject([{ id: ids[0], connectionId: second }]);
  });

  it("keep the older account if the newer connection is the one that ends", async () => {
    const { first, second, ids, rows } = await linkAgain();
    identifiers["second"] = ["iban:1"];
    expect(await team.sync(second)).toBe("ok");
    await disconnect(second);
    later();
    expect(await team.sync(first)).toBe("ok");
    expect(await team.accounts()).toMatchObject([{ id: ids[0], connectionId: first }]);
    expect((await team.rows()).map(({ id }) => id)).toEqual(rows);
    expect(await team.sync(first)).toBe("ok");
    expect((await team.rows()).map(({ id }) => id)).toEqual(rows);
  });

  it("change nothing if two accounts had them", async () => {
    const { first, second } = await linkAgain();
    const third = await team.connect("third");
    identifiers["third"] = ["iban:1"];
    expect(await team.sync(third)).toBe("ok");
    expect(await team.accounts()).toHaveLength(3);
    await disconnect(first);
    await disconnect(third);
    identifiers["second"] = ["iban:1"];
    expect(await team.sync(second)).toBe("ok");
    expect(await team.accounts()).toHaveLength(3);
  });

  it("change nothing if the bank lists that account again", async () => {
    const [one, other] = ["one", "other"].map((externalId) => bankAccount({ externalId, identifiers: [] }));
    const numbered = (account: AccountData) => ({ ...account, identifiers: ["iban:1"] });
    let listed = [numbered(one!), other!];
    await team.begin({ accounts: async () => listed });
    for (const next of [[other!], [numbered(one!), numbered(other!)]]) {
      later();
      expect(await team.sync()).toBe("ok");
      listed = next;
    }
    later();
    expect(await team.sync()).toBe("ok");
    expect(await team.accounts()).toHaveLength(2);
  });

  it("are not new for an account that a bank listed beside one with the same identifier", async () => {
    const both = ["one", "other"].map((externalId) => bankAccount({ externalId, identifiers: ["iban:1"] }));
    let listed = both;
    await team.begin({ accounts: async () => listed });
    expect(await team.sync()).toBe("ok");
    listed = both.slice(0, 1);
    for (let count = 0; count < 2; count += 1) {
      later();
      expect(await team.sync()).toBe("ok");
    }
    expect(await team.accounts()).toHaveLength(2);
  });

  it("are not those of an account that another connection listed beside it", async () => {
    const [one, other] = ["one", "other"].map((externalId) =>
      bankAccount({ externalId, identifiers: ["iban:1"] }),
    );
    await team.begin({
      accounts: async ({ consentId }) =>
        consentId === "first" ? [one!, other!] : [{ ...one!, externalId: "one again" }],
    });
    expect(await team.sync()).toBe("ok");
    const [first] = await team.accounts();
    await disconnect(team.connectionId);
    later();
    const second = await team.connect("second");
    expect(await team.sync(second)).toBe("ok");
    const linked = (await team.accounts()).find(({ connectionId }) => connectionId === second);
    const { teamId } = team;
    await banking().accounts.merge({ teamId, accountId: linked!.id, intoAccountId: first!.id });
    for (let count = 0; count < 2; count += 1) {
      later();
      expect(await team.sync(second)).toBe("ok");
    }
    expect(await team.accounts()).toMatchObject([{ id: first!.id, connectionId: second }, {}]);
  });
});
