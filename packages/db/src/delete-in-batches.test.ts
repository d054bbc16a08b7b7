import { createTestDatabase } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { connect } from "./connection/connect.ts";
import { deleteInBatches } from "./delete-in-batches.ts";
import { eventDeliveries, idempotencyKeys } from "./schema/index.ts";

it("deletes all matching rows and no others, in statements of 5,000", async () => {
  const database = await createTestDatabase();
  const db = connect(database.url, { max: 1 });
  await db.execute(sql`
    INSERT INTO idempotency_keys (user_id, procedure, key, fingerprint, created_at)
    SELECT 'user ' || number % 2, 'procedure', 'key ' || number, '', now() FROM generate_series(1, 24001) AS number`);
  const { userId } = idempotencyKeys;
  expect(await deleteInBatches(db, idempotencyKeys, eq(userId, "user 1"))).toBe(12_001);
  expect(await db.$count(idempotencyKeys, eq(userId, "user 0"))).toBe(12_000);
  expect(await db.$count(idempotencyKeys)).toBe(12_000);
  expect(await deleteInBatches(db, idempotencyKeys, undefined)).toBe(12_000);
  expect(await deleteInBatches(db, eventDeliveries, undefined)).toBe(0);
  await db.close();
  await database.drop();
});
