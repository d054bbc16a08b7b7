// @module-tag slow
import { day } from "@purser/core/testing";
import { cardSpendingRollups, cardSpendingTotals, cardTransactions, cards } from "@purser/db";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  createTestSequence,
  changeTestTrigger,
  explainQueries,
  refusalOf,
  isNightly,
} from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireHolds } from "../authorizations/service/expire.ts";
import { type CardFixture, createCardFixture } from "../testing/card-scene.ts";
import { rollUpSpending } from "./service/roll-up.ts";

const groups = ["card", "merchant", "category", "day"] as const;

let purser: TestPurser;
let member: Person;
beforeAll(async () => {
  purser = await createTestPurser();
  member = await purser.person();
});
afterAll(() => purser.close());

const at = (text: string) => new Date(text.length === 10 ? `${text}T00:00:00.000Z` : text);
const network = ({ owner }: CardFixture) => purser.as(owner).sandbox.cards;
const rollUp = () => rollUpSpending(purser.platform);
const rollupOf = async ({ organizationId }: CardFixture) => {
  const ofOrganization = eq(cardSpendingRollups.organizationId, organizationId);
  const [found] = await purser.db.select().from(cardSpendingRollups).where(ofOrganization);
  return found?.rolledUpUntil;
};

type Report = Awaited<ReturnType<ReturnType<TestPurser["as"]>["cards"]["reports"]["spending"]>>;

const merchants = [
  { name: "Corner Shop", id: "m-1", category: "5411" },
  { name: "Corner Shop 2", id: "m-1", category: "5411" },
  { name: "Hotel", category: "7011" },
  { name: "Nameless" },
];

describe("random card histories", () => {
  it(
    "are reported as the listed transactions add up",
    { timeout: isNightly ? 3_600_000 : 240_000 },
    async () => {
      await fc.assert(fc.asyncProperty(aHistory, reportsLedger), { numRuns: isNightly ? 500 : 3 });
    },
  );
});

const aStep = fc.record({
  /** Hours until the next step. */
  pause: fc.constantFrom(0, 0, 1, 9, 30, 24 * 9, 24 * 35),
  act: fc.constantFrom("buy", "buy", "buy", "clear", "reverse", "refund", "expire", "rollUp", "zone"),
  card: fc.nat(1),
  merchant: fc.nat(merchants.length - 1),
  amount: fc.integer({ min: 0, max: 900 }),
});
const zones = ["UTC", "Europe/London", "America/New_York", "Pacific/Kiritimati"];
const aHistory = fc.record({
  steps: fc.array(aStep, { minLength: 4, maxLength: 14 }),
  start: fc.constantFrom("2026-03-28T22:00:00Z", "2026-02-27T03:00:00Z", "2026-10-24T23:00:00Z"),
  timeZone: fc.constantFrom(...zones),
  /** Days before the end of the history. */
  range: fc.tuple(fc.nat(60), fc.nat(60)),
});

async function reportsLedger({ steps, start, timeZone, range }: History): Promise<void> {
  purser.clock.set(start);
  const fixture = await createCardFixture(purser, { members: [member] });
  const { organizationId: id } = fixture;
  const setZone = (zone: string) =>
    purser.as(fixture.owner).organizations.settings.update({ id, timeZone: zone });
  await setZone(timeZone);
  const twoCards = [
    await fixture.card({ spendingLimit: 500, limitInterval: "PER_TRANSACTION" }),
    await fixture.card({}, member.userId),
  ];
  const bought: string[] = [];
  for (const step of steps) {
    purser.clock.advance(step.pause * 60 * 60 * 1000);
    const transactionId = bought[step.amount % Math.max(1, bought.length)] ?? "";
    const acts = {
      buy: async () => {
        const merchant = merchants[step.merchant]!;
        bought.push((await fixture.buy(twoCards[step.card]!.id, { amount: step.amount, merchant })).id);
      },
      clear: () => network(fixture).clear({ transactionId }),
      reverse: () => network(fixture).reverse({ transactionId }),
      refund: () => network(fixture).refund({ transactionId }),
      expire: () => expireHolds(purser.platform),
      rollUp,
      zone: () => setZone(zones[step.amount % zones.length]!),
    };
    // The network may refuse it, for example to clear what has been reversed.
    await acts[step.act]().catch((error: unknown) => error);
  }
  await rollUp();
  const now = purser.clock.now().getTime();
  const [later, earlier] = range.toSorted((one, other) => one - other);
  const from = at(new Date(now - earlier! * day).toISOString().slice(0, 10));
  const to = at(new Date(now - later! * day).toISOString().slice(0, 10));
  const { timeZone: zone } = await purser.as(fixture.owner).organizations.settings.get({ id });
  for (const person of [fixture.owner, member])
    for (const groupBy of groups) {
      const input = { organizationId: id, from, to, groupBy };
      const report = await purser.as(person).cards.reports.spending(input);
      expect(withoutLabels(report), groupBy).toEqual(await recompute(person, zone, input));
    }
}

type History = typeof aHistory extends fc.Arbitrary<infer Value> ? Value : never;

const order = ({ key, currency }: { key: string | null; currency: string }) => `${key ?? ""} ${currency}`;
const withoutLabels = (report: Report) =>
  report
    .map((item) => ({ ...item, label: "" }))
    .toSorted((one, other) => (order(one) < order(other) ? -1 : 1));

/** The same report, from the list that the person sees. A refund is the only row with a negative amount. */
async function recompute(
  person: Person,
  timeZone: string,
  { organizationId, from, to, groupBy }: { organizationId: string; from: Date; to: Date; groupBy: string },
) {
  const items = new Map<string, Report[number]>();
  const nothing = { label: "", currency: "GBP", approved: 0, declined: 0, count: 0, declinedCount: 0 };
  const today = purser.clock.now().toLocaleDateString("sv-SE", { timeZone });
  for (let time = from.getTime(); time <= to.getTime(); time += day) {
    const key = new Date(time).toISOString().slice(0, 10);
    if (groupBy === "day" && key <= today) items.set(key, { ...nothing, key });
  }
  for (const one of await purser.as(person).cards.transactions.list({ organizationId })) {
    const date = one.createdAt.toLocaleDateString("sv-SE", { timeZone });
    if (date < from.toISOString().slice(0, 10) || date > to.toISOString().slice(0, 10)) continue;
    const keys: Record<string, string | null> = {
      card: one.cardId,
      merchant: one.merchantId ?? one.merchantName,
      category: one.merchantCategory,
      day: date,
    };
    const key = keys[groupBy] ?? null;
    const item = items.get(String(key)) ?? { ...nothing, key, currency: one.currency };
    const isGivenBack = /^authorization_(reversed|expired)$/.test(one.declineReason ?? "");
    if (one.status !== "DECLINED") item.approved += one.amount;
    if (one.status !== "DECLINED" && one.amount > 0) item.count += 1;
    if (one.status === "DECLINED" && !isGivenBack) item.declined += one.amount;
    if (one.status === "DECLINED" && !isGivenBack && one.amount > 0) item.declinedCount += 1;
    items.set(String(key), item);
  }
  return [...items.values()].toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

describe("cards.reports.spending", () => {
  it("counts holds and clearings less refunds, and refusals separately", async () => {
    purser.clock.set("2026-03-02T09:00:00Z");
    const fixture = await createCardFixture(purser);
    const card = await fixture.card({ spendingLimit: 500, limitInterval: "PER_TRANSACTION" });
    const { organizationId } = fixture;
    const cleared = await fixture.buy(card.id, { amount: 300 });
    await network(fixture).clear({ transactionId: cleared.id, amount: 250 });
    await network(fixture).refund({ transactionId: cleared.id, amount: 50 });
    await fixture.buy(card.id, { amount: 70 });
    await fixture.buy(card.id, { amount: 900 });
    const reversed = await fixture.buy(card.id, { amount: 20 });
    await network(fixture).reverse({ transactionId: reversed.id });
    const range = { organizationId, from: at("2026-03-01"), to: at("2026-03-31") };
    const spending = { currency: "GBP", approved: 270, declined: 900, count: 2, declinedCount: 1 };
    const report = (groupBy: (typeof groups)[number]) =>
      purser.as(fixture.owner).cards.reports.spending({ ...range, groupBy });
    expect(await report("merchant")).toEqual([{ ...spending, key: "m-1", label: "Corner Shop" }]);
    expect(await report("category")).toEqual([{ ...spending, key: "5411", label: "5411" }]);
    const nothing = { currency: "GBP", approved: 0, declined: 0, count: 0, declinedCount: 0 };
    expect(await report("day")).toEqual([
      { ...nothing, key: "2026-03-01", label: "2026-03-01" },
      { ...spending, key: "2026-03-02", label: "2026-03-02" },
    ]);
    expect(await report("card")).toEqual([
      { ...spending, key: card.id, label: expect.stringMatching(/^•••• \d{4}$/) },
    ]);
    const tooLong = { ...range, from: at("2024-03-01"), groupBy: "day" as const };
    expect(await refusalOf(purser.as(fixture.owner).cards.reports.spending(tooLong))).toBe(
      "VALIDATION_FAILED",
    );
    const tomorrow = { ...range, from: at("2026-03-03"), groupBy: "day" as const };
    expect(await purser.as(fixture.owner).cards.reports.spending(tomorrow)).toEqual([]);
  });

  it("lists every day of every currency of the cards that the caller sees, with zeros where nothing was spent", async () => {
    purser.clock.set("2026-03-05T09:00:00Z");
    const fixture = await createCardFixture(purser, { members: [member] });
    const { organizationId, owner } = fixture;
    const report = async (person: Person, to = "2026-03-31") => {
      const range = { organizationId, from: at("2026-03-02"), to: at(to), groupBy: "day" as const };
      const items = await purser.as(person).cards.reports.spending(range);
      return items.map(({ key, currency, approved, count }) => `${key} ${currency} ${approved} ${count}`);
    };
    expect(await report(owner)).toEqual([]);
    const card = await fixture.card();
    const dollars = await fixture.card();
    await purser.db.update(cards).set({ currency: "USD" }).where(eq(cards.id, dollars.id));
    expect(await report(owner, "2026-03-02")).toEqual(["2026-03-02 GBP 0 0", "2026-03-02 USD 0 0"]);
    expect(await report(member)).toEqual([]);
    await fixture.card({}, member.userId);
    await fixture.buy(card.id, { amount: 300 });
    purser.clock.advance(2 * day);
    expect(await report(member)).toEqual(
      ["02", "03", "04", "05", "06", "07"].map((date) => `2026-03-${date} GBP 0 0`),
    );
    expect((await report(owner)).filter((item) => item.includes("GBP"))).toEqual(
      ["02", "03", "04", "05", "06", "07"].map(
        (date) => `2026-03-${date} GBP ${date === "05" ? "300 1" : "0 0"}`,
      ),
    );
  });

  it("refuses a sum beyond the range of amounts, and reports what is within it", async () => {
    purser.clock.set("2026-03-02T09:00:00Z");
    const fixture = await createCardFixture(purser);
    const card = await fixture.card({ spendingLimit: 500, limitInterval: "PER_TRANSACTION" });
    await fixture.buy(card.id, { amount: 900 });
    purser.clock.advance(day);
    await fixture.buy(card.id, { amount: 900 });
    // The sandbox refuses such amounts. Networks report them.
    const amount = Number.MAX_SAFE_INTEGER;
    const ofTeam = eq(cardTransactions.organizationId, fixture.organizationId);
    await purser.db.update(cardTransactions).set({ amount }).where(ofTeam);
    const range = { organizationId: fixture.organizationId, from: at("2026-03-01"), to: at("2026-03-31") };
    const report = (groupBy: (typeof groups)[number]) =>
      purser.as(fixture.owner).cards.reports.spending({ ...range, groupBy });
    expect(await refusalOf(report("card"))).toBe("SUM_TOO_LARGE");
    expect((await report("day")).map(({ declined }) => declined)).toEqual([0, amount, amount]);
  });

  it("reads totals of days that are final, and the transactions of the others", async () => {
    purser.clock.set("2026-03-02T09:00:00Z");
    const fixture = await createCardFixture(purser);
    const card = await fixture.card();
    const first = await fixture.buy(card.id, { amount: 300 });
    purser.clock.set("2026-03-05T09:00:00Z");
    await rollUp();
    // The hold of the first day may still change.
    expect(await rollupOf(fixture)).toBeNull();
    await network(fixture).clear({ transactionId: first.id });
    await fixture.buy(card.id, { amount: 50 });
    await rollUp();
    await rollUp();
    expect(await rollupOf(fixture)).toBe("2026-03-03");
    purser.clock.set("2026-04-02T09:00:00Z");
    await expireHolds(purser.platform);
    await rollUp();
    expect(await rollupOf(fixture)).toBe("2026-03-31");
    await fixture.buy(card.id, { amount: 7 });
    const range = { organizationId: fixture.organizationId, from: at("2026-03-01"), to: at("2026-04-30") };
    const report = () => purser.as(fixture.owner).cards.reports.spending({ ...range, groupBy: "card" });
    expect((await report()).map(({ approved }) => approved)).toEqual([307]);
    // What the totals say is what is reported: the transactions in them are not read.
    const ofTeam = eq(cardSpendingTotals.organizationId, fixture.organizationId);
    await purser.db.update(cardSpendingTotals).set({ approved: 1000n }).where(ofTeam);
    expect((await report()).map(({ approved }) => approved)).toEqual([1007]);
    const plans = await explainQueries(purser, "card_transactions", report);
    expect(plans.flat().map(({ type }) => type)).not.toContain("Seq Scan");
    // In another time zone the days differ, and are counted again.
    const { organizationId: id } = fixture;
    await purser.as(fixture.owner).organizations.settings.update({ id, timeZone: "Asia/Tokyo" });
    expect((await report()).map(({ approved }) => approved)).toEqual([307]);
    await rollUp();
    expect((await report()).map(({ approved }) => approved)).toEqual([307]);
    const [row] = await purser.db.execute(sql`
      SELECT count(*)::int AS months FROM card_spending_totals WHERE organization_id = ${id} AND monthly`);
    expect(row).toEqual({ months: 3 });
  });

  it("counts each purchase once, wherever the task that adds up the totals is killed", async () => {
    purser.clock.set("2026-03-29T09:00:00Z");
    const fixture = await createCardFixture(purser);
    const card = await fixture.card();
    const { organizationId } = fixture;
    for (let bought = 0; bought < 5; bought += 1) {
      const { id: transactionId } = await fixture.buy(card.id, { amount: 10 ** bought });
      await network(fixture).clear({ transactionId });
      purser.clock.advance(day);
    }
    purser.clock.set("2026-04-10T09:00:00Z");
    // Ends the task's own connection while it writes some of the totals, as a crash would.
    await createTestSequence(purser.db, "written_totals");
    await purser.db.execute(sql`
      CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('written_totals') IN (2, 7, 12, 20, 25) THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN NEW;
      END $$`);
    await changeTestTrigger(
      purser.db,
      sql`CREATE TRIGGER killed BEFORE INSERT ON card_spending_totals FOR EACH ROW EXECUTE FUNCTION end_connection()`,
    );
    const ends: string[] = [];
    const end = () =>
      rollUp().then(
        () => "whole",
        () => "killed",
      );
    while (ends.at(-1) !== "whole" && ends.length < 10) ends.push(await end());
    await changeTestTrigger(purser.db, sql`DROP TRIGGER killed ON card_spending_totals`);
    expect(ends).toEqual(["killed", "killed", "killed", "killed", "killed", "whole"]);
    expect(await rollupOf(fixture)).toBe("2026-04-08");
    const range = { organizationId, from: at("2026-03-01"), to: at("2026-04-08") };
    for (const groupBy of groups) {
      const report = await purser.as(fixture.owner).cards.reports.spending({ ...range, groupBy });
      const sum = report.reduce((approved, item) => approved + item.approved, 0);
      expect(sum, groupBy).toBe(11_111);
    }
  });
});
