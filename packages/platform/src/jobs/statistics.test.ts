import { type TestPurser, createTestPurser, explainQueries, withHandler } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PermanentFailure } from "./definition.ts";
import { platformJobs } from "./platform-jobs.ts";
import { countJobs, readJobDelays, readScheduleDelay } from "./statistics.ts";
import { startWorker } from "./worker.ts";

let purser: TestPurser;
beforeEach(async () => {
  purser = await createTestPurser();
});
afterEach(() => purser.close());

const enqueue = (subject: string) =>
  purser.db.transaction((transaction) =>
    purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, {
      to: "sam@example.com",
      subject,
      text: "",
    }),
  );

/** The counted jobs with mails. A worker also has those of the schedule, when their time has come. */
async function countMails(): Promise<Record<string, number>> {
  const counted = await countJobs(purser.db);
  const mails = counted.filter(({ job_name }) => job_name === platformJobs.sendMail.name);
  return Object.fromEntries(mails.map(({ state, value }) => [state, value]));
}

describe("the statistics of jobs", () => {
  it("count the jobs that wait, run, are tried again or are dead", async () => {
    await enqueue("waits");
    expect(await countMails()).toEqual({ waiting: 1 });
    const release = Promise.withResolvers<void>();
    const handlers = withHandler(purser.handlers, platformJobs.sendMail, async ({ subject }) => {
      if (subject === "dies") throw new PermanentFailure("no");
      if (subject === "fails") throw new Error("not yet");
      if (subject === "runs") await release.promise;
    });
    await enqueue("dies");
    await enqueue("fails");
    await enqueue("runs");
    const worker = await startWorker(purser.platform, handlers);
    await expect.poll(countMails, { timeout: 60_000 }).toEqual({ running: 1, retrying: 1, dead: 1 });
    release.resolve();
    await worker.stop();
  });

  it("read none of the completed jobs, which stay for a day", async () => {
    await enqueue("waits");
    await purser.db.execute(sql`
      INSERT INTO pgboss.job (name, state, data, completed_on)
      SELECT 'mail.send', 'completed', jsonb_build_object('sealed', repeat('x', 500)), now() FROM generate_series(1, 5000)`);
    await purser.db.execute(sql`ANALYZE pgboss.job`);
    const read = async () => {
      expect(await readJobDelays(purser.db)).toMatchObject([{ job_name: "mail.send" }]);
      expect(await countMails()).toEqual({ waiting: 1 });
    };
    const plans = await explainQueries(purser, "job", read);
    expect(plans).toHaveLength(2);
    for (const steps of plans) expect(Math.max(...steps.map(({ rows }) => rows))).toBeLessThan(100);
  });
});

describe("the delay of the schedules", () => {
  const delay = async () => (await readScheduleDelay(purser.db))[0]?.value;

  it("grows while no worker runs, also before the first one, and ends with a worker", async () => {
    await purser.db.execute(sql`UPDATE pgboss.schedule SET created_on = now() - interval '2 hours'`);
    await purser.db.execute(sql`UPDATE pgboss.version SET cron_on = NULL`);
    expect(await delay()).toBeGreaterThanOrEqual(7200);
    await purser.db.execute(sql`UPDATE pgboss.version SET cron_on = now() - interval '1 hour'`);
    expect(await delay()).toBeGreaterThanOrEqual(3600);
    expect(await delay()).toBeLessThan(7200);
    const worker = await startWorker(purser.platform, purser.handlers);
    await expect.poll(delay, { timeout: 60_000 }).toBeLessThan(60);
    await worker.stop();
  });
});
