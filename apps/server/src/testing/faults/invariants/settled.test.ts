import { setTimeout as sleep } from "node:timers/promises";
import { stayIdle } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ListeningService, startListeningService } from "../../listening-service.ts";
import type { ProcessSupervisor } from "../process-supervisor.ts";
import { checkSettled, findBusyPools, findOpenWork } from "./settled.ts";

let listening: ListeningService;
let processes: Parameters<typeof findOpenWork>[0]["processes"];

beforeAll(async () => {
  listening = await startListeningService();
  const { $client } = listening.service.purser.db;
  processes = {
    nodes: null,
    query: async <Row>(query: Parameters<ProcessSupervisor["query"]>[0]) =>
      [...(await query($client))] as Row[],
  };
});
afterAll(() => listening.close());

describe("checkSettled", () => {
  it("gives all of its time to what the last steps of the load have left, however long they take", async () => {
    let isOpen = true;
    const violations: string[] = [];
    const context = {
      processes: {
        nodes: null,
        query: <Row>() => Promise.resolve((isOpen ? [{ description: "a job" }] : []) as Row[]),
        faultEndedAt: performance.now(),
        settleLimitMs: 1000,
        instances: [],
        worker: { process: { output: () => "" } },
      },
      reportViolation: (violation: string) => void violations.push(violation),
    };
    const load = sleep(1300);
    const closed = load.then(() => sleep(50)).then(() => void (isOpen = false));
    await checkSettled(context, load);
    await closed;
    expect(violations).toEqual([]);
  });
});

describe("findOpenWork", () => {
  it("finds a claim on a webhook endpoint that nobody gives up", async () => {
    const { purser } = listening.service;
    const owner = await purser.person();
    const organizationId = await purser.organization(owner);
    const url = "https://hooks.demo.example/purser";
    const { id } = await purser.as(owner).webhookEndpoints.create({ organizationId, url });
    const claims = async () =>
      (await findOpenWork({ processes })).filter((description) => description.includes(id));
    expect(await claims()).toEqual([]);
    await purser.db.execute(sql`UPDATE webhook_endpoints SET lease = 'claim', leased_until = now()`);
    expect(await claims()).toEqual([expect.stringMatching(/^claim on webhook endpoint /)]);
  });

  it("says when a webhook is sent again, and how the last attempt ended", async () => {
    const attempt = JSON.stringify([
      { at: "2026-03-01T00:00:00Z", statusCode: 503, error: null, durationMs: 3 },
    ]);
    await listening.service.purser.db.execute(sql`
      INSERT INTO event_deliveries
        (organization_id, id, endpoint_id, event_id, event_type, status, attempts, tries, next_attempt_at, created_at)
      VALUES ('org_1', 'whd_1', 'whe_1', 'evt_1', 'organization.updated', 'PENDING', ${attempt}::jsonb, 2,
        now() + interval '299.9 seconds', now())`);
    const found = await findOpenWork({ processes });
    expect(found).toContainEqual(
      expect.stringMatching(/^webhook of event evt_1, attempt 3 in 00:04:5\d, after .*"statusCode": 503/),
    );
  });

  it("finds an event that no worker has read for an endpoint", async () => {
    const { purser } = listening.service;
    const owner = await purser.person();
    const organizationId = await purser.organization(owner);
    const url = "https://hooks.demo.example/purser";
    const { id } = await purser.as(owner).webhookEndpoints.create({ organizationId, url });
    await purser.as(owner).organizations.update({ id: organizationId, name: "Renamed" });
    const unread = async () =>
      (await findOpenWork({ processes })).filter((description) => description.includes(id));
    expect(await unread()).toEqual([expect.stringMatching(/^event evt_\w+, not read for webhook endpoint /)]);
    await purser.as(owner).webhookEndpoints.delete({ id });
    expect(await unread()).toEqual([]);
  });

  it("finds a statement that waits for a lock, and its locks", async () => {
    const { db } = listening.service.purser;
    const waiting: PromiseLike<unknown>[] = [];
    await db.transaction(async (holder) => {
      await stayIdle(holder);
      await holder.execute(sql`LOCK TABLE cards IN ACCESS EXCLUSIVE MODE`);
      waiting.push(db.execute(sql`SELECT FROM cards`).then(() => "done"));
      const open = async () => (await findOpenWork({ processes })).join("\n");
      await expect.poll(open).toMatch(/^relation lock of .*: SELECT FROM cards$/m);
    });
    expect(await Promise.all(waiting)).toEqual(["done"]);
  });
});

describe("findBusyPools", () => {
  it("finds a pool as long as it was in use at every look", async () => {
    const { db } = listening.service.purser;
    const server = { name: "server", port: Number(new URL(listening.base).port) };
    const idle = new Set<string>();
    await db.transaction(async (transaction) => {
      await stayIdle(transaction);
      const busy = ["pool main of server: 1 in use, 0 waiting"];
      expect(await findBusyPools([server], idle)).toEqual(busy);
      expect(await findBusyPools([server], idle)).toEqual(busy);
    });
    expect(await findBusyPools([server], idle)).toEqual([]);
    await db.transaction(async (transaction) => {
      await stayIdle(transaction);
      expect(await findBusyPools([server], idle)).toEqual([]);
    });
  });
});
