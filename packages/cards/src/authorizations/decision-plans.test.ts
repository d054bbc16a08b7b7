import type { Database } from "@purser/db";
import { type TestPurser, createTestPurser, distributedDatabaseUrl } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCardFixture } from "../testing/card-scene.ts";
import { cardNetwork } from "../testing/network.ts";
import { authorizePurchase } from "./service/authorize.ts";
import { findDecisionDatabase } from "./store/decision-context.ts";

let purser: TestPurser;
let decisionDb: Database;
let purchase: () => Promise<unknown>;

beforeAll(async () => {
  purser = await createTestPurser({ settings: { decisionPoolSize: 1 } });
  const { reference } = await (await createCardFixture(purser)).card();
  decisionDb = (await findDecisionDatabase(purser.platform, { issuer: "sandbox", reference }))!.db;
  const { authorization } = cardNetwork({ card: reference, at: purser.clock.now() });
  purchase = () => authorizePurchase(purser.platform, "sandbox", authorization({ amount: 100 }));
  // Says for every table that it is as small as now.
  await purser.db.execute(sql`VACUUM ANALYZE`);
  await purchase();
});
afterAll(() => purser.close());

it("decisions are planned once, on a cluster by the node that has the card", async () => {
  for (let count = 0; count < 20; count += 1) await purchase();
  const plans = await decisionDb.execute<{ name: string; generic: number; custom: number }>(sql`
    SELECT statement AS name, generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements`);
  expect(Math.max(...plans.map(({ generic }) => generic))).toBeGreaterThan(20);
  expect(plans.filter(({ custom }) => custom > 0)).toEqual([]);
});

// On a cluster, connections of Citus report at any time what they have read.
it.skipIf(distributedDatabaseUrl !== null)(
  "decisions read no table from end to end that was empty when they were planned",
  async () => {
    // What the others have read until now must not be reported meanwhile.
    await reportReads(purser.db);
    const before = await fullReads(decisionDb);
    for (let count = 0; count < 20; count += 1) await purchase();
    expect(await fullReads(decisionDb)).toEqual(before);
  },
);

/** Lets each connection of a pool report what it has read; without that, it does so at some time within a minute. */
async function reportReads(db: Database): Promise<void> {
  const all = Promise.withResolvers<void>();
  let open = 0;
  const report = () =>
    db.transaction(async (transaction) => {
      await transaction.execute(sql`SELECT pg_stat_force_next_flush()`);
      open += 1;
      if (open === db.use.size) all.resolve();
      await all.promise;
    });
  await Promise.all(Array.from({ length: db.use.size }, report));
}

/** How often each table was read from end to end, as the connections have reported it. */
async function fullReads(db: Database): Promise<Record<string, number>> {
  await reportReads(db);
  const counted = await db.execute<{ table: string; reads: number }>(sql`
    SELECT relname AS "table", seq_scan::int AS reads FROM pg_stat_user_tables
    WHERE relname IN ('organizations', 'cards', 'card_policies', 'card_counters', 'card_events', 'card_transactions')`);
  return Object.fromEntries(counted.map(({ table, reads }) => [table, reads]));
}
