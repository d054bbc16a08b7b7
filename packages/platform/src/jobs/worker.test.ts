import { setTimeout as sleep } from "node:timers/promises";
import { type TestPurser, createTestPurser, isNightly, withHandler } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Mail } from "../mail/port.ts";
import { listOutbox } from "../outbox/inspect.ts";
import { platformJobs } from "./platform-jobs.ts";
import { type Worker, startWorker } from "./worker.ts";

/** Polls are ten seconds apart, so a job that starts within five did not wait for one. */
const promptMs = isNightly ? 200 : 5000;

let purser: TestPurser;
let workers: Worker[] = [];
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
  await purser.db.execute(sql`DELETE FROM pgboss.job`);
});

async function work(send: (mail: Mail, id: string) => Promise<void>): Promise<Worker> {
  const handlers = withHandler(purser.handlers, platformJobs.sendMail, (mail, { id }) => send(mail, id));
  const worker = await startWorker(purser.platform, handlers);
  workers.push(worker);
  return worker;
}

function enqueue(...subjects: string[]): Promise<void> {
  return purser.db.transaction(async (transaction) => {
    for (const subject of subjects) {
      await purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, {
        to: "sam@example.com",
        subject,
        text: "",
      });
    }
  });
}

const until = (condition: () => unknown, timeout = 60_000) =>
  vi.waitFor(() => expect(condition()).toBeTruthy(), { timeout, interval: 5 });

/** The mails, newest first. A worker also has the jobs of the schedule, when their time has come. */
const mails = async () =>
  (await listOutbox(purser.db, { limit: 1000 })).filter(({ job }) => job === platformJobs.sendMail.name);

describe("worker", () => {
  it("runs a job soon after its commit, and not before", async () => {
    const started: number[] = [];
    await work(async () => void started.push(performance.now()));
    const delays: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      let committing = 0;
      await purser.db.transaction(async (transaction) => {
        const mail = { to: "sam@example.com", subject: "", text: "" };
        await purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, mail);
        // No other connection sees the job, a worker's included.
        expect(await mails()).toHaveLength(round);
        committing = performance.now();
      });
      // A worker that looks for the next job has looked by then.
      await vi.waitUntil(async () => (await mails()).every(({ state }) => state === "done"), {
        timeout: 60_000,
        interval: 5,
      });
      delays.push(started[round]! - committing);
    }
    expect(started).toHaveLength(9);
    const median = delays.toSorted((one, other) => one - other)[4]!;
    expect(median).toBeLessThan(promptMs);
  });

  it("runs all of many jobs that commit together, without waiting for a poll", async () => {
    const sentAt = new Map<string, number>();
    await work(async ({ subject }) => void sentAt.set(subject, performance.now()));
    const subjects = Array.from({ length: 200 }, (_, index) => String(index));
    await enqueue(...subjects);
    const committed = performance.now();
    await until(() => sentAt.size === 200);
    expect([...sentAt.keys()].toSorted()).toEqual(subjects.toSorted());
    const times = [committed, ...sentAt.values()].toSorted((one, other) => one - other);
    // Polls are ten seconds apart.
    expect(Math.max(...times.slice(1).map((time, index) => time - times[index]!))).toBeLessThan(5000);
  });

  it("shares the jobs with other workers: each runs once", async () => {
    const runs: string[] = [];
    const send = async (_: Mail, id: string) => {
      runs.push(id);
      await sleep(2);
    };
    await Promise.all([work(send), work(send), work(send)]);
    for (let round = 0; round < 10; round += 1) await enqueue(...Array.from({ length: 20 }, () => "shared"));
    await vi.waitFor(async () => {
      const ofAll = await mails();
      const once = ofAll.filter(({ state, attempts }) => state === "done" && attempts === 1);
      expect([ofAll.length, once.length]).toEqual([200, 200]);
    }, 60_000);
    // A worker that has stopped runs nothing any more.
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    expect(runs).toHaveLength(200);
    expect(new Set(runs).size).toBe(200);
  });

  it("delays no job by another one that hangs", async () => {
    const release = Promise.withResolvers<void>();
    const sent = new Set<string>();
    await enqueue("hangs", ...Array.from({ length: 9 }, (_, index) => `beside ${index}`));
    await work(async ({ subject }) => {
      if (subject === "hangs") await release.promise;
      sent.add(subject);
    });
    await enqueue(...Array.from({ length: 30 }, (_, index) => `behind ${index}`));
    await until(() => sent.size === 39);
    await enqueue("later");
    await until(() => sent.has("later"), 5000);
    expect(sent).not.toContain("hangs");
    release.resolve();
    await until(() => sent.has("hangs"));
  });

  it("runs at most ten jobs of a kind at once, and the next one as soon as one of them ends", async () => {
    const ends: (() => void)[] = [];
    let running = 0;
    let most = 0;
    await work(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
    });
    await enqueue(...Array.from({ length: 25 }, () => "long"));
    await until(() => running === 10);
    for (let ended = 0; ended < 15; ended += 1) {
      ends[ended]!();
      // Sooner than the poll, which is every ten seconds.
      await until(() => ends.length === 11 + ended, 5000);
    }
    for (const end of ends) end();
    await until(() => running === 0);
    expect([most, ends.length]).toEqual([10, 25]);
    await enqueue("afterwards");
    await until(() => ends.length === 26, 5000);
    ends.at(-1)!();
  });

  it("fails only the job that failed", async () => {
    await enqueue("good", "bad", "fine");
    await work(async ({ subject }) => {
      if (subject === "bad") throw new Error("this one fails");
    });
    await vi.waitFor(async () => {
      const states = (await mails()).map(({ state }) => state);
      expect(states.toSorted()).toEqual(["done", "done", "retrying"]);
    }, 60_000);
  });

  it("waits for running jobs when it stops, and takes no new ones", async () => {
    const running = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let ended = 0;
    const worker = await work(async () => {
      running.resolve();
      await release.promise;
      ended += 1;
    });
    await enqueue("under way");
    await running.promise;
    const stopping = worker.stop();
    // A fetch that is under way already may return one of them.
    await enqueue("too late", "too late", "too late");
    release.resolve();
    await stopping;
    const states = (await mails()).map(({ state }) => state);
    expect(states.filter((state) => state === "done")).toHaveLength(ended);
    expect(states.filter((state) => state === "waiting").length).toBeGreaterThanOrEqual(2);
    expect(states).toHaveLength(4);
    expect(states.filter((state) => state !== "done" && state !== "waiting")).toEqual([]);
  });

  it(
    "runs a job of a killed process again without the pause after a failure",
    { tags: ["slow"] },
    async () => {
      await enqueue("sent again");
      await purser.db.execute(
        sql`UPDATE pgboss.job SET state = 'active', retry_delay = 3600, retry_delay_max = 3600,
          started_on = now() - interval '1 minute', heartbeat_on = now() - interval '1 minute'`,
      );
      const attempts: number[] = [];
      const handlers = withHandler(purser.handlers, platformJobs.sendMail, async (_, { attempt }) => {
        attempts.push(attempt);
      });
      workers.push(await startWorker(purser.platform, handlers));
      await vi.waitUntil(() => attempts.length > 0, { timeout: 60_000 });
      expect(attempts).toEqual([2]);
    },
  );

  it("stops waiting for a job that hangs, which then runs again in another worker", async () => {
    const running = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const worker = await work(() => {
      running.resolve();
      return release.promise;
    });
    await enqueue("hangs");
    await running.promise;
    const before = performance.now();
    await worker.stop(200);
    // Without a time, it waits for eight seconds.
    expect(performance.now() - before).toBeLessThan(5000);
    // The job is given back before it ends, but perhaps not within the time of the stop.
    await expect.poll(mails).toMatchObject([{ state: "retrying", attempts: 1 }]);
    release.resolve();
  });

  it("survives the loss of all its connections, and receives notifications again", async () => {
    const sent: string[] = [];
    await work(async ({ subject }) => void sent.push(subject));
    await enqueue("before");
    await until(() => sent.length === 1);
    const lost = new Set((await workerConnections()).map(({ pid }) => pid));
    await purser.db.execute(
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'purser worker' AND datname = current_database()`,
    );
    await enqueue("after");
    await until(() => sent.includes("after"));
    // The listener reconnects after a second. From then on, a job does not wait for the next poll.
    await vi.waitFor(async () => {
      const listeners = (await workerConnections()).filter(({ query }) => /\blisten/i.test(query));
      expect(listeners.filter(({ pid }) => !lost.has(pid))).not.toEqual([]);
    }, 60_000);
    const delays: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const committed = performance.now();
      await enqueue(`again ${round}`);
      await until(() => sent.includes(`again ${round}`));
      delays.push(performance.now() - committed);
    }
    expect(delays.toSorted((one, other) => one - other)[2]).toBeLessThan(promptMs);
  });

  it("holds three connections, and sends almost no queries while idle", async () => {
    await expect.poll(workerConnections).toEqual([]);
    await work(async () => {});
    const watch = async () => {
      const queries = new Set<string>();
      let most = 0;
      const start = performance.now();
      const seconds = () => (performance.now() - start) / 1000;
      while (seconds() < 3) {
        const connections = await workerConnections();
        most = Math.max(most, connections.length);
        for (const { pid, query_start } of connections) queries.add(`${pid} ${query_start}`);
        await sleep(20);
      }
      // Each connection's latest query is always visible. A poll may happen besides.
      return { most, isQuiet: queries.size <= 3 + 2 * seconds() };
    };
    let seen = await watch();
    // The worker may still be starting, or the schedule may be due. Its pool closes a connection after ten idle seconds.
    for (let again = 0; again < 9 && !(seen.isQuiet && seen.most >= 3); again += 1) {
      const { most, isQuiet } = await watch();
      seen = { most: Math.max(most, seen.most), isQuiet };
    }
    expect(seen).toEqual({ most: 3, isQuiet: true });
  });

  it("leaves no connection behind when it has stopped", async () => {
    const worker = await work(async () => {});
    await worker.stop();
    await expect.poll(workerConnections).toEqual([]);
  });
});

function workerConnections() {
  return purser.db.execute<{ pid: number; query: string; query_start: string }>(
    sql`SELECT pid, query, query_start FROM pg_stat_activity
        WHERE application_name = 'purser worker' AND datname = current_database()`,
  );
}
