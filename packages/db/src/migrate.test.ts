import { setTimeout as sleep } from "node:timers/promises";
import { createEmptyTestDatabase } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connect } from "./connection/connect.ts";
import type { Database, Executor } from "./connection/database.ts";
import { appliedMigration, applyMigration, listMigrations, migrate } from "./migrate.ts";

describe("migrate", () => {
  let database: Awaited<ReturnType<typeof createEmptyTestDatabase>>;
  let db: Database;
  beforeAll(async () => {
    database = await createEmptyTestDatabase();
    // The limits of a decision.
    db = connect(database.url, { max: 2, lockTimeoutMs: 800, statementTimeoutMs: 1000 });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  it("lets others use a table that it waits for, says so, and keeps what was before", async () => {
    // The next but one alters the cards.
    const first = listMigrations().findIndex(({ tag }) => tag === "0026_transaction_search");
    await migrate(database.url, { upTo: listMigrations()[first] });
    const read = () => db.execute(sql`SELECT count(*) FROM cards`);
    const logged: { fields: object; message: string }[] = [];
    const logger = { warn: (fields: object, message: string) => void logged.push({ fields, message }) };
    let migrating: Promise<number>;
    await db.transaction(async (holder) => {
      await holder.execute(sql`SELECT FROM cards`);
      migrating = migrate(database.url, { logger });
      migrating.catch(() => undefined);
      for (; logged.length === 0; await sleep(20)) await read();
      expect(await appliedMigration(db)).toBe(listMigrations()[first + 1]!.when);
    });
    expect(await migrating!).toBe(listMigrations().length - first - 1);
    expect(logged[0]!.message).toBe(
      "A migration waits for a transaction that uses the same table. It is tried again",
    );
    expect(logged[0]!.fields).toEqual({ statement: expect.stringContaining('ALTER TABLE "cards"') });
  });

  it("builds an index CONCURRENTLY while others write, however long one of them takes", async () => {
    await migrate(database.url);
    const migration = {
      sql: [
        `DROP INDEX CONCURRENTLY IF EXISTS "cards_of_test"`,
        `CREATE INDEX CONCURRENTLY "cards_of_test" ON "cards" ("organization_id")`,
      ],
      bps: true,
      hash: "",
      folderMillis: listMigrations().at(-1)!.when + 1,
    };
    const write = (executor: Executor) => executor.execute(sql`UPDATE cards SET status = status`);
    let applying: Promise<number>;
    let other: Promise<number>;
    await db.transaction(async (writer) => {
      await write(writer);
      applying = migrate(database.url, { andThen: (migrating) => applyMigration(migrating, migration) });
      applying.catch(() => undefined);
      // Longer than a migration waits for a lock that others queue behind.
      const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > interval '600 milliseconds'`;
      const isWaiting = async () => (await db.execute(waiting)).length > 0;
      await Promise.race([applying, vi.waitUntil(isWaiting, { timeout: 60_000 })]);
      await write(db);
      // The build does not wait for another process that waits for it.
      other = migrate(database.url);
      other.catch(() => undefined);
      await sleep(600);
    });
    await applying!;
    expect(await other!).toBe(0);
    const [index] = await db.execute(
      sql`SELECT indisvalid FROM pg_index WHERE indexrelid = 'cards_of_test'::regclass`,
    );
    expect(index).toEqual({ indisvalid: true });
    expect(await appliedMigration(db)).toBe(migration.folderMillis);
  });
});
