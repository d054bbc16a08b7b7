import { setTimeout as pause } from "node:timers/promises";
import { createEmptyTestDatabase } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "./connection/connect.ts";
import type { Database } from "./connection/database.ts";
import { listMigrations, migrate } from "./migrate.ts";

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

  it("lets others use a table that it waits for, and says what it waits for", async () => {
    const beforeEvents = listMigrations().find(({ tag }) => tag === "0027_card_spending")!;
    await migrate(database.url, { upTo: beforeEvents });
    const read = () => db.execute(sql`SELECT count(*) FROM cards`);
    const logged: { fields: object; message: string }[] = [];
    const logger = { warn: (fields: object, message: string) => void logged.push({ fields, message }) };
    let migrating: Promise<number>;
    await db.transaction(async (holder) => {
      await holder.execute(sql`SELECT FROM cards`);
      migrating = migrate(database.url, { logger });
      migrating.catch(() => undefined);
      for (; logged.length === 0; await pause(20)) await read();
    });
    expect(await migrating!).toBe(
      listMigrations().length - listMigrations().findIndex(({ tag }) => tag === beforeEvents.tag) - 1,
    );
    expect(logged[0]!.message).toBe(
      "A migration waits for a transaction that uses the same table. It is tried again",
    );
    expect(logged[0]!.fields).toEqual({ statement: expect.stringContaining('ALTER TABLE "cards"') });
  });
});
