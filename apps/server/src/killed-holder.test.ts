// @module-tag slow
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Database, connect } from "@purser/db";
import { createTestDatabase, builtService, isNightly } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServiceProcess, startService, stopServices, temporaryFolder } from "@purser/testing/process";

/** How long work may stay claimed by a dead process, in real time. Twice as long where other tests take the processor. */
const limitMs = isNightly ? 30_000 : 60_000;

const folder = temporaryFolder();
let script: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
let service: ServiceProcess;
let token: string | undefined;

beforeAll(async () => {
  script = await builtService();
  database = await createTestDatabase();
  db = connect(database.url, { max: 1 });
});
afterAll(async () => {
  await stopServices();
  await db.close();
  await database.drop();
  folder.remove();
});

function start(): Promise<ServiceProcess> {
  const env = { DATA_DIR: folder.path, DATABASE_URL: database.url, SEED_DEMO: "0", LOG_LEVEL: "warn" };
  return startService({ script, env });
}

const json = { "content-type": "application/json" };

function post(path: string, body: object, key?: string): Promise<Response> {
  return fetch(service.url + path, {
    method: "POST",
    headers: {
      ...json,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(key !== undefined && { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
}

async function created(path: string, body: object): Promise<string> {
  const response = await post(path, body);
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

/** What is claimed at present: requests that call a provider, syncs, syncs as jobs, and webhook endpoints. */
async function claimed(): Promise<string[]> {
  const claims = [
    sql`SELECT 'key ' || created_at AS claim FROM idempotency_keys
      WHERE output IS NULL AND (result_in IS NULL OR result_leased_until > now())`,
    sql`SELECT 'sync ' || id AS claim FROM bank_syncs WHERE status = 'RUNNING'`,
    sql`SELECT 'webhook ' || lease AS claim FROM webhook_endpoints WHERE lease IS NOT NULL`,
    sql`SELECT 'job ' || id || ' ' || retry_count AS claim FROM pgboss.job
      WHERE name = 'banking.sync' AND state = 'active'`,
  ];
  const found = await Promise.all(claims.map((claim) => db.execute<{ claim: string }>(claim)));
  return found.flatMap((rows) => rows.map(({ claim }) => claim)).toSorted();
}

const kindsOf = (claims: string[]) => claims.map((claim) => claim.split(" ")[0]);

describe("a process that is killed", () => {
  it("holds no key, sync, job or webhook endpoint for longer than 30 s", async () => {
    service = await start();
    const person = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
    token = (await post("/api/auth/sign-up/email", person)).headers.get("set-auth-token")!;
    const teamId = await created("/api/organizations", { name: "Acme" });
    const bank = { teamId, provider: "sandbox", providerId: "sprout-bank" };
    const connectionId = await created("/api/banking/connect", { ...bank, consentId: "ada" });
    const again = { ...bank, consentId: "bob" };
    const disconnectedId = await created("/api/banking/connect", again);
    const accounts = () =>
      db.execute<{ id: string }>(sql`
        SELECT id FROM bank_accounts WHERE organization_id = ${teamId} AND connection_id = ${connectionId}
          AND NOT EXISTS (
            SELECT FROM bank_syncs WHERE organization_id = ${teamId} AND status IN ('QUEUED', 'RUNNING'))`);
    await expect.poll(async () => (await accounts()).length).toBeGreaterThan(0);
    const [account] = await accounts();

    const receiver = await hangingReceiver();
    const endpoint = { organizationId: teamId, url: receiver.url, types: ["organization.updated"] };
    await created("/api/webhook-endpoints", endpoint);
    for (const id of [connectionId, disconnectedId]) {
      const slow = { teamId, connectionId: id, fault: "slow", milliseconds: 10_000 };
      expect((await post("/api/sandbox/banking/set-fault", slow)).ok).toBe(true);
    }
    const disconnected = await post("/api/banking/disconnect", { teamId, connectionId: disconnectedId });
    expect(disconnected.ok).toBe(true);
    const transaction = { teamId, connectionId, accountId: account!.id, amount: 100, type: "DEBIT" };
    /** Makes a webhook, a request and a sync hang. Returns the first two, and whether all were seen at once. */
    const hangAll = async (attempt: number) => {
      const [seen, key] = [receiver.ids.length, `doomed-${attempt}`];
      const rename = { method: "PATCH", headers: { ...json, authorization: `Bearer ${token}` } };
      const body = JSON.stringify({ name: `Renamed ${attempt}` });
      expect((await fetch(`${service.url}/api/organizations/${teamId}`, { ...rename, body })).ok).toBe(true);
      await expect.poll(() => receiver.ids.length).toBeGreaterThan(seen);
      const outcome = post("/api/banking/connect", again, key).catch(() => "no response");
      const event = receiver.ids.at(-1);
      // The bank's webhook requests a sync, which runs as a job.
      expect((await post("/api/sandbox/banking/add-transaction", transaction)).ok).toBe(true);
      const kinds = async () => kindsOf(await claimed());
      const isTogether = await expect
        .poll(kinds, { timeout: 8000 })
        .toEqual(["job", "key", "sync", "webhook"])
        .then(
          () => true,
          () => false,
        );
      return { key, outcome, event, isTogether };
    };
    // The receiver is given up after 15 s, and the bank after ten. On a busy machine, one may be before the other begins.
    let doomed = await hangAll(1);
    for (let attempt = 2; !doomed.isTogether; attempt += 1) {
      expect(attempt).toBeLessThan(6);
      receiver.answers = true;
      await doomed.outcome;
      await expect.poll(claimed).toEqual([]);
      receiver.answers = false;
      doomed = await hangAll(attempt);
    }
    const before = await claimed();
    service.signal("SIGKILL");
    const killedAt = performance.now();
    expect(await doomed.outcome).toBe("no response");
    const sent = receiver.ids.length;
    receiver.answers = true;

    service = await start();
    await db.execute(sql`DELETE FROM sandbox_bank_faults`);
    const left = async () => (await claimed()).filter((claim) => before.includes(claim));
    await expect.poll(left, { timeout: limitMs - (performance.now() - killedAt) }).toEqual([]);
    expect((await post("/api/banking/connect", again, doomed.key)).status).toBe(201);
    const statuses = async () => {
      const rows = await db.execute<{ outcome: string }>(
        sql`SELECT coalesce(error_code, status) AS outcome FROM bank_syncs ORDER BY id`,
      );
      return rows.map(({ outcome }) => outcome);
    };
    await expect.poll(statuses).toContain("INTERRUPTED");
    // The endpoint gets the event again, as it is not known whether it has it.
    await expect.poll(() => receiver.ids.slice(sent)).toContain(doomed.event);
    await receiver.close();
  });
});

/** A receiver of webhooks that answers none until it is told to. */
async function hangingReceiver() {
  const receiver = { ids: [] as unknown[], answers: false };
  const server = createServer((request, response) => {
    receiver.ids.push(request.headers["webhook-id"]);
    if (receiver.answers) response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return Object.assign(receiver, { url: `http://127.0.0.1:${port}/`, close });
}
