import { type TestPurser, createTestPurser, withHandler } from "@purser/testing";
import { eq } from "drizzle-orm";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { runnerUrl } from "./pg-boss.ts";
import { platformJobs } from "./platform-jobs.ts";
import { JobSlots } from "./slots.ts";
import { runnerJobs } from "./table.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const { name } = platformJobs.sendMail;
const mail = { to: "sam@example.com", subject: "", text: "" };

describe("storeResult", () => {
  it("leaves a job alone whose result is stored, such as one that runs again in another worker", async () => {
    const { databaseUrl } = purser.platform.settings;
    const boss = new PgBoss({ connectionString: runnerUrl(databaseUrl!), supervise: false, schedule: false });
    await boss.start();
    const opened = vi.spyOn(boss, "work");
    // A slot keeps its last result only if it was among the most that run at once.
    const jobs = 10;
    const all = Promise.withResolvers<void>();
    let running = 0;
    const handlers = withHandler(purser.handlers, platformJobs.sendMail, async () => {
      running += 1;
      if (running === jobs) all.resolve();
      await all.promise;
      throw new Error("the mail server is away");
    });
    const handled = handlers.find(({ definition }) => definition.name === name)!;
    const slots = new JobSlots(boss, purser.platform, handled);
    await slots.open();
    await purser.db.transaction((transaction) =>
      purser.platform.outbox.enqueueAll(
        transaction,
        platformJobs.sendMail,
        Array.from({ length: jobs }, () => mail),
      ),
    );
    const states = async () => {
      const found = await purser.db.select().from(runnerJobs).where(eq(runnerJobs.name, name));
      return found.map(({ state, retryCount }) => `${state} ${retryCount}`);
    };
    await expect.poll(states).toEqual(Array.from({ length: jobs }, () => "retry 0"));
    // As another worker fetches it.
    await purser.db
      .update(runnerJobs)
      .set({ state: "active", retryCount: 1 })
      .where(eq(runnerJobs.name, name));
    for (const { value } of opened.mock.results) await slots.storeResult(await (value as Promise<string>));
    expect(await states()).toEqual(Array.from({ length: jobs }, () => "active 1"));
    await slots.stop();
    await boss.stop({ graceful: false });
  });
});
