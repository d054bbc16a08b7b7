import { measureCalls } from "../calls.ts";
import { measureTable } from "../table.ts";
import { type Issued, deciderOn, issueCards, useCards } from "./setup.ts";

/** The goal as a share of the rate with new cards. */
const goal = 0.9;
const cardsPerKind = 60;

/** Compares decisions on cards with 1,700 counters and 60 different expiry months with decisions on new cards. */
export async function longHistory(): Promise<void> {
  const issued = await issueCards(2 * cardsPerKind);
  try {
    const fresh = issued.cardIds.slice(0, cardsPerKind);
    const old = issued.cardIds.slice(cardsPerKind);
    await useCards(issued);
    await ageCards(issued, old);
    const limit = "new cards";
    await measureTable(
      "Deciding on one purchase at a time, without HTTP",
      limit,
      [
        [limit, () => measureCalls(deciderOn(issued, fresh), 1)],
        ["cards with 1,700 counters", () => measureCalls(deciderOn(issued, old), 1), goal],
      ],
      1,
    );
    const { purser, owner, organizationId, policyId } = issued;
    const limits = (["MONTHLY", "YEARLY", "ALL_TIME"] as const).map((interval) => ({
      amount: 1e12,
      interval,
    }));
    await purser.as(owner).cards.policies.update({ organizationId, policyId, limits });
    await measureTable(
      "Deciding on one purchase at a time under limits of a month, a year and all time, without HTTP",
      limit,
      [
        [limit, () => measureCalls(deciderOn(issued, fresh), 1)],
        ["cards with 1,700 counters", () => measureCalls(deciderOn(issued, old), 1), goal],
      ],
      1,
    );
  } finally {
    await issued.close();
  }
}

/** Four years of daily use: 1,460 days, 209 weeks and 48 months, and an expiry month of its own per card. */
async function ageCards({ sql, organizationId }: Issued, cardIds: string[]): Promise<void> {
  await sql`
    UPDATE cards SET expiry_month = 1 + n % 12, expiry_year = 2040 + n / 12
    FROM unnest(${cardIds}::text[]) WITH ORDINALITY AS aged (card_id, n) WHERE id = card_id`;
  await sql`
    INSERT INTO card_counters (organization_id, card_id, period, starts_on, used)
    SELECT DISTINCT ${organizationId}, card_id, period, starts_on::date, 1250
    FROM unnest(${cardIds}::text[]) AS card_id, generate_series(1, 1460) AS ago,
      LATERAL (SELECT (now()::date - ago)::timestamp AS day) AS days,
      LATERAL (VALUES ('DAY', day), ('WEEK', date_trunc('week', day)), ('MONTH', date_trunc('month', day)))
        AS started (period, starts_on)`;
  await sql`VACUUM ANALYZE`;
}
