// @module-tag slow
import { bankConnections } from "@purser/db";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTwice } from "../testing/linked-twice.ts";
import { type ScriptedTeam, createScriptedTeam } from "../testing/scripted-bank.ts";

let team: ScriptedTeam;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());

const banking = () => team.purser.as(team.owner).banking;
const merge = async ({ accountId, intoAccountId }: { accountId: string; intoAccountId: string }) => {
  await banking().accounts.merge({ teamId: team.teamId, accountId, intoAccountId });
  await team.purser.drain();
};
const disconnect = (connectionId: string) =>
  banking().connections.disconnect({ teamId: team.teamId, connectionId });
/** Reads everything again that the bank of a connection lists. */
const readAgain = async (connectionId: string) => {
  await team.purser.db
    .update(bankConnections)
    .set({ cursor: null })
    .where(eq(bankConnections.id, connectionId));
  expect(await team.sync(connectionId)).toBe("ok");
};
const contents = async () =>
  (await team.rows())
    .map(({ transactionDate, amount, description }) => `${transactionDate} ${amount} ${description}`)
    .toSorted();

const early = { externalId: "e", amount: 100, description: "TEA", date: "2026-01-01" };
const rent = { externalId: "b", amount: 90_000, description: "RENT", date: "2026-02-01" };
const taxi = { externalId: "c", amount: 1500, description: "TAXI", date: "2026-02-28" };
const coffee = { externalId: "a", description: "COFFEE" };
const all = ["2026-01-01 100 TEA", "2026-02-01 90000 RENT", "2026-02-28 1500 TAXI", "2026-03-01 500 COFFEE"];

describe.each([
  ["a complete change feed", { feed: "cursor", isComplete: true }],
  ["a change feed of limited history", { feed: "cursor", isComplete: false }],
  ["a bank that is read by days", { feed: "window", isComplete: false }],
] as const)("the transactions that a merge moves, at %s", (_name, feed) => {
  it("stay although the bank of the continuing account does not list them", async () => {
    const pair = await linkTwice(team, [early, coffee], [{ ...coffee, externalId: "a2" }, rent, taxi], feed);
    await merge(pair);
    expect(await contents()).toEqual(all);
    await readAgain(pair.firstConnection);
    expect([await contents(), await banking().quarantine.list({ teamId: team.teamId })]).toEqual([all, []]);
  });

  it("become the payments that this bank lists on the same days, whenever it does and in other words", async () => {
    const twice = [taxi, { ...taxi, externalId: "c2", description: "CAB" }];
    const pair = await linkTwice(team, [early, coffee], [rent, ...twice], feed);
    await merge(pair);
    const moved = new Set((await team.rows()).map(({ id }) => id));
    const listedLater = [
      { ...rent, externalId: "f1", description: "Landlord" },
      { ...taxi, externalId: "f2", description: "Taxi Ltd" },
      { ...taxi, externalId: "f3" },
    ];
    for (const one of listedLater) {
      pair.shown["first"]!.batches.push([one]);
      expect(await team.sync(pair.firstConnection)).toBe("ok");
      expect(await team.accounts()).toMatchObject([{ transactionCount: 5 }]);
    }
    // Only days near the present are read again.
    await readAgain(pair.firstConnection);
    expect(await contents()).toEqual([
      "2026-01-01 100 TEA",
      "2026-02-01 90000 Landlord",
      "2026-02-28 1500 TAXI",
      "2026-02-28 1500 Taxi Ltd",
      "2026-03-01 500 COFFEE",
    ]);
    expect(new Set((await team.rows()).map(({ id }) => id))).toEqual(moved);
  });

  it("give way to a pending transaction that this bank posts as the same payment, with what a person set", async () => {
    const held = [1, 2].map((n) => ({
      ...taxi,
      externalId: `p${n}`,
      amount: 10 * n,
      status: "PENDING" as const,
    }));
    const pair = await linkTwice(team, [early, ...held], [taxi, coffee], feed);
    const { teamId } = team;
    const moved = (await team.rows()).find(({ externalId }) => externalId === "c")!;
    await banking().transactions.update({ teamId, transactionId: moved.id, note: "To the airport" });
    await merge(pair);
    const { batches } = pair.shown["first"]!;
    batches.splice(0, 1, [early, { ...taxi, externalId: "p1" }]);
    await readAgain(pair.firstConnection);
    expect(await contents()).toEqual(all.filter((one) => !one.includes("RENT")));
    const posted = (await team.rows()).find(({ amount }) => amount === taxi.amount);
    expect(posted).toMatchObject({ externalId: "p1", note: "To the airport" });
  });

  it.each([
    ["in the same words", "TAXI"],
    ["in other words", "Taxi Ltd"],
  ])(
    "stay posted while this bank has the payment as pending %s, and if it never posts it",
    async (_how, description) => {
      const held = { ...taxi, externalId: "p", description, status: "PENDING" as const };
      const pair = await linkTwice(team, [early, coffee], [rent, taxi], feed);
      await merge(pair);
      const { batches } = pair.shown["first"]!;
      const moved = (await team.rows()).find(({ externalId }) => externalId === "c")!;
      batches.push([held]);
      await readAgain(pair.firstConnection);
      const rows = await team.rows();
      expect(rows.find(({ id }) => id === moved.id)).toEqual(moved);
      expect(rows.find(({ externalId }) => externalId === "p")).toMatchObject({ status: "PENDING" });
      batches.splice(1, 1);
      await readAgain(pair.firstConnection);
      expect(await contents()).toEqual(all);
    },
  );

  it("stay posted where this bank had the payment as pending before the merge, and if it never posts it", async () => {
    const held = { ...taxi, externalId: "p", status: "PENDING" as const };
    const pair = await linkTwice(team, [early, coffee, held], [rent, taxi], feed);
    await merge(pair);
    const ofTaxi = (await team.rows()).filter(({ amount }) => amount === taxi.amount);
    expect(ofTaxi.map(({ status }) => status).toSorted()).toEqual(["PENDING", "POSTED"]);
    pair.shown["first"]!.batches.splice(0, 1, [early, coffee]);
    await readAgain(pair.firstConnection);
    expect(await contents()).toEqual(all);
  });

  it("stay also if the connection of the continuing account has ended", async () => {
    const pair = await linkTwice(team, [early, rent, taxi], [{ ...early, externalId: "e2" }, coffee], feed);
    await disconnect(pair.firstConnection);
    await merge(pair);
    await readAgain(pair.secondConnection);
    expect([await contents(), await banking().quarantine.list({ teamId: team.teamId })]).toEqual([all, []]);
  });

  it("stay without the pending ones of a connection that has ended, which no bank could post or withdraw", async () => {
    const held = { ...taxi, externalId: "p", amount: 10, status: "PENDING" as const };
    const pair = await linkTwice(team, [early, held], [{ ...early, externalId: "e2" }, coffee], feed);
    await disconnect(pair.firstConnection);
    await merge(pair);
    await readAgain(pair.secondConnection);
    expect(await contents()).toEqual(["2026-01-01 100 TEA", "2026-03-01 500 COFFEE"]);
  });

  it("follow their own bank again once its connection continues the account", async () => {
    const pair = await linkTwice(team, [early], [{ ...early, externalId: "e2" }, rent, taxi], feed);
    await merge(pair);
    await disconnect(pair.firstConnection);
    const { batches } = pair.shown["second"]!;
    batches.splice(0, batches.length, [{ ...early, externalId: "e2" }, taxi]);
    await readAgain(pair.secondConnection);
    expect(await contents()).toEqual(["2026-01-01 100 TEA", "2026-02-28 1500 TAXI"]);
  });
});

describe("a payment that the bank of the continuing account omitted before the merge", () => {
  it("stays as the other bank lists it, and is not missing", async () => {
    const feed = { feed: "window", isComplete: false } as const;
    const pair = await linkTwice(team, [early, taxi], [taxi, coffee], feed);
    pair.shown["first"]!.batches.splice(0, 1, [early]);
    expect(await team.sync(pair.firstConnection)).toBe("ok");
    expect(await banking().quarantine.list({ teamId: team.teamId })).toHaveLength(1);
    await merge(pair);
    expect(await contents()).toEqual(all.filter((one) => !one.includes("RENT")));
    expect(await banking().quarantine.list({ teamId: team.teamId })).toEqual([]);
    // It is the same transaction once this bank lists it again.
    pair.shown["first"]!.batches.push([{ ...taxi, description: "Taxi Ltd" }]);
    await readAgain(pair.firstConnection);
    expect(await team.accounts()).toMatchObject([{ transactionCount: 3 }]);
  });

  it("stays one transaction if the other bank, in other words, continues the account", async () => {
    const feed = { feed: "window", isComplete: false } as const;
    const cab = { ...taxi, externalId: "c2", description: "CAB" };
    const pair = await linkTwice(team, [early, taxi], [cab, coffee], feed);
    const before = new Set((await team.rows()).map(({ id }) => id));
    pair.shown["first"]!.batches.splice(0, 1, [early]);
    expect(await team.sync(pair.firstConnection)).toBe("ok");
    await disconnect(pair.firstConnection);
    await merge(pair);
    expect(await banking().quarantine.list({ teamId: team.teamId })).toEqual([]);
    const ofTaxi = (await team.rows()).filter(({ amount }) => amount === taxi.amount);
    expect(ofTaxi.map(({ id }) => before.has(id))).toEqual([true]);
  });
});

describe("the note on a pending transaction whose connection has ended", () => {
  it("passes to the posted row of the other bank", async () => {
    const feed = { feed: "window", isComplete: false } as const;
    const held = { ...taxi, externalId: "p", status: "PENDING" as const };
    const pair = await linkTwice(team, [early, held], [taxi, coffee], feed);
    const { teamId } = team;
    const { id } = (await team.rows()).find(({ externalId }) => externalId === "p")!;
    await banking().transactions.update({ teamId, transactionId: id, note: "To the airport" });
    await disconnect(pair.firstConnection);
    await merge(pair);
    const ofTaxi = (await team.rows()).filter(({ amount }) => amount === taxi.amount);
    expect(ofTaxi).toMatchObject([{ status: "POSTED", note: "To the airport" }]);
  });
});
