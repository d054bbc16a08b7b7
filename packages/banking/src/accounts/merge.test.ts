// @module-tag slow
import { bankAccountSources, bankSyncs, bankTransactions } from "@purser/db";
import { problemOf, refusalOf } from "@purser/testing";
import { and, asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TransactionData } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  gate,
  leaveOut,
} from "../testing/scripted-bank.ts";
import { type ShownAccounts, linkTwice } from "../testing/linked-twice.ts";

let team: ScriptedTeam;
let shown: ShownAccounts;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());

/** Links an account twice. See {@link linkTwice}. */
async function twoAccounts(first: Partial<TransactionData>[], second: Partial<TransactionData>[]) {
  const pair = await linkTwice(team, first, second);
  ({ shown } = pair);
  return pair;
}

const banking = () => team.purser.as(team.owner).banking;
const merge = ({ accountId, intoAccountId }: { accountId: string; intoAccountId: string }) =>
  banking().accounts.merge({ teamId: team.teamId, accountId, intoAccountId });
const contents = async () =>
  (await team.rows())
    .map(({ transactionDate, amount, description }) => `${transactionDate} ${amount} ${description}`)
    .toSorted();
const allRows = () =>
  team.purser.db
    .select()
    .from(bankTransactions)
    .where(eq(bankTransactions.organizationId, team.teamId))
    .orderBy(asc(bankTransactions.id));

const coffee = { externalId: "a", description: "COFFEE" };
// Older than what the first bank lists, except where it lists it too.
const rent = { externalId: "b", amount: 90_000, description: "RENT", date: "2026-02-01" };
const taxi = { externalId: "c", amount: 1500, description: "TAXI", date: "2026-02-28" };

describe("banking.accounts.merge", () => {
  it("moves transactions, collapses duplicates, and ends the account", async () => {
    const { accountId, intoAccountId, firstConnection } = await twoAccounts(
      [coffee, rent],
      [{ ...coffee, description: "Coffee Ltd" }, taxi],
    );
    const before = await team.rows();
    const merged = await merge({ accountId, intoAccountId });
    expect(merged).toMatchObject({ id: intoAccountId, connectionId: firstConnection, transactionCount: 3 });
    expect(merged.recentTransactions.map(({ description }) => description).toSorted()).toEqual([
      "COFFEE",
      "RENT",
      "TAXI",
    ]);
    expect((await team.accounts()).map(({ id }) => id)).toEqual([intoAccountId]);
    const get = banking().accounts.get({ teamId: team.teamId, accountId });
    expect(await refusalOf(get)).toBe("BANK_ACCOUNT_NOT_FOUND");
    // Each row keeps its id, that of the duplicate too.
    const after = await allRows();
    expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
    expect(after.every((row) => row.accountId === intoAccountId)).toBe(true);
    expect(after.filter(({ status }) => status === "REMOVED")).toMatchObject([{ description: "Coffee Ltd" }]);
    const sources = await team.purser.db
      .select({ externalId: bankAccountSources.externalId, supersededAt: bankAccountSources.supersededAt })
      .from(bankAccountSources)
      .where(eq(bankAccountSources.accountId, intoAccountId))
      .orderBy(asc(bankAccountSources.externalId));
    expect(sources).toEqual([
      { externalId: "first", supersededAt: null },
      { externalId: "second", supersededAt: team.purser.clock.now() },
    ]);
    const audit = await team.purser.as(team.owner).organizations.audit.list({ id: team.teamId });
    expect(audit[0]).toMatchObject({
      action: "banking.accounts.merge",
      subject: intoAccountId,
      actor: { id: team.owner.userId },
      details: { accountId, moved: 1, duplicates: 1 },
    });
  });

  it("may end the account behind which the next page of the list continues", async () => {
    const { accountId, intoAccountId } = await twoAccounts([coffee], [rent]);
    const { teamId } = team;
    const page = await banking().accounts.list({ teamId, limit: 1 });
    expect(page.map(({ id }) => id)).toEqual([accountId]);
    await merge({ accountId, intoAccountId });
    const next = await banking().accounts.list({ teamId, limit: 1, after: accountId });
    expect(next.map(({ id }) => id)).toEqual([intoAccountId]);
  });

  it("continues the history with the syncs of both connections, without duplicates", async () => {
    const pair = await twoAccounts([coffee], [{ ...coffee, externalId: "a2" }, rent, taxi]);
    await merge(pair);
    // The first bank lists only now what the second has listed before.
    shown["first"]!.batches.push([rent, taxi, { externalId: "d", amount: 10, date: "2026-03-02" }]);
    shown["second"]!.batches.push([{ externalId: "d2", amount: 10, date: "2026-03-02" }]);
    await team.purser.drain();
    for (const id of [pair.secondConnection, pair.firstConnection, pair.secondConnection])
      expect(await team.sync(id)).toBe("ok");
    expect(await contents()).toEqual([
      "2026-02-01 90000 RENT",
      "2026-02-28 1500 TAXI",
      "2026-03-01 500 COFFEE",
      "2026-03-02 10 COFFEE",
    ]);
    expect(await team.accounts()).toMatchObject([{ id: pair.intoAccountId, transactionCount: 4 }]);
  });

  it("lets the other connection continue once the account's own one is disconnected", async () => {
    const pair = await twoAccounts([coffee], [{ ...coffee, externalId: "a2" }, rent]);
    await merge(pair);
    await team.purser.drain();
    const ids = (await team.rows()).map(({ id }) => id);
    await banking().connections.disconnect({ teamId: team.teamId, connectionId: pair.firstConnection });
    shown["second"]!.batches.push([{ externalId: "d2", amount: 10, date: "2026-03-02" }]);
    expect(await team.sync(pair.secondConnection)).toBe("ok");
    expect(await team.accounts()).toMatchObject([
      { id: pair.intoAccountId, connectionId: pair.secondConnection, transactionCount: 3 },
    ]);
    expect(ids).toHaveLength(2);
    expect((await team.rows()).map(({ id }) => id).slice(0, 2)).toEqual(ids);
  });

  it("merges accounts of one connection whose bank no longer lists one of them", async () => {
    const { intoAccountId } = await twoAccounts([coffee, rent], []);
    shown["third"] = { batches: [[{ ...coffee, externalId: "a3" }, taxi]] };
    team.purser.clock.advance(1000);
    await team.renew("third");
    expect(await team.sync()).toBe("ok");
    const renewed = (await team.accounts()).at(-1)!;
    expect(renewed.connectionId).toBe(team.connectionId);
    await merge({ accountId: renewed.id, intoAccountId });
    await team.purser.drain();
    expect(await team.sync()).toBe("ok");
    expect(await contents()).toEqual([
      "2026-02-01 90000 RENT",
      "2026-02-28 1500 TAXI",
      "2026-03-01 500 COFFEE",
    ]);
  });

  it("removes pending transactions, which the account's own bank lists again", async () => {
    const pending = { ...coffee, externalId: "p", status: "PENDING" as const, date: "2026-03-02" };
    const pair = await twoAccounts([], [pending, rent]);
    await merge(pair);
    expect(await contents()).toEqual(["2026-02-01 90000 RENT"]);
    shown["first"]!.batches.push([{ ...pending, externalId: "p1" }]);
    await team.purser.drain();
    expect(await team.sync(pair.firstConnection)).toBe("ok");
    expect((await team.rows()).filter(({ status }) => status === "PENDING")).toHaveLength(1);
  });

  it("leaves no balances of earlier days if the transactions are of a later reading than the balance", async () => {
    const early = { date: "2026-03-01" };
    const pair = await twoAccounts([early], [{ ...early, externalId: "a2" }]);
    const { teamId } = team;
    const range = { from: new Date("2026-03-01"), to: new Date("2026-03-02") };
    const days = async () =>
      (await banking().reports.balances({ teamId, ...range })).map(({ points }) => points.length);
    await banking().connections.disconnect({ teamId, connectionId: pair.firstConnection });
    shown["second"]!.batches.push([{ externalId: "x", amount: 1500, date: "2026-03-02" }]);
    shown["second"]!.account = { balance: -500 };
    expect(await team.sync(pair.secondConnection)).toBe("ok");
    await banking().connections.disconnect({ teamId, connectionId: pair.secondConnection });
    expect(await days()).toEqual([2, 2]);
    await merge(pair);
    expect(await days()).toEqual([0]);
  });

  it("moves the cards that the account funds", async () => {
    const pair = await twoAccounts([], []);
    const { cards, events } = team.purser.as(team.owner);
    const organizationId = team.teamId;
    const { id: policyId } = await cards.policies.create({ organizationId, name: "Travel" });
    const { id: cardId } = await cards.create({
      organizationId,
      policyId,
      assignedToId: team.owner.userId,
      fundingAccountId: pair.accountId,
      purpose: "BUSINESS",
    });
    await merge(pair);
    const card = await cards.get({ organizationId, cardId });
    expect(card.fundingAccountId).toBe(pair.intoAccountId);
    const [event] = await events.list({ organizationId, subject: cardId });
    expect(event).toMatchObject({ type: "card.updated", actor: { id: team.owner.userId }, data: card });
  });

  it("adds the identifiers and numbers, so that the account is found by them when it is linked again", async () => {
    const pair = await twoAccounts([], []);
    shown["second"]!.account = { identifiers: ["iban:1"], accountNumber: "87654321", sortCode: "112233" };
    shown["first"]!.account = { accountNumber: null, sortCode: null };
    expect(await team.sync(pair.secondConnection)).toBe("ok");
    await team.purser.db.execute(
      `UPDATE bank_accounts SET account_number = NULL, sort_code = NULL WHERE id = '${pair.intoAccountId}'`,
    );
    const merged = await merge(pair);
    expect(merged).toMatchObject({ accountNumber: "87654321", sortCode: "112233" });
    shown["third"] = { batches: [[]], account: { identifiers: ["iban:1"] } };
    await team.connect("third");
    expect(await team.accounts()).toMatchObject([{ id: pair.intoAccountId }]);
  });

  it("refuses accounts that cannot be the same, and says why", async () => {
    const pair = await twoAccounts([coffee], []);
    const refusal = async (accountId: string, intoAccountId: string) =>
      problemOf(await merge({ accountId, intoAccountId }).catch((error: unknown) => error));
    expect(await refusal(pair.accountId, pair.accountId)).toMatchObject({
      code: "ACCOUNTS_CANNOT_MERGE",
      message: "An account cannot be merged into itself.",
    });
    shown["second"]!.account = { currency: "EUR" };
    expect(await team.sync(pair.secondConnection)).toBe("ok");
    expect((await refusal(pair.accountId, pair.intoAccountId)).message).toContain("different currencies");

    shown["third"] = { batches: [[]] };
    team.script.accounts = async () => [bankAccount(), bankAccount({ externalId: "saver", identifiers: [] })];
    const second = await team.connect("third");
    const [one, other] = (await team.accounts()).filter(({ connectionId }) => connectionId === second);
    expect((await refusal(one!.id, other!.id)).message).toContain("side by side");
    // Also while the bank lists one of them without its balance.
    team.script.accounts = async (_access, report) => {
      leaveOut([{ kind: "account", accountId: "saver", externalId: null, problem: "no balance" }], report);
      return [bankAccount()];
    };
    team.purser.clock.advance(1000);
    expect(await team.sync(second)).toBe("ok");
    for (const [from, into] of [
      [one!.id, other!.id],
      [other!.id, one!.id],
    ] as const)
      expect((await refusal(from, into)).message).toContain("side by side");
    expect(await team.accounts()).toHaveLength(4);
  });

  it("is offered for exactly the accounts into which it is not refused", async () => {
    const pair = await twoAccounts([coffee], []);
    shown["second"]!.account = { currency: "EUR" };
    expect(await team.sync(pair.secondConnection)).toBe("ok");
    team.script.accounts = async () => [bankAccount(), bankAccount({ externalId: "saver", identifiers: [] })];
    await team.connect("third");
    const { teamId } = team;
    const all = (await team.accounts()).map(({ id }) => id);
    const offered = async (mergeableAccountId: string) =>
      (await banking().accounts.list({ teamId, mergeableAccountId })).map(({ id }) => id);
    const sets = await Promise.all(all.map(async (id) => [id, await offered(id)] as const));
    expect(sets.some(([, into]) => into.length > 0)).toBe(true);
    for (const [accountId, into] of sets)
      for (const intoAccountId of all.filter((id) => !into.includes(id)))
        expect(await refusalOf(merge({ accountId, intoAccountId }))).toBe("ACCOUNTS_CANNOT_MERGE");
    const [accountId, [intoAccountId]] = sets.find(([, into]) => into.length > 0)!;
    expect(await merge({ accountId, intoAccountId: intoAccountId! })).toMatchObject({ id: intoAccountId });
    expect(await refusalOf(offered(accountId))).toBe("BANK_ACCOUNT_NOT_FOUND");
  });

  it("finds only accounts of the same organization, before it looks at the role", async () => {
    const pair = await twoAccounts([], []);
    const { purser, owner } = team;
    const member = await purser.person();
    const teamId = await purser.organization(owner, { members: [member] });
    const asMember = purser.as(member).banking.accounts.merge({ teamId, accountId: "x", intoAccountId: "y" });
    expect(await refusalOf(asMember)).toBe("BANK_ACCOUNT_NOT_FOUND");
    const foreign = pair.accountId;
    await team.begin();
    const [own] = await team.accounts();
    for (const input of [
      { accountId: foreign, intoAccountId: own!.id },
      { accountId: own!.id, intoAccountId: foreign },
    ])
      expect(await refusalOf(merge(input))).toBe("BANK_ACCOUNT_NOT_FOUND");
  });
});

describe("banking.accounts.merge, at the same time as", () => {
  it("another merge of the same accounts: one of them wins", async () => {
    const { accountId, intoAccountId } = await twoAccounts([coffee], [coffee, rent]);
    const outcomes = await Promise.allSettled([
      merge({ accountId, intoAccountId }),
      merge({ accountId: intoAccountId, intoAccountId: accountId }),
      merge({ accountId, intoAccountId }),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected")
        expect(problemOf(outcome.reason).code).toBe("BANK_ACCOUNT_NOT_FOUND");
    }
    expect(await team.accounts()).toMatchObject([{ transactionCount: 2 }]);
    expect(await contents()).toEqual(["2026-02-01 90000 RENT", "2026-03-01 500 COFFEE"]);
  });

  it.each(["first", "second"])("a sync of the %s connection, which then reads again", async (consent) => {
    const pair = await twoAccounts([coffee], [{ ...coffee, externalId: "a2" }, rent]);
    shown[consent]!.batches.push([{ ...taxi, date: "2026-03-02" }]);
    const { arrived, pass, open } = gate();
    const { changes } = team.script;
    team.script.changes = async (access, ...rest) => {
      if (access.consentId === consent) await pass();
      return changes(access, ...rest);
    };
    const connectionId = consent === "first" ? pair.firstConnection : pair.secondConnection;
    const syncing = team.sync(connectionId);
    await arrived;
    await merge(pair);
    open();
    await syncing;
    await team.purser.drain();
    for (const id of [pair.firstConnection, pair.secondConnection]) expect(await team.sync(id)).toBe("ok");
    const known = ["2026-02-01 90000 RENT", "2026-03-01 500 COFFEE"];
    const late = consent === "first" ? ["2026-03-02 1500 TAXI"] : [];
    expect(await contents()).toEqual([...known, ...late]);
    expect(await team.accounts()).toMatchObject([{ id: pair.intoAccountId }]);
    const running = and(eq(bankSyncs.organizationId, team.teamId), eq(bankSyncs.status, "RUNNING"));
    expect(await team.purser.db.$count(bankSyncs, running)).toBe(0);
  });

  it("a disconnection of either connection", async () => {
    for (const which of ["firstConnection", "secondConnection"] as const) {
      const pair = await twoAccounts([coffee], [{ ...coffee, externalId: "a2" }, rent]);
      const disconnect = banking().connections.disconnect({ teamId: team.teamId, connectionId: pair[which] });
      await Promise.all([merge(pair), disconnect]);
      await team.purser.drain();
      const left = which === "firstConnection" ? pair.secondConnection : pair.firstConnection;
      expect(await team.sync(left)).toBe("ok");
      expect(await team.accounts()).toMatchObject([{ id: pair.intoAccountId, connectionId: left }]);
      expect(await contents()).toEqual(["2026-02-01 90000 RENT", "2026-03-01 500 COFFEE"]);
    }
  });
});
