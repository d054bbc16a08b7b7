import { distribute } from "@purser/db";
import {
  createTestPurser,
  createUndistributedTestDatabase,
  distributedDatabaseUrl,
  testSettings,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { startReceiver } from "../testing/receiver.ts";
import { nameOfEvent } from "../testing/stream-reader.ts";

describe.skipIf(distributedDatabaseUrl === null)("a database that is distributed later", () => {
  it("keeps the order of its feeds, and sends what happens afterwards", async () => {
    const database = await createUndistributedTestDatabase();
    const { encryptionKeys } = testSettings();
    const settings = { databaseUrl: database.url, encryptionKeys };
    const receiver = await startReceiver();
    const before = await createTestPurser({ settings });
    const owner = await before.person();
    const organizationId = await before.organization(owner);
    // The coordinator's ids are ahead of those of the workers.
    for (let nth = 0; nth < 2000; nth += 1) await before.db.execute(sql`SELECT pg_current_xact_id()`);
    await before.as(owner).webhookEndpoints.create({ organizationId, url: receiver.url });
    await before.as(owner).organizations.update({ id: organizationId, name: "before" });
    await before.close();

    expect(await distribute(database.url)).toBeGreaterThan(30);
    const after = await createTestPurser({ settings });
    await after.as(owner).organizations.update({ id: organizationId, name: "after" });
    await vi.waitFor(async () => {
      const { events } = await after.as(owner).events.feed({ organizationId });
      expect(events.map(nameOfEvent)).toEqual(["before", "after"]);
    }, 60_000);
    await after.webhooks.drain();
    expect(receiver.received.map(({ body }) => nameOfEvent(JSON.parse(body).data))).toEqual([
      "before",
      "after",
    ]);
    await after.close();
    await receiver.close();
    await database.drop();
  });
});
