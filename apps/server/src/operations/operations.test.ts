import { connect } from "@purser/db";
import { createTestDatabase, isNightly, startTcpProxy, stayIdle } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestService, createTestService } from "../testing/service.ts";
import { createMetrics } from "./metrics.ts";

const base = "http://localhost:3000";
let draining = false;
let service: TestService;
beforeAll(async () => {
  service = await createTestService({ isDraining: () => draining });
});
afterAll(() => service.close());

const request = (path: string, init?: RequestInit) => service.app.request(`${base}${path}`, init);

describe("/health", () => {
  it("is live and ready while the database responds", async () => {
    expect((await request("/health/live")).status).toBe(200);
    await expect.poll(async () => (await request("/health/ready")).status).toBe(200);
  });

  it("is not ready while the process drains, and asks clients to close their connections", async () => {
    draining = true;
    const ready = await request("/health/ready");
    expect([ready.status, ready.headers.get("connection")]).toEqual([503, "close"]);
    expect((await request("/health/live")).status).toBe(200);
    draining = false;
  });

  it("is live but not ready within a second when the database is silent, and ready as soon as it responds", async () => {
    const database = await createTestDatabase();
    const proxy = await startTcpProxy(database.url);
    const silent = await createTestService({ settings: { databaseUrl: proxy.url } });
    const ready = () => silent.app.request(`${base}/health/ready`);
    await expect.poll(async () => (await ready()).status).toBe(200);
    proxy.silence();
    const start = performance.now();
    const unready = await ready();
    expect([unready.status, await unready.json()]).toEqual([503, { status: "database unreachable" }]);
    // Less than the statement itself would have.
    expect(performance.now() - start).toBeLessThan(isNightly ? 1500 : 4000);
    expect((await silent.app.request(`${base}/health/live`)).status).toBe(200);
    expect(await (await silent.app.request(`${base}/metrics`)).text()).toContain("purser_database_up 0");
    proxy.restore();
    await expect.poll(async () => (await ready()).status).toBe(200);
    await silent.close();
    await proxy.close();
    await database.drop();
  });

  it("is ready while all connections are busy, and names their pool", async () => {
    const busy = await createTestService({ settings: { databasePoolSize: 1 } });
    const [holding, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const running = busy.purser.db.transaction(async (transaction) => {
      await stayIdle(transaction);
      holding.resolve();
      await over.promise;
    });
    await holding.promise;
    const waiting = busy.purser.db.$client`select 1`.execute();
    const readiness = async () => {
      const response = await busy.app.request(`${base}/health/ready`);
      return [response.status, await response.json()];
    };
    const metrics = async () => (await busy.app.request(`${base}/metrics`)).text();
    await expect.poll(readiness).toEqual([200, { status: "ok", slow: ["main"] }]);
    await expect.poll(metrics).toContain("purser_database_up 1");
    over.resolve();
    await Promise.all([running, waiting]);
    await expect.poll(readiness).toEqual([200, { status: "ok" }]);
    await busy.close();
  });
});

describe("a database that became read-only", () => {
  it("makes the process unready, and fails mutations with 503 and Retry-After until it accepts writes", async () => {
    const failedOver = await createTestService();
    const headers = await failedOver.signedIn(await failedOver.purser.person());
    const create = () =>
      failedOver.app.request(`${base}/api/organizations`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: '{"name":"Acme"}',
      });
    /** As after a failover: new connections lead to a server in this mode. */
    const failOver = async (readOnly: "on" | "off") => {
      const admin = connect(failedOver.purser.platform.settings.databaseUrl!, { max: 1 });
      await admin.$client.unsafe("SET default_transaction_read_only = off");
      const name = admin.$client.options.database;
      await admin.$client.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${readOnly}`);
      await admin.execute(sql`
        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`);
      await admin.close();
    };
    const ready = async () => {
      const response = await failedOver.app.request(`${base}/health/ready`);
      return [response.status, await response.json()];
    };
    await failOver("on");
    await expect.poll(ready).toEqual([503, { status: "database read-only" }]);
    const refused = await create();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    await failOver("off");
    await expect.poll(ready).toEqual([200, { status: "ok" }]);
    await expect.poll(async () => (await create()).status).toBe(201);
    await failedOver.close();
  });
});

describe("/metrics", () => {
  it("counts requests by route pattern, and procedures by name and transport", async () => {
    const person = await service.purser.person();
    const headers = await service.signedIn(person);
    await request("/api/organizations/org_1", { headers });
    await request(`/trpc/organizations.get?input=${encodeURIComponent('{"id":"org_1"}')}`, { headers });
    await request("/a/path/that/nobody/has/registered");
    const text = await (await request("/metrics")).text();
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/api\/organizations\/:id",status="404"\} 1/,
    );
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/trpc\/organizations.get",status="404"\} 1/,
    );
    expect(text).toMatch(/purser_procedure_calls_total\{procedure="organizations.get",transport="rest"\} 1/);
    expect(text).toMatch(/purser_procedure_calls_total\{procedure="organizations.get",transport="trpc"\} 1/);
    expect(text).toMatch(/route="unmatched",status="404"/);
    expect(text).toMatch(/http_requests_in_flight 1/);
    expect(text).not.toMatch(/org_1|nobody/);
  });

  it("has one label for all methods that nothing here has", async () => {
    for (const method of ["PROPFIND", "PURGE", "SUBSCRIBE"])
      await request("/trpc/organizations.get", { method });
    const text = await (await request("/metrics")).text();
    const series = 'method="_OTHER",route="/trpc/organizations.get",status="405"';
    expect(text).toContain(`http_request_duration_seconds_count{${series}} 3`);
    expect(text).not.toMatch(/PROPFIND|PURGE|SUBSCRIBE/);
  });

  it("counts every request once, however many arrive between two scrapes", async () => {
    const { registry, observeRequest, countCall } = createMetrics();
    const series = 'method="GET",route="/api/things",status="200"';
    for (let count = 1; count <= 1203; count += 1) {
      observeRequest("GET", "/api/things", 200, 0.004);
      countCall("things.list", "rest");
      if (count % 700 === 0) await registry.metrics();
    }
    const text = await registry.metrics();
    expect(text).toContain(`http_request_duration_seconds_count{${series}} 1203`);
    expect(text).toContain(`http_request_duration_seconds_bucket{le="0.0025",${series}} 0`);
    expect(text).toContain(`http_request_duration_seconds_bucket{le="0.005",${series}} 1203`);
    expect(text).toContain('purser_procedure_calls_total{procedure="things.list",transport="rest"} 1203');
    expect(await registry.metrics()).toContain(`http_request_duration_seconds_count{${series}} 1203`);
  });

  it("counts unfinished work", async () => {
    const owner = await service.purser.person();
    await service.purser.drain();
    const organizationId = await service.purser.organization(owner);
    await service.purser
      .as(owner)
      .organizations.invitations.create({ organizationId, email: "new@example.com", role: "MEMBER" });
    const count = async () =>
      /purser_jobs\{job_name="mail.send",state="waiting"\} (\d+)/.exec(
        await (await request("/metrics")).text(),
      )?.[1];
    await expect.poll(count).toBe("1");
    await service.purser.drain();
    expect(await count()).toBeUndefined();
  });

  it("responds without the database", async () => {
    const alone = await createTestService();
    await alone.purser.platform.db.close();
    const response = await alone.app.request(`${base}/metrics`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("process_cpu_seconds_total");
    await alone.close();
  });

  it("requires its token if one is configured", async () => {
    const guarded = await createTestService({ settings: { metricsToken: "a token of metrics" } });
    const ask = (authorization?: string) =>
      guarded.app.request(`${base}/metrics`, {
        headers: authorization === undefined ? {} : { authorization },
      });
    expect((await ask()).status).toBe(401);
    expect((await ask("Bearer another token")).status).toBe(401);
    expect((await ask("Bearer a token of metrics")).status).toBe(200);
    await guarded.close();
  });
});
