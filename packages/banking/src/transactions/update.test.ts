import { bankTransactions } from "@purser/db";
import { type Person, refusalOf } from "@purser/testing";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  log,
  payment,
} from "../testing/scripted-bank.ts";

let team: ScriptedTeam;
let member: Person;
let transactionId: string;

beforeAll(async () => {
  team = await createScriptedTeam();
  member = await team.purser.person();
});
afterAll(() => team.purser.close());
beforeEach(async () => {
  team.purser.clock.set("2026-03-02T09:00:00Z");
  await team.begin(log([{ added: [payment({ category: "FOOD", merchantName: "Nero" })] }]));
  await team.sync();
  transactionId = (await list())[0]!.id;
});

const transactions = (person = team.owner) => team.purser.as(person).banking.transactions;
const list = (input: object = {}) => transactions().list({ teamId: team.teamId, ...input });
const get = (person = team.owner) => transactions(person).get({ teamId: team.teamId, transactionId });
const update = (patch: object, person = team.owner) =>
  transactions(person).update({ teamId: team.teamId, transactionId, ...patch });
const audited = async () =>
  (await team.purser.as(team.owner).organizations.audit.list({ id: team.teamId })).filter(
    ({ action }) => action === "banking.transactions.update",
  );
async function joinTeam(): Promise<void> {
  const { invitations } = team.purser.as(team.owner).organizations;
  const invited = { organizationId: team.teamId, email: member.email, role: "MEMBER" as const };
  await invitations.create(invited);
  const [{ id } = { id: "" }] = await invitations.list({ organizationId: team.teamId });
  await team.purser.as(member).organizations.invitations.accept({ id });
}

/** The bank reports this next, and a sync reads it. */
async function report(page: Parameters<typeof log>[0][number]) {
  Object.assign(team.script, log([page]));
  expect(await team.sync()).toBe("ok");
}

describe("banking.transactions.get", () => {
  it("returns the item of the list, to members too", async () => {
    await joinTeam();
    expect(await get()).toEqual((await list())[0]);
    expect(await get(member)).toMatchObject({ id: transactionId, merchantName: "Nero", status: "POSTED" });
  });

  it("returns a pending one, and none that was removed", async () => {
    await report({ added: [payment({ externalId: "t2", status: "PENDING" })] });
    const [pending] = await list({ status: "PENDING" });
    transactionId = pending!.id;
    expect(await get()).toEqual(pending);
    await report({ removed: [{ accountId: "current", externalId: "t2" }] });
    expect(await refusalOf(get())).toBe("BANK_TRANSACTION_NOT_FOUND");
    expect(await refusalOf(update({ note: "Late" }))).toBe("BANK_TRANSACTION_NOT_FOUND");
  });

  it("does not find another team's, for anybody", async () => {
    const other = await team.purser.person();
    const teamId = await team.purser.organization(other);
    for (const id of [transactionId, team.purser.unknownId("btx"), "x"]) {
      const target = { teamId, transactionId: id };
      expect(await refusalOf(transactions(other).get(target))).toBe("BANK_TRANSACTION_NOT_FOUND");
      expect(await refusalOf(transactions(other).update(target))).toBe("BANK_TRANSACTION_NOT_FOUND");
    }
    expect(await refusalOf(get(other))).toBe("ORGANIZATION_NOT_FOUND");
  });
});

describe("banking.transactions.update", () => {
  it("sets category and note, which lists, accounts and filters show", async () => {
    const before = await get();
    const after = await update({ category: " MEALS ", note: "With the client\nof Monday" });
    expect(after).toEqual({ ...before, category: "MEALS", note: "With the client\nof Monday" });
    expect(await get()).toEqual(after);
    expect(await list({ category: "MEALS" })).toEqual([after]);
    expect(await list({ category: "FOOD" })).toEqual([]);
    const { banking } = team.purser.as(team.owner);
    const account = await banking.accounts.get({ teamId: team.teamId, accountId: after.accountId });
    expect(account.recentTransactions).toEqual([
      {
        id: transactionId,
        amount: 500,
        currency: "GBP",
        description: "COFFEE",
        transactionDate: after.transactionDate,
        type: "DEBIT",
        category: "MEALS",
      },
    ]);
  });

  it("leaves absent fields, removes the note and gives back the bank's category with null", async () => {
    await update({ category: "MEALS", note: "Lunch" });
    expect(await update({ note: "Dinner" })).toMatchObject({ category: "MEALS", note: "Dinner" });
    expect(await update({ category: null })).toMatchObject({ category: "FOOD", note: "Dinner" });
    expect(await update({ note: null })).toMatchObject({ category: "FOOD", note: null });
    await update({ category: "MEALS" });
    await report({ modified: [payment({ category: "DRINKS", merchantName: "Caffè Nero" })] });
    expect(await get()).toMatchObject({ category: "MEALS", merchantName: "Caffè Nero" });
    expect(await update({ category: null })).toMatchObject({ category: "DRINKS" });
  });

  it("keeps a category that equals the bank's when the bank's changes", async () => {
    expect(await update({ category: "FOOD" })).toMatchObject({ category: "FOOD" });
    expect(await audited()).toEqual([]);
    await report({ modified: [payment({ category: "DRINKS" })] });
    expect(await get()).toMatchObject({ category: "FOOD" });
  });

  it("is audited once, and not at all where nothing changes", async () => {
    await update({});
    await update({ note: null });
    expect(await audited()).toEqual([]);
    await update({ category: "MEALS" });
    await update({ category: "MEALS" });
    const from = { category: "FOOD", note: null };
    expect(await audited()).toMatchObject([
      {
        subject: transactionId,
        actor: { id: team.owner.userId },
        details: { from, to: { ...from, category: "MEALS" } },
      },
    ]);
  });

  it("is for owners", async () => {
    await joinTeam();
    expect(await refusalOf(update({ note: "Mine" }, member))).toBe("FORBIDDEN");
    expect(await get()).toMatchObject({ note: null });
  });

  it.each([{ note: " " }, { note: "n".repeat(1001) }, { category: "" }, { category: "a\0" }, { amount: 1 }])(
    "refuses %j",
    async (patch) => {
      expect(await refusalOf(update(patch))).toBe("VALIDATION_FAILED");
    },
  );

  it("keeps what a person set on a pending transaction when the bank posts it under another id", async () => {
    await report({ added: [payment({ externalId: "t2", status: "PENDING", category: null })] });
    transactionId = (await list({ status: "PENDING" }))[0]!.id;
    const set = { category: "TRAVEL", note: "Hotel" };
    await update(set);
    await report({
      added: [payment({ externalId: "t3", pendingExternalId: "t2", amount: 650, category: "LODGING" })],
      removed: [{ accountId: "current", externalId: "t2" }],
    });
    expect(await get()).toMatchObject({ ...set, status: "POSTED", amount: 650 });
  });

  it("survives when the account is linked again, and the bank renames and omits transactions", async () => {
    const set = { category: "MEALS", note: "Lunch" };
    await update(set);
    Object.assign(team.script, log([{ added: [payment({ externalId: "other", description: "NERO 1" })] }]));
    await team.renew("again");
    expect(await team.sync()).toBe("ok");
    expect(await get()).toMatchObject({ ...set, description: "NERO 1" });
  });

  it("survives a merge of accounts on either of two duplicates, first of all on the continuing account", async () => {
    const all = [
      payment(),
      payment({ externalId: "t2", amount: 900 }),
      payment({ externalId: "t3", amount: 50 }),
    ];
    await team.begin({
      accounts: async ({ consentId }) => [bankAccount({ externalId: consentId, identifiers: [] })],
      changes: async ({ consentId: accountId }) => {
        const added = all.map((one) => ({ ...one, accountId }));
        return { added, modified: [], removed: [], hasMore: false, cursor: "1" };
      },
    });
    const second = await team.connect("second");
    for (const id of [team.connectionId, second]) expect(await team.sync(id)).toBe("ok");
    const [into, ended] = await team.accounts();
    const set = async (account: { id: string } | undefined, amount: number, patch: object) => {
      const found = await list({ accountId: account!.id, minAmount: amount, maxAmount: amount });
      transactionId = found[0]!.id;
      await update(patch);
    };
    await set(ended, 500, { note: "Ours", category: "MEALS" });
    await set(ended, 900, { note: "Not this", category: "OFFICE" });
    await set(into, 900, { note: "March" });
    await set(into, 50, { category: "TRAVEL" });
    const { banking } = team.purser.as(team.owner);
    await banking.accounts.merge({ teamId: team.teamId, accountId: ended!.id, intoAccountId: into!.id });
    await team.purser.drain();
    const kept = (await list()).map(({ amount, note, category }) => [amount, note, category]);
    expect(kept).toHaveLength(3);
    expect(kept).toEqual(
      expect.arrayContaining([
        [50, null, "TRAVEL"],
        [500, "Ours", "MEALS"],
        [900, "March", "OFFICE"],
      ]),
    );
  });

  it("loses nothing when many write at once", async () => {
    const patches = Array.from({ length: 10 }, (_, one) =>
      one % 2 === 0 ? { note: `${one}` } : { category: `${one}` },
    );
    const ended = await Promise.all([...patches.map((patch) => update(patch)), team.sync()]);
    expect(ended.at(-1)).toBe("ok");
    const stored = await team.purser.db
      .select()
      .from(bankTransactions)
      .where(and(eq(bankTransactions.organizationId, team.teamId), eq(bankTransactions.id, transactionId)));
    expect(patches).toContainEqual({ note: stored[0]!.note });
    expect(patches).toContainEqual({ category: stored[0]!.ownCategory });
    expect(await audited()).toHaveLength(10);
  });
});
