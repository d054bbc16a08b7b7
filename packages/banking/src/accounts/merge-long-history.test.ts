// @module-tag slow
import { bankTransactions } from "@purser/db";
import { distributedDatabaseUrl, isNightly, refusalOf } from "@purser/testing";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTwice } from "../testing/linked-twice.ts";
import { type ScriptedTeam, createScriptedTeam } from "../testing/scripted-bank.ts";

let team: ScriptedTeam;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());

const size = isNightly ? 1_000_000 : 12_000;

/** Adds transactions to an account as its connection has read them, on ten years of days. */
async function addHistory(accountId: string): Promise<void> {
  const atOnce = 50_000;
  for (let first = 1; first <= size; first += atOnce) {
    await team.purser.db.execute(sql`
      INSERT INTO bank_transactions (organization_id, id, account_id, connection_id, external_id, id_epoch, status, amount,
        raw_amount, currency, type, description, transaction_date, created_at, updated_at)
      SELECT organization_id, 'btx_' || lpad(n::text, 26, '0'), account_id, connection_id, 'old ' || n, id_epoch, status, n,
        raw_amount, currency, type, description, transaction_date - n % 3650, created_at, updated_at
      FROM (SELECT * FROM bank_transactions WHERE organization_id = ${team.teamId} AND account_id = ${accountId} LIMIT 1) AS one,
        generate_series(${first}::int, ${Math.min(first + atOnce - 1, size)}::int) AS n`);
  }
}

/** Records how many rows each statement changes. Returns the largest number so far. */
async function watchStatements(): Promise<() => Promise<number>> {
  const { db } = team.purser;
  await db.execute(sql`CREATE TABLE statement_sizes (rows integer)`);
  await db.execute(sql`
    CREATE FUNCTION record_size() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO statement_sizes SELECT count(*) FROM changed;
      RETURN NULL;
    END $$`);
  await db.execute(sql`
    CREATE TRIGGER record_size AFTER UPDATE ON bank_transactions REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION record_size()`);
  return async () => {
    const [largest] = await db.execute<{ rows: number }>(sql`SELECT max(rows) AS rows FROM statement_sizes`);
    return largest!.rows;
  };
}

// There, triggers of statements would have to be those of shards.
describe.skipIf(distributedDatabaseUrl !== null)("banking.accounts.merge", () => {
  it(
    "marks a long history of another connection in short statements, and all of it or nothing",
    { timeout: isNightly ? 3_600_000 : 240_000 },
    async () => {
      const { accountId, intoAccountId, firstConnection } = await linkTwice(
        team,
        [{ externalId: "a", description: "COFFEE" }],
        [{ externalId: "b", amount: 90_000, description: "RENT", date: "2026-02-01" }],
      );
      const { purser, teamId, owner } = team;
      await addHistory(intoAccountId);
      const { banking } = purser.as(owner);
      // From now on, the connection of the other account reads the history.
      await banking.connections.disconnect({ teamId, connectionId: firstConnection });
      const largestStatement = await watchStatements();
      const count = (epoch: number) =>
        purser.db.$count(
          bankTransactions,
          and(
            eq(bankTransactions.organizationId, teamId),
            eq(bankTransactions.accountId, intoAccountId),
            eq(bankTransactions.idEpoch, epoch),
          ),
        );
      const before = await count(0);
      expect(before).toBe(size + 1);
      const merge = () => banking.accounts.merge({ teamId, accountId, intoAccountId });

      await purser.db.execute(
        sql`ALTER TABLE bank_syncs ADD CONSTRAINT no_more CHECK (started_at IS NULL) NOT VALID`,
      );
      expect(await refusalOf(merge())).toBe("INTERNAL");
      expect(await count(0)).toBe(before);
      await purser.db.execute(sql`ALTER TABLE bank_syncs DROP CONSTRAINT no_more`);

      await merge();
      expect(await count(0)).toBe(0);
      expect(await count(-1)).toBe(size + 2);
      expect(await largestStatement()).toBeLessThanOrEqual(5000);
    },
  );
});
