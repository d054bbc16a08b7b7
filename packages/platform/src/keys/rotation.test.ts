import { randomBytes } from "node:crypto";
import { inboxStates, inboxEvents } from "@purser/db";
import { type TestPurser, countWaitingForLocks, createTestPurser } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bodyContext } from "../inbox/inspect.ts";
import { drainJobs } from "../jobs/drain.ts";
import { platformHandlers } from "../jobs/handlers.ts";
import { platformJobs } from "../jobs/platform-jobs.ts";
import type { Mail } from "../mail/port.ts";
import { seal, unseal } from "../secrets.ts";
import { keyStatus, rotateKeys } from "./rotation.ts";

const first = { version: 1, key: randomBytes(32) };
const second = { version: 2, key: randomBytes(32) };
const mail = (subject: string): Mail => ({ to: "sam@example.com", subject, text: "" });

let purser: TestPurser;
beforeEach(async () => {
  purser = await createTestPurser({ settings: { encryptionKeys: [first] } });
});
afterEach(() => purser.close());

const keyOf = (index: number) => ({ area: "cards", provider: "test", eventId: `evt_${index}` }) as const;

async function storeBodies(count: number, keys = [first]): Promise<void> {
  const now = purser.clock.now();
  const rows = Array.from({ length: count }, (_, index) => keyOf(index));
  await purser.db.insert(inboxEvents).values(rows.map((key) => ({ ...key, type: "t", receivedAt: now })));
  await purser.db.insert(inboxStates).values(
    rows.map((key, index) => ({
      ...key,
      body: seal(keys, `body ${index}`, bodyContext(key)),
      status: "APPLIED" as const,
      updatedAt: now,
    })),
  );
}

const enqueue = (subject: string) =>
  purser.db.transaction((transaction) =>
    purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, mail(subject)),
  );

describe("keys.rotate", () => {
  it("reseals every secret, in columns and waiting jobs, so the old key is no longer needed", async () => {
    await storeBodies(250);
    await enqueue("one");
    await enqueue("two");
    expect(await keyStatus(purser.db)).toEqual([
      { location: "webhook_deliveries.body", version: 1, secrets: 250 },
      { location: "jobs", version: 1, secrets: 2 },
    ]);
    const progress: string[] = [];
    const rotation = await rotateKeys(purser.db, [second, first], ({ location, done, total }) =>
      progress.push(`${location} ${done}/${total}`),
    );
    expect(rotation).toEqual({ resealed: 252, unreadable: [] });
    expect(progress).toEqual([
      "webhook_deliveries.body 100/250",
      "webhook_deliveries.body 200/250",
      "webhook_deliveries.body 250/250",
      "jobs 2/2",
    ]);
    expect(await keyStatus(purser.db)).toEqual([
      { location: "webhook_deliveries.body", version: 2, secrets: 250 },
      { location: "jobs", version: 2, secrets: 2 },
    ]);
    for (const { body, ...row } of await purser.db.select().from(inboxStates)) {
      const index = row.eventId.slice("evt_".length);
      expect(unseal([second], body, bodyContext(row))).toBe(`body ${index}`);
    }
    const sent: string[] = [];
    const platform = {
      ...purser.platform,
      settings: { ...purser.platform.settings, encryptionKeys: [second] },
    };
    const port = { send: async ({ subject }: Mail) => void sent.push(subject) };
    await drainJobs(platform, platformHandlers(platform, { mail: port, receivers: [], tasks: [] }));
    expect(sent.toSorted()).toEqual(["one", "two"]);
  });

  it("does nothing the second time, and continues after an interruption", async () => {
    await storeBodies(150);
    const broken = rotateKeys(purser.db, [second, first], () => {
      throw new Error("broken off");
    });
    await expect(broken).rejects.toThrow("broken off");
    const status = await keyStatus(purser.db);
    expect(status.map(({ version, secrets }) => [version, secrets])).toEqual([
      [1, 50],
      [2, 100],
    ]);
    expect((await rotateKeys(purser.db, [second, first], () => {})).resealed).toBe(50);
    expect((await rotateKeys(purser.db, [second, first], () => {})).resealed).toBe(0);
  });

  it("leaves secrets that do not open unchanged, reports them, and rotates the rest", async () => {
    await storeBodies(3);
    const stranger = { version: 9, key: randomBytes(32) };
    const moved = seal([first], "moved from elsewhere", bodyContext(keyOf(2)));
    const foreign = seal([stranger], "foreign", bodyContext(keyOf(0)));
    await purser.db.update(inboxStates).set({ body: foreign }).where(eq(inboxStates.eventId, "evt_0"));
    await purser.db.update(inboxStates).set({ body: moved }).where(eq(inboxStates.eventId, "evt_1"));
    const rotation = await rotateKeys(purser.db, [second, first], () => {});
    expect(rotation.resealed).toBe(1);
    expect(rotation.unreadable).toEqual([
      {
        location: "webhook_deliveries.body",
        key: ["cards", "test", "evt_0"],
        reason: "It is sealed with key version 9, which is not configured",
      },
      {
        location: "webhook_deliveries.body",
        key: ["cards", "test", "evt_1"],
        reason: expect.stringContaining("altered"),
      },
    ]);
    const [row] = await purser.db.select().from(inboxStates).where(eq(inboxStates.eventId, "evt_0"));
    expect(row?.body).toBe(foreign);
  });

  it("never overwrites a secret that a server stores meanwhile", async () => {
    await storeBodies(100);
    const key = keyOf(99);
    const newer = seal([second, first], "newer", bodyContext(key));
    // The server's transaction holds the row when the rotation reaches it, and commits while the rotation waits.
    const written = Promise.withResolvers<void>();
    const server = purser.db.transaction(async (transaction) => {
      await transaction.update(inboxStates).set({ body: newer }).where(eq(inboxStates.eventId, "evt_99"));
      written.resolve();
      await expect.poll(() => countWaitingForLocks(purser.db)).toBeGreaterThan(0);
    });
    await written.promise;
    const [rotation] = await Promise.all([rotateKeys(purser.db, [second, first], () => {}), server]);
    expect(rotation).toEqual({ resealed: 99, unreadable: [] });
    const [row] = await purser.db.select().from(inboxStates).where(eq(inboxStates.eventId, "evt_99"));
    expect(row?.body).toBe(newer);
  });

  it("may run twice concurrently", async () => {
    await storeBodies(300);
    const rotations = await Promise.all([1, 2].map(() => rotateKeys(purser.db, [second, first], () => {})));
    expect(rotations[0]!.resealed + rotations[1]!.resealed).toBe(300);
    expect(rotations.flatMap(({ unreadable }) => unreadable)).toEqual([]);
  });
});

describe("sealed column", () => {
  it("refuses plain text", async () => {
    const key = keyOf(1);
    const now = purser.clock.now();
    await purser.db.insert(inboxEvents).values({ ...key, type: "t", receivedAt: now });
    const slip = purser.db
      .insert(inboxStates)
      .values({ ...key, body: "plain", status: "PENDING", updatedAt: now });
    await expect(slip).rejects.toThrow("This column takes sealed text only");
  });
});
