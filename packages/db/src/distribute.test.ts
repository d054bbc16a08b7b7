import { once } from "node:events";
import { type AddressInfo, type Socket, createServer } from "node:net";
import {
  createEmptyTestDatabase,
  createTestDatabase,
  createUndistributedTestDatabase,
  distributedDatabaseUrl,
  proxyNodes,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "./connection/connect.ts";
import type { Database, Executor, Transaction } from "./connection/database.ts";
import { constraintName, sqlState } from "./connection/failure.ts";
import { awaitPreparedCommits, isDistributedDatabase } from "./distribute.ts";
import { distribute, listMigrations, migrate } from "./migrate.ts";

const isCluster = distributedDatabaseUrl !== null;

describe.skipIf(isCluster)("distribute, on one PostgreSQL", () => {
  it("refuses a database without Citus, and says what to do", async () => {
    const database = await createTestDatabase();
    await expect(distribute(database.url)).rejects.toThrow(
      /^The database has no Citus: run CREATE EXTENSION/,
    );
    await database.drop();
  });
});

describe.skipIf(!isCluster)("distribute, on Citus", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let db: Database;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = connect(database.url, { max: 2 });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  const namesOf = async (query: ReturnType<typeof sql>) =>
    (await db.execute<{ name: string }>(query)).map(({ name }) => name);

  it("places every table with an organization by it, all of one organization on one server", async () => {
    const tenants = await namesOf(sql`
      SELECT table_name::text AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'organization_id' ORDER BY 1`);
    expect(tenants.length).toBeGreaterThan(35);
    const placed = await namesOf(sql`
      SELECT relname::text AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
      WHERE partmethod = 'h'
        AND colocationid = (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = 'organizations'::regclass)
        AND column_to_column_name(logicalrelid, partkey) IN ('organization_id', 'id')
      ORDER BY 1`);
    expect(placed).toEqual([...tenants, "organizations"].toSorted());
  });

  it("copies the users to every server, and nothing else", async () => {
    const copied = sql`SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE repmodel = 't'`;
    expect(await namesOf(copied)).toEqual(["users"]);
  });

  it("changes nothing when it runs again", async () => {
    expect(await distribute(database.url)).toBe(0);
  });

  it("needs no node for that: a process also starts while one is down", async () => {
    // Not a copy: what the distribution sets for a database is on every server.
    const own = await createUndistributedTestDatabase();
    await distribute(own.url);
    const proxies = await proxyNodes(own.url);
    proxies.all[0]!.refuse();
    try {
      expect(await migrate(own.url)).toBe(0);
    } finally {
      proxies.all[0]!.restore();
      await proxies.close();
      await own.drop();
    }
  });

  it("keeps checks and foreign keys", async () => {
    await db.execute(
      sql`INSERT INTO organizations (id, name, created_at) VALUES ('org_1', 'Company', now())`,
    );
    await db.execute(sql`INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
      VALUES ('user_1', 'Sam Reed', 'sam@example.com', true, now(), now())`);
    const membership = (organizationId: string, userId: string, role: string) => sql`
      INSERT INTO memberships (organization_id, id, user_id, role, is_creator, created_at)
      VALUES (${organizationId}, 'mem_1', ${userId}, ${role}, false, now())`;
    for (const [row, code] of [
      [membership("org_2", "user_1", "OWNER"), "23503"],
      [membership("org_1", "user_2", "OWNER"), "23503"],
      [membership("org_1", "user_1", "GUEST"), "23514"],
    ] as const) {
      await expect(db.execute(row)).rejects.toMatchObject({ cause: { code } });
    }
    await db.execute(membership("org_1", "user_1", "OWNER"));
    const twice = await db.execute(membership("org_1", "user_1", "OWNER")).catch((error: unknown) => error);
    expect(constraintName(twice)).toBe("memberships_organization_id_id_pk");
  });

  it("tells a refused row by its code and its constraint, also among rows that are copied to their server", async () => {
    const membership = {
      organization_id: "org_1",
      id: "mem_1",
      user_id: "user_1",
      role: "OWNER",
      is_creator: false,
    };
    const copied = (row: object) =>
      db
        .execute(
          sql`INSERT INTO memberships SELECT row.*
            FROM json_populate_recordset(NULL::memberships, ${JSON.stringify([{ ...row, created_at: new Date() }])}::json) AS row`,
        )
        .catch((error: unknown) => [sqlState(error), constraintName(error)]);
    expect(await copied(membership)).toEqual(["23505", "memberships_organization_id_id_pk"]);
    expect(await copied({ ...membership, id: "mem_2", role: "GUEST" })).toEqual([
      "23514",
      "memberships_role",
    ]);
  });

  it("keeps an append-only table append-only", async () => {
    await db.execute(sql`INSERT INTO audit_entries (organization_id, id, at, action, subject, details)
      VALUES ('org_1', 'aud_1', now(), 'action', 'subject', '{}')`);
    for (const statement of [
      sql`UPDATE audit_entries SET subject = 'other' WHERE organization_id = 'org_1'`,
      sql`DELETE FROM audit_entries WHERE organization_id = 'org_1'`,
      sql`TRUNCATE audit_entries`,
    ]) {
      await expect(db.execute(statement)).rejects.toMatchObject({
        cause: { message: expect.stringMatching(/^audit_entries(_\d+)? is append-only$/) },
      });
    }
  });

  it("gives an event its position on the server that reads it, whose transaction ids are not the coordinator's", async () => {
    // The coordinator is ahead of the workers.
    for (let transactions = 0; transactions < 200; transactions += 1)
      await db.execute(sql`SELECT pg_current_xact_id()`);
    await db.execute(sql`INSERT INTO events (organization_id, id, era, type, subject_id, data, created_at)
      VALUES ('org_1', 'evt_1', 1, 'cards.created', 'card_1', 'sealed', now())`);
    const read = async () => {
      const [row] = await db.execute(sql`
        SELECT transaction_id < pg_snapshot_xmin(pg_current_snapshot()) AS "isSettled",
          pg_snapshot_xmin(pg_current_snapshot())::text::int - transaction_id::text::int < 100 AS "isRecent"
        FROM events WHERE organization_id = 'org_1' AND id = 'evt_1'`);
      return row;
    };
    // A transaction of another test's database on the same server may still be running.
    await expect.poll(read).toEqual({ isSettled: true, isRecent: true });
  });

  it("replaces the function of a previous version that positions an endpoint, on every server", async () => {
    await db.execute(sql`CREATE OR REPLACE FUNCTION position_endpoint_on_server() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN NEW.transaction_id := pg_current_xact_id(); RETURN NEW; END'`);
    await distribute(database.url);
    const bodies = sql`SELECT result AS name FROM run_command_on_all_nodes($$
      SELECT prosrc FROM pg_proc WHERE proname = 'position_endpoint_on_server' $$)`;
    const found = await namesOf(bodies);
    expect(found.length).toBeGreaterThan(1);
    for (const body of found) expect(body).toContain("event_transaction_id()");
  });

  it("commits on the coordinator and on another server, or on neither", async () => {
    const [first, second] = [connect(database.url, { max: 1 }), connect(database.url, { max: 1 })];
    // Each reads what the other one writes, so PostgreSQL refuses the second commit, in its last step.
    const write = async (transaction: Transaction, own: string, others: string) => {
      await transaction.execute(sql`SELECT FROM idempotency_keys WHERE user_id = ${others}`);
      await transaction.execute(sql`INSERT INTO idempotency_keys (user_id, procedure, key, fingerprint, created_at)
        VALUES (${own}, 'procedure', 'key', '', now())`);
      await transaction.execute(sql`INSERT INTO audit_entries (organization_id, id, at, action, subject, details)
        VALUES ('org_1', ${`aud_${own}`}, now(), 'action', 'subject', '{}')`);
    };
    const isolation = { isolationLevel: "serializable" } as const;
    const refused = first.transaction(async (transaction) => {
      await write(transaction, "refused", "stored");
      await second.transaction((other) => write(other, "stored", "refused"), isolation);
    }, isolation);
    expect(await refused.catch(sqlState)).toBe("40001");
    const stored = sql`SELECT id AS name FROM audit_entries WHERE id IN ('aud_refused', 'aud_stored')`;
    expect(await namesOf(stored)).toEqual(["aud_stored"]);
    expect(await namesOf(sql`SELECT user_id AS name FROM idempotency_keys`)).toEqual(["stored"]);
    await Promise.all([first.close(), second.close()]);
  });

  it("can wait for a commit that a server has prepared", async () => {
    const [server] = await db.execute<{ host: string; port: number }>(
      sql`SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0`,
    );
    const url = new URL(database.url);
    [url.hostname, url.port] = [server!.host, String(server!.port)];
    const other = connect(url.href, { max: 1 });
    await other.$client.unsafe("BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'citus_0_1_1_1'");
    const steps: string[] = [];
    const waiting = awaitPreparedCommits(db, { maxWaitMs: 60_000 }).then(() => steps.push("waited"));
    for (let step = 0; step < 5; step += 1) await db.execute(sql`SELECT 1`);
    steps.push("committed");
    await other.$client.unsafe("COMMIT PREPARED 'citus_0_1_1_1'");
    await waiting;
    expect(steps).toEqual(["committed", "waited"]);
    await awaitPreparedCommits(db, { maxWaitMs: 60_000 });
    await other.close();
  });

  it("waits no longer than it may for a server that does not answer", async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    await db.execute(sql`
      INSERT INTO pg_dist_node (nodeid, groupid, nodename, nodeport, noderole, isactive, shouldhaveshards)
      VALUES (1000, 1000, '127.0.0.1', ${port}, 'primary', true, false)`);
    try {
      const began = performance.now();
      await awaitPreparedCommits(db, { maxWaitMs: 300 });
      expect(performance.now() - began).toBeLessThan(3000);
    } finally {
      await db.execute(sql`DELETE FROM pg_dist_node WHERE nodeid = 1000`);
      silent.close();
      for (const socket of sockets) socket.destroy();
    }
  });

  it("keeps the position of an event that a backup restores", async () => {
    await db.transaction(async (restore) => {
      await restore.execute(sql`SET LOCAL purser.restoring = 'on'`);
      await restore.execute(sql`
        INSERT INTO events (organization_id, id, era, type, subject_id, data, created_at, transaction_id, recorded_at)
        VALUES ('org_1', 'evt_0', 1, 'cards.created', 'card_1', 'sealed', now(), '7', 7)`);
    });
    const [restored] = await db.execute(sql`
      SELECT transaction_id::text AS transaction, recorded_at::int AS recorded FROM events
      WHERE organization_id = 'org_1' AND id = 'evt_0'`);
    expect(restored).toEqual({ transaction: "7", recorded: 7 });
  });

  it.each([true, false])(
    "lets the limits of transactions reach the other servers (prepare: %s)",
    async (prepare) => {
      const limited = connect(database.url, { max: 1, prepare, lockTimeoutMs: 200 });
      expect(await isDistributedDatabase(limited)).toBe(true);
      const rename = (executor: Executor) =>
        executor.execute(sql`UPDATE organizations SET name = 'Renamed' WHERE id = 'org_1'`);
      await db.transaction(async (holder) => {
        await rename(holder);
        const began = performance.now();
        await expect(limited.transaction(rename)).rejects.toMatchObject({ cause: { code: "55P03" } });
        expect(performance.now() - began).toBeLessThan(1500);
      });
      await limited.close();
    },
  );

  it("lets later migrations distribute new tables, with their foreign keys", async () => {
    // `events` and what refers to organizations is created after this one.
    const earlier = listMigrations().find(({ tag }) => tag === "0027_card_spending")!;
    const older = await createEmptyTestDatabase();
    await migrate(older.url, { upTo: earlier });
    expect(await distribute(older.url)).toBeGreaterThan(30);
    expect(await migrate(older.url)).toBeGreaterThan(0);
    expect(await distribute(older.url)).toBe(0);
    await older.drop();
  });
});
