import { bankConnections, bankDailyTotals } from "@purser/db";
import { explainQueries } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TransactionData } from "../ports.ts";
import { readLedger, totalsOfRows, totalsStored } from "../testing/ledger-model.ts";
import { type ScriptedTeam, createScriptedTeam, log, payment } from "../testing/scripted-bank.ts";

let team: ScriptedTeam;
beforeAll(async () => void (team = await createScriptedTeam()));
afterAll(() => team.purser.close());

const banking = () => team.purser.as(team.owner).banking;

/** A team whose current account has these transactions. Returns the account. */
async function bankWith(...added: Partial<TransactionData>[]): Promise<string> {
  const posted = added.map((one, index) => payment({ externalId: `t${index}`, ...one }));
  await team.begin({ changes: log([{ added: posted }]).changes });
  expect(await team.sync()).toBe("ok");
  return (await team.accounts())[0]!.id;
}

describe("the daily totals", () => {
  /** Leaves the team as a version that did not keep the totals. */
  async function forgetTotals(): Promise<void> {
    const { db } = team.purser;
    await db
      .update(bankDailyTotals)
      .set({ moneyOut: 1n })
      .where(eq(bankDailyTotals.organizationId, team.teamId));
    await db
      .update(bankConnections)
      .set({ totaledAt: null })
      .where(eq(bankConnections.organizationId, team.teamId));
  }

  async function expectTotals() {
    const ledger = await readLedger(team.purser.db, team.teamId);
    expect(totalsStored(ledger)).toEqual(totalsOfRows(ledger.rows));
    return ledger.totals;
  }

  it("are counted again after a version that did not keep them", async () => {
    team.purser.clock.set("2026-03-04T09:00:00Z");
    await bankWith({ amount: 300 }, { amount: 20, category: "RENT" });
    await forgetTotals();
    const { db } = team.purser;
    const [total] = (await readLedger(db, team.teamId)).totals;
    await db.insert(bankDailyTotals).values({ ...total!, category: "GONE" });
    expect(await team.sync()).toBe("ok");
    // By category, and of all together.
    expect(await expectTotals()).toHaveLength(3);
  });

  const ways: Record<string, () => Promise<unknown>> = {
    "a sync that may not read transactions": async () => {
      const { teamId, connectionId } = team;
      const expiresAt = new Date("2026-05-01");
      await banking().connections.updateConsent({ teamId, connectionId, scopes: ["accounts"], expiresAt });
      return team.sync();
    },
    "a sync of a bank that no longer lists the account": () => {
      team.script.accounts = async () => [];
      return team.sync();
    },
    "a sync of another connection, which continues the account": async () => {
      team.purser.clock.advance(1000);
      Object.assign(team.script, log([{ added: [payment({ amount: 300 })] }]));
      return team.sync(await team.connect("second"));
    },
    "a disconnection, after which there is no sync": () =>
      banking().connections.disconnect({ teamId: team.teamId, connectionId: team.connectionId }),
  };
  it.each(Object.entries(ways))("are counted again by %s", async (_way, act) => {
    team.purser.clock.set("2026-03-04T09:00:00Z");
    await bankWith({ amount: 300 });
    await forgetTotals();
    await act();
    await expectTotals();
    expect(await team.rows()).toHaveLength(1);
  });

  it("are all that a report reads, by their key", async () => {
    team.purser.clock.set("2026-03-04T09:00:00Z");
    const accountId = await bankWith();
    const { purser, teamId } = team;
    const { reports } = banking();
    await purser.db.execute(sql`
      INSERT INTO bank_daily_totals (organization_id, by_category, account_id, day, currency, category, money_in, money_out)
      SELECT ${teamId}, grouped, ${accountId}, date '2016-03-04' + n, 'GBP', category, n, 1
      FROM generate_series(1, 3650) AS n, unnest(ARRAY['', 'RENT']) AS category, unnest(ARRAY[true, false]) AS grouped`);
    await purser.db.execute(sql`ANALYZE bank_daily_totals`);
    const range = { teamId, from: new Date("2025-01-01"), to: new Date("2025-12-31") };
    const calls = {
      balances: () => reports.balances(range),
      "cashflow of an account": () => reports.cashflow({ ...range, accountId, interval: "month" }),
      cashflow: () => reports.cashflow({ ...range, interval: "month", groupBy: "category" }),
    };
    for (const [name, report] of Object.entries(calls)) {
      expect(await explainQueries(purser, "bank_transactions", report), name).toEqual([]);
      const [plan] = await explainQueries(purser, "bank_daily_totals", report);
      const scans = plan!.filter(({ index }) => index?.startsWith("bank_daily_totals"));
      expect(scans, name).not.toEqual([]);
      // Two categories on each day since the beginning of the report.
      expect(Math.max(...scans.map(({ rows }) => rows)), name).toBeLessThanOrEqual(2 * 430);
    }
  });
});
