import { cardLimitIntervals, createRandom } from "@purser/core";
import { cardLedgerEntries, cardPolicies, cardTransactions } from "@purser/db";
import {
  type Service,
  type TestPurser,
  createTestPurser,
  openOtherProcess,
  problemOf,
} from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthorizationMessage, authorizePurchase } from "./service/authorize.ts";
import { recordSettlement } from "./service/settle.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { historyOf, recordHistory } from "../testing/history.ts";
import { cardNetwork, expectUnavailable, repeatWhileUnavailable } from "../testing/network.ts";

let purser: TestPurser;
/** Another process on the same database. */
let other: Service;
let fixture: CardFixture;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  other = await openOtherProcess(purser, { settings: { databasePrepare: false } });
  fixture = await createCardFixture(purser);
  ({ organizationId } = fixture);
  await recordHistory(purser);
});
afterAll(async () => {
  await other.close();
  await purser.close();
});

const policies = () => purser.as(fixture.owner).cards.policies;
const create = (rules: object = {}) => policies().create({ organizationId, name: "Policy", ...rules });
const update = (policyId: string, patch: object) => policies().update({ organizationId, policyId, ...patch });

type Limit = Awaited<ReturnType<typeof create>>["limits"][number];

const of = (amount: number, interval: Limit["interval"]): Limit => ({ amount, interval });

/** The paths of the invalid input fields. */
async function wrong(call: Promise<unknown>) {
  const { code, issues } = problemOf(await call.then(String, (error: unknown) => error));
  return { code, paths: issues?.map(({ path }) => path.join(".")) };
}

describe("cards.policies.create, with several limits", () => {
  it.each([
    [{ limits: null }, "limits"],
    [{ limits: [{ amount: -1, interval: "DAILY" }] }, "limits.0.amount"],
    [{ limits: [{ amount: 1.5, interval: "DAILY" }] }, "limits.0.amount"],
    [{ limits: [{ amount: 1 }] }, "limits.0.interval"],
    [{ limits: [{ amount: 1, interval: null }] }, "limits.0.interval"],
    [{ limits: [{ amount: 1, interval: "HOURLY" }] }, "limits.0.interval"],
    [{ limits: [{ amount: 1, interval: "DAILY", currency: "GBP" }] }, "limits.0"],
    [{ limits: [of(1, "DAILY"), of(2, "YEARLY"), of(3, "DAILY")] }, "limits"],
    // The pair is the first of the limits.
    [{ limits: [of(1, "DAILY")], spendingLimit: 2 }, "limits"],
    [{ limits: [of(1, "DAILY")], spendingLimit: null }, "limits"],
    [{ limits: [of(1, "DAILY")], spendingLimit: 1, limitInterval: null }, "limits"],
    [{ limits: [of(1, "DAILY"), of(2, "WEEKLY")], spendingLimit: 2, limitInterval: "WEEKLY" }, "limits"],
    [{ limits: [of(1, "YEARLY")], spendingLimit: 1 }, "limits"],
    [{ limits: [of(1, "YEARLY")], limitInterval: "MONTHLY" }, "limits"],
    [{ limits: [], spendingLimit: 1 }, "limits"],
  ])("refuses %j", async (rules, path) => {
    expect(await wrong(create(rules))).toEqual({ code: "VALIDATION_FAILED", paths: [path] });
  });
});

describe("cards.policies.update, with several limits", () => {
  const [daily, monthly, yearly] = [of(10, "DAILY"), of(30, "MONTHLY"), of(50, "YEARLY")];
  const pair = (spendingLimit: number | null, limitInterval: string | null) => ({
    spendingLimit,
    limitInterval,
  });

  it.each<[what: string, before: object, patch: object, after: object]>([
    [
      "shows the first limit as the pair",
      {},
      { limits: [monthly, daily] },
      { ...pair(30, "MONTHLY"), limits: [monthly, daily] },
    ],
    [
      "shows no pair for a year",
      { limits: [daily] },
      { limits: [yearly, daily] },
      { ...pair(null, null), limits: [yearly, daily] },
    ],
    ["shows the pair as a limit", {}, pair(10, "DAILY"), { ...pair(10, "DAILY"), limits: [daily] }],
    [
      "shows a pair without an interval per transaction",
      {},
      { spendingLimit: 7 },
      { ...pair(7, null), limits: [of(7, "PER_TRANSACTION")] },
    ],
    ["shows no limit for an interval alone", {}, pair(null, "DAILY"), { ...pair(null, "DAILY"), limits: [] }],
    [
      "takes the pair beside the same limit",
      {},
      { ...pair(10, "DAILY"), limits: [daily, yearly] },
      { limits: [daily, yearly] },
    ],
    [
      "takes its own answer again",
      { spendingLimit: 7, daysOfWeek: [1] },
      { ...pair(7, null), limits: [of(7, "PER_TRANSACTION")] },
      { ...pair(7, null), daysOfWeek: [1] },
    ],
    [
      "replaces the first limit alone by another amount",
      { limits: [daily, yearly] },
      { spendingLimit: 11 },
      { limits: [of(11, "DAILY"), yearly] },
    ],
    [
      "replaces the first limit alone by another interval",
      { limits: [daily, yearly] },
      { limitInterval: "WEEKLY" },
      { ...pair(10, "WEEKLY"), limits: [of(10, "WEEKLY"), yearly] },
    ],
    [
      "replaces a first limit that the pair cannot show",
      { limits: [yearly, daily] },
      pair(30, "MONTHLY"),
      { limits: [monthly, daily] },
    ],
    [
      "removes the first limit alone",
      { limits: [daily, monthly] },
      { spendingLimit: null },
      { ...pair(30, "MONTHLY"), limits: [monthly] },
    ],
    [
      "removes the only limit and keeps its interval",
      { limits: [daily] },
      { spendingLimit: null },
      { ...pair(null, "DAILY"), limits: [] },
    ],
    [
      "removes no year with an empty pair",
      { limits: [yearly] },
      pair(null, null),
      { ...pair(null, null), limits: [yearly] },
    ],
    [
      "removes no year with an interval alone",
      { limits: [yearly] },
      { limitInterval: "DAILY" },
      { ...pair(null, null), limits: [yearly] },
    ],
    ["removes all limits", { limits: [yearly, daily] }, { limits: [] }, { ...pair(null, null), limits: [] }],
    [
      "leaves the limits alone",
      { limits: [yearly, daily] },
      { allowAtm: false },
      { allowAtm: false, limits: [yearly, daily] },
    ],
  ])("%s", async (_what, before, patch, after) => {
    const policy = await create(before);
    const changed = await update(policy.id, patch);
    expect(changed).toMatchObject(after);
    const [listed] = await policies().list({ organizationId, limit: 1 });
    expect(listed).toEqual({ ...changed, cardCount: 0, currencies: [] });
    // What is shown may be sent back, and changes nothing.
    const { id: policyId, organizationId: _organizationId, ...shown } = changed;
    expect(await update(policyId, shown)).toEqual(changed);
  });

  it("refuses a pair with the interval of another limit", async () => {
    const { id } = await create({ limits: [daily, monthly] });
    const refused = { code: "VALIDATION_FAILED", paths: ["limits"] };
    expect(await wrong(update(id, { limitInterval: "MONTHLY" }))).toEqual(refused);
  });

  it("reads policies that an older version of the service has written", async () => {
    const { id } = await create({ limits: [yearly, daily] });
    const { db } = purser;
    // It knows only the pair.
    await db
      .update(cardPolicies)
      .set(pair(9, "DAILY") as never)
      .where(eq(cardPolicies.id, id));
    const [listed] = await policies().list({ organizationId, limit: 1 });
    expect(listed).toMatchObject({ ...pair(9, "DAILY"), limits: [of(9, "DAILY"), yearly] });
    await db.execute(sql`
      INSERT INTO card_policies (organization_id, id, name, spending_limit, limit_interval, allow_atm, allow_online,
        allow_international, merchant_categories, blocked_merchants, days_of_week, created_at)
      SELECT organization_id, 'pol_7zzzzzzzzzzzzzzzzzzzzzzzzz', 'Old', 9, 'WEEKLY', true, true, true, '{}', '{}', '{}', created_at
      FROM card_policies WHERE id = ${id}`);
    const [old] = await policies().list({ organizationId, limit: 1 });
    expect(old).toMatchObject({
      ...pair(9, "WEEKLY"),
      limits: [of(9, "WEEKLY")],
      blockedMerchantCategories: [],
      allowedMerchants: [],
    });
    await db.delete(cardPolicies).where(eq(cardPolicies.id, old!.id));
    await db.update(cardPolicies).set({ furtherLimits: [] }).where(eq(cardPolicies.id, id));
    expect((await policies().list({ organizationId, limit: 1 }))[0]!.limits).toEqual([of(9, "DAILY")]);
  });
});

const networkAt = (card: TestCard) => cardNetwork({ card: card.reference, at: purser.clock.now() });

/** Sends all of these requests at the same time, to two processes. */
const authorizeAll = (messages: AuthorizationMessage[]) =>
  Promise.all(
    messages.map(async (message, index) => {
      const platform = index % 2 === 0 ? purser.platform : other.platform;
      const result = await repeatWhileUnavailable(() => authorizePurchase(platform, "sandbox", message));
      return { amount: message.amount, ...result };
    }),
  );

describe("authorizePurchase, under several limits", () => {
  const windowed = cardLimitIntervals.slice(1);
  const pairs = windowed.map(
    (interval, index) => [interval, windowed[(index + 1) % windowed.length]!] as const,
  );

  it.each(pairs)(
    "keeps to the limit %s and to a looser limit %s at once, of 200 concurrent requests",
    async (tight, loose) => {
      const card = await fixture.card({
        limits: [
          { amount: 5100, interval: loose },
          { amount: 5000, interval: tight },
        ],
      });
      const chance = createRandom("several", tight);
      const { authorization } = networkAt(card);
      const results = await authorizeAll(
        Array.from({ length: 200 }, () => authorization({ amount: chance.whole(1, 900) })),
      );
      const spent = results.reduce((sum, { transaction }) => sum + transaction.held, 0);
      expect(spent).toBeLessThanOrEqual(5000);
      for (const { amount, response } of results) {
        if (!response.approved) expect(spent + amount).toBeGreaterThan(5000);
      }
    },
  );

  it("keeps to a year and to all time with purchases of several months and years at once", async () => {
    const card = await fixture.card({
      limits: [
        { amount: 3000, interval: "YEARLY" },
        { amount: 7000, interval: "ALL_TIME" },
      ],
    });
    const days = ["2024-12-31", "2025-01-01", "2025-06-30", "2025-12-31", "2026-01-01", "2026-03-02"];
    const messages = Array.from({ length: 120 }, (_, index) => {
      const at = new Date(`${days[index % days.length]}T12:00:00Z`);
      return cardNetwork({ card: card.reference, at }).authorization({ amount: 100 });
    });
    const results = await authorizeAll(messages);
    const approved = results.filter(({ response }) => response.approved);
    expect(approved).toHaveLength(70);
    const ofYear = Map.groupBy(approved, ({ transaction }) => transaction.localDay.slice(0, 4));
    for (const { length } of ofYear.values()) expect(length).toBeLessThanOrEqual(30);
    expect([...ofYear.keys()].toSorted()).toEqual(["2024", "2025", "2026"]);
  });

  it("counts every settlement that arrives beside the purchases against a year and a day", async () => {
    const card = await fixture.card({
      limits: [
        { amount: 2000, interval: "DAILY" },
        { amount: 3000, interval: "YEARLY" },
      ],
    });
    const { authorization, clearing } = networkAt(card);
    const lastMonth = cardNetwork({ card: card.reference, at: new Date("2026-02-10T12:00:00Z") });
    const buying = Array.from({ length: 40 }, () => authorization({ amount: 100 })).map((message, index) => {
      const platform = index % 2 === 0 ? purser.platform : other.platform;
      // A request that waits too long for a lock is refused.
      return authorizePurchase(platform, "sandbox", message).catch(expectUnavailable);
    });
    // Money that merchants take without a hold, today and last month.
    const forced = Array.from({ length: 12 }, (_, index) => {
      const message = (index % 2 === 0 ? clearing : lastMonth.clearing)(null, 100);
      return repeatWhileUnavailable(() => recordSettlement(other.platform, "sandbox", message));
    });
    await Promise.all([...buying, ...forced]);
    const history = await historyOf(purser, card.id);
    const { db } = purser;
    const stored = await db.select().from(cardLedgerEntries).where(eq(cardLedgerEntries.cardId, card.id));
    const entries = new Map(stored.map((entry) => [entry.id, entry]));
    const rows = await db.select().from(cardTransactions).where(eq(cardTransactions.cardId, card.id));
    const dayOf = new Map(rows.map(({ id, localDay }) => [id, localDay]));
    const used = { today: 0, year: 0 };
    for (const { entryId } of history.filter((change) => change.entryId !== null)) {
      const { kind, counted, transactionId } = entries.get(entryId!)!;
      if (dayOf.get(transactionId) === "2026-03-02") used.today += counted;
      used.year += counted;
      if (kind !== "AUTHORIZATION" || counted === 0) continue;
      expect(used.today).toBeLessThanOrEqual(2000);
      expect(used.year).toBeLessThanOrEqual(3000);
    }
  });
});
