import { day } from "@purser/core/testing";
import { cardSpendingRollups, cardSpendingTotals } from "@purser/db";
import { type TestPurser, changeTestTrigger, createTestPurser, createTestSequence } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, createCardFixture } from "../testing/card-scene.ts";
import { rollUpSpending } from "./service/roll-up.ts";
import { listOrganizationsToRollUp } from "./store.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const rollUp = () => rollUpSpending(purser.platform);
const rollupOf = async ({ organizationId }: CardFixture) => {
  const ofOrganization = eq(cardSpendingRollups.organizationId, organizationId);
  const [found] = await purser.db.select().from(cardSpendingRollups).where(ofOrganization);
  return found;
};

/** A team with a purchase of 300 on March 2 that is cleared, nine days later. */
async function team(): Promise<CardFixture> {
  purser.clock.set("2026-03-02T09:00:00Z");
  const fixture = await createCardFixture(purser);
  const { id: transactionId } = await fixture.buy((await fixture.card()).id, { amount: 300 });
  await purser.as(fixture.owner).sandbox.cards.clear({ transactionId });
  purser.clock.advance(9 * day);
  return fixture;
}

describe("the task that adds up spending", () => {
  it("replaces the totals of a large team in another time zone step by step, wherever it is killed", async () => {
    const fixture = await team();
    const { organizationId: id } = fixture;
    await rollUp();
    const ofTeam = eq(cardSpendingTotals.organizationId, id);
    const count = () => purser.db.$count(cardSpendingTotals, ofTeam);
    await purser.db.execute(sql`
      INSERT INTO card_spending_totals (organization_id, group_by, monthly, starts_on, currency, key, label, approved,
        declined, count, declined_count)
      SELECT ${id}, 'merchant', false, '2025-01-01', 'GBP', 'm-' || n, '', 1, 0, 1, 0 FROM generate_series(1, 12000) AS n`);
    const before = await count();
    await purser.as(fixture.owner).organizations.settings.update({ id, timeZone: "Asia/Tokyo" });
    // A statement that deletes more rows takes longer than statements may. The third one is killed.
    await createTestSequence(purser.db, "deletions");
    await purser.db.execute(sql`
      CREATE FUNCTION check_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM deleted) > 5000 THEN RAISE 'canceling statement due to statement timeout'; END IF;
        IF nextval('deletions') = 3 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN NULL;
      END $$`);
    await changeTestTrigger(
      purser.db,
      sql`CREATE TRIGGER timed AFTER DELETE ON card_spending_totals REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION check_deletion()`,
    );
    const report = () =>
      purser.as(fixture.owner).cards.reports.spending({
        organizationId: id,
        from: new Date("2025-01-01"),
        to: new Date("2026-03-31"),
        groupBy: "merchant",
      });
    await expect(rollUp()).rejects.toBeInstanceOf(AggregateError);
    expect(await count()).toBe(before - 10_000);
    expect((await report()).map(({ approved }) => approved)).toEqual([300]);
    await rollUp();
    await changeTestTrigger(purser.db, sql`DROP TRIGGER timed ON card_spending_totals`);
    expect(await rollupOf(fixture)).toMatchObject({ timeZone: "Asia/Tokyo", rolledUpUntil: "2026-03-09" });
    expect((await report()).map(({ approved }) => approved)).toEqual([300]);
    const totals = await purser.db.select().from(cardSpendingTotals).where(ofTeam);
    expect(new Set(totals.map(({ startsOn }) => startsOn))).toEqual(new Set(["2026-03-02"]));
  });

  it("adds up the spending of the other teams if that of one fails, and fails at the end", async () => {
    const teams = [await team(), await team(), await team()];
    // The first one, so that it would stop both others.
    const failing = (await listOrganizationsToRollUp(purser.db, "2026-03-10")).find((id) =>
      teams.some(({ organizationId }) => organizationId === id),
    );
    await purser.db.execute(sql`
      CREATE FUNCTION refuse_totals() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE 'refused';
      END $$`);
    await changeTestTrigger(
      purser.db,
      sql`CREATE TRIGGER refused BEFORE INSERT ON card_spending_totals FOR EACH ROW
        WHEN (NEW.organization_id = ${sql.raw(`'${failing}'`)}) EXECUTE FUNCTION refuse_totals()`,
    );
    const logged: object[] = [];
    const logger = { ...purser.platform.logger, error: (fields: object) => void logged.push(fields) };
    await expect(rollUpSpending({ ...purser.platform, logger })).rejects.toBeInstanceOf(AggregateError);
    await changeTestTrigger(purser.db, sql`DROP TRIGGER refused ON card_spending_totals`);
    expect(logged).toEqual([{ organizationId: failing, reason: expect.any(String) }]);
    for (const fixture of teams) {
      const isFailing = fixture.organizationId === failing;
      expect((await rollupOf(fixture))?.rolledUpUntil).toBe(isFailing ? undefined : "2026-03-09");
    }
    await rollUp();
    for (const fixture of teams) expect((await rollupOf(fixture))?.rolledUpUntil).toBe("2026-03-09");
  });
});
