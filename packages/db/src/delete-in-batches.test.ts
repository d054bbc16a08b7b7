import { countWaitingForLocks, createTestDatabase } from "@purser/testing";
import { eq, lt, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { connect } from "./connection/connect.ts";
import { deleteInBatches } from "./delete-in-batches.ts";
import { eventDeliveries, idempotencyKeys } from "./schema/index.ts";

/** A busy machine needs more than a statement and a wait for a lock have by default. */
const limits = { statementTimeoutMs: 60_000, lockTimeoutMs: 60_000 };

it("deletes all matching rows and no others, in statements of 5,000, until its time is over", async () => {
  const database = await createTestDatabase();
  const db = connect(database.url, { max: 1, ...limits });
  await db.execute(sql`
    INSERT INTO idempotency_keys (user_id, procedure, key, fingerprint, created_at)
    SELECT 'user ' || number % 2, 'procedure', 'key ' || number, '', now() FROM generate_series(1, 24001) AS number`);
  const { userId } = idempotencyKeys;
  expect(await deleteInBatches(db, idempotencyKeys, eq(userId, "user 1"))).toBe(12_001);
  expect(await db.$count(idempotencyKeys, eq(userId, "user 0"))).toBe(12_000);
  expect(await db.$count(idempotencyKeys)).toBe(12_000);
  expect(await deleteInBatches(db, idempotencyKeys, undefined, { limitMs: 0 })).toBe(5000);
  expect(await deleteInBatches(db, idempotencyKeys, undefined)).toBe(7000);
  expect(await deleteInBatches(db, eventDeliveries, undefined)).toBe(0);
  await db.close();
  await database.drop();
});

it("keeps a row that another transaction renewed after it was chosen", async () => {
  const database = await createTestDatabase();
  const db = connect(database.url, { max: 3, ...limits });
  const key = { userId: "user", procedure: "procedure", key: "key", fingerprint: "x".repeat(43) };
  await db.insert(idempotencyKeys).values({ ...key, createdAt: new Date(0) });
  const [renewed, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const renewing = db.transaction(async (transaction) => {
    await transaction
      .update(idempotencyKeys)
      .set({ createdAt: new Date(2000) })
      .where(eq(idempotencyKeys.userId, key.userId));
    renewed.resolve();
    await checked.promise;
  });
  await renewed.promise;
  const deleting = deleteInBatches(db, idempotencyKeys, lt(idempotencyKeys.createdAt, new Date(1000)));
  await expect.poll(() => countWaitingForLocks(db), { timeout: 60_000 }).toBe(1);
  checked.resolve();
  await renewing;
  expect(await deleting).toBe(0);
  expect(await db.$count(idempotencyKeys)).toBe(1);
  await db.close();
  await database.drop();
});
