import { day } from "@purser/core/testing";
import { inboxStates, inboxEvents } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHousekeeping } from "../housekeeping.ts";
import { seal } from "../secrets.ts";
import { bodyContext } from "./inspect.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

type Status = (typeof inboxStates.$inferSelect)["status"];

async function store(eventId: string, status: Status, receivedAt: Date): Promise<void> {
  const key = { area: "billing", provider: "stripe", eventId } as const;
  const body = seal(purser.platform.settings.encryptionKeys, "{}", bodyContext(key));
  await purser.db.insert(inboxEvents).values({ ...key, type: "test", receivedAt });
  await purser.db.insert(inboxStates).values({ ...key, body, status, updatedAt: receivedAt });
}

describe("housekeeping.purge", () => {
  it("deletes applied and ignored events after the retention, and never pending or dead ones", async () => {
    const receivedAt = purser.clock.now();
    for (const status of ["PENDING", "APPLIED", "IGNORED", "DEAD"] as const) {
      await store(status, status, receivedAt);
    }
    const purge = async () => {
      await runHousekeeping(purser.platform, []);
      const events = await purser.db.select({ id: inboxEvents.eventId }).from(inboxEvents);
      const states = await purser.db.select({ id: inboxStates.eventId }).from(inboxStates);
      expect(states.map(({ id }) => id).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
      return events.map(({ id }) => id).toSorted();
    };
    purser.clock.set(new Date(receivedAt.getTime() + 90 * day));
    expect(await purge()).toEqual(["APPLIED", "DEAD", "IGNORED", "PENDING"]);
    purser.clock.advance(1);
    expect(await purge()).toEqual(["DEAD", "PENDING"]);
  });
});

describe("webhook_events", () => {
  it("refuses a change, and the deletion of an event of the last seven days", async () => {
    const now = Date.now();
    await purser.db.insert(inboxEvents).values(
      [6, 8].map((days) => ({
        area: "cards" as const,
        provider: "stripe",
        eventId: `${days} days`,
        type: "test",
        receivedAt: new Date(now - days * day),
      })),
    );
    const remove = (eventId: string) => purser.db.delete(inboxEvents).where(eq(inboxEvents.eventId, eventId));
    await expect(remove("6 days")).rejects.toMatchObject({
      cause: { message: "webhook_events is append-only" },
    });
    const change = purser.db
      .update(inboxEvents)
      .set({ type: "other" })
      .where(eq(inboxEvents.eventId, "8 days"));
    await expect(change).rejects.toMatchObject({ cause: { message: "webhook_events is append-only" } });
    const truncation = purser.db.execute(sql`TRUNCATE webhook_events CASCADE`);
    await expect(truncation).rejects.toMatchObject({ cause: { message: "webhook_events is append-only" } });
    expect((await remove("8 days")).count).toBe(1);
  });
});
