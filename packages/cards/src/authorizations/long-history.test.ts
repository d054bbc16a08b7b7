import { cardCounters } from "@purser/db";
import { type TestPurser, createTestPurser, explainQueries } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { cardNetwork } from "../testing/network.ts";
import { authorizePurchase } from "./service/authorize.ts";
import { incrementHold } from "./service/increment.ts";
import { type DecisionContext, findDecisionContext, findDecisionDatabase } from "./store/decision-context.ts";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

/** Adds the counters of a card that was used on each of the last 1,400 days: about 1,650. */
async function ageCard({ organizationId, id: cardId }: TestCard): Promise<void> {
  await purser.db.execute(sql`
    INSERT INTO ${cardCounters} (organization_id, card_id, period, starts_on, used)
    SELECT DISTINCT ${organizationId}, ${cardId}, period, starts_on::date, 1
    FROM generate_series(1, 1400) AS ago, LATERAL (SELECT date '2026-03-02' - ago::int AS day) AS days,
      LATERAL (VALUES ('DAY', day::timestamp), ('WEEK', date_trunc('week', day::timestamp)),
        ('MONTH', date_trunc('month', day::timestamp))) AS started (period, starts_on)`);
}

async function contextOf({ reference }: TestCard, at: Date): Promise<DecisionContext> {
  const card = { issuer: "sandbox", reference } as const;
  const { db, batchOf } = (await findDecisionDatabase(purser.platform, card))!;
  return (await findDecisionContext(db, { ...card, at, organizationId: batchOf }))!;
}

describe("a card with 1,650 counters", () => {
  it("has seven of them read for a decision", async () => {
    const card = await fixture.card();
    await ageCard(card);
    const plans = await explainQueries(purser, "card_counters", async () => {
      const { counters } = await contextOf(card, purser.clock.now());
      expect(counters).toEqual({ "DAY 2026-03-01": 1, "WEEK 2026-02-23": 1, "MONTH 2026-03-01": 1 });
    });
    // No step reads the table without an index.
    expect(plans.flat().map(({ type }) => type)).not.toContain("Seq Scan");
    const reads = plans.flat().filter(({ index }) => index?.startsWith("card_counters"));
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(7);
  });

  it("has only its months summed for limits of a year and of all time, exactly", async () => {
    const card = await fixture.card({
      limits: [
        { amount: 1000, interval: "YEARLY" },
        { amount: 1000, interval: "ALL_TIME" },
      ],
    });
    await ageCard(card);
    // Since 2 May 2022: 47 months, of which three are in this year.
    const { counters } = await contextOf(card, new Date("2026-01-01T12:00:00.000Z"));
    expect(counters).toMatchObject({ "YEAR 2025-01-01": 12, "YEAR 2026-01-01": 3, ALL_TIME: 47 });
  });

  it("is decided on by the counters of the purchase, in every time zone and for an increment", async () => {
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      await purser.as(fixture.owner).organizations.settings.update({ id: fixture.organizationId, timeZone });
      const card = await fixture.card({ spendingLimit: 1000, limitInterval: "MONTHLY" });
      await ageCard(card);
      // In Kiritimati, March has begun.
      const at = new Date("2026-02-28T23:59:00.000Z");
      const { authorization, increment } = cardNetwork({ card: card.reference, at });
      const purchase = authorization({ amount: 500 });
      await authorizePurchase(purser.platform, "sandbox", purchase);
      const hold = async (amount: number) => {
        const more = increment(purchase.authorization, amount);
        return (await incrementHold(purser.platform, "sandbox", more)).response.reason;
      };
      // One unit was used in each month before.
      expect([await hold(500), await hold(499)]).toEqual(["monthly_limit_exceeded", null]);
    }
  });
});
