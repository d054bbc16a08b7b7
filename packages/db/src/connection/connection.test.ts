import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "@purser/core";
import { type SQL, and, eq, max, sql } from "drizzle-orm";
import { bigint, date, pgTable, text } from "drizzle-orm/pg-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../embedded/postgres.ts";
import { openDatabaseProbe, openLockDatabase } from "../pools.ts";
import { instant } from "../schema/columns.ts";
import { type ConnectOptions, connect } from "./connect.ts";
import type { Database, Executor } from "./database.ts";
import { constraintName, isUnavailable, sqlState } from "./failure.ts";
import { PoolTimeoutError } from "./slots.ts";

const entries = pgTable("entries", {
  id: text().primaryKey(),
  amountMinor: bigint("amount_minor", { mode: "number" }).notNull(),
  bookedAt: instant("booked_at").notNull(),
  day: date().notNull(),
});

let dataDir: string;
let sockets: string;
let server: EmbeddedPostgres;
const open: Database[] = [];

function database(options?: ConnectOptions, url = server.url): Database {
  const connected = connect(url, options);
  open.push(connected);
  return connected;
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "purser-connection-"));
  // A socket's path must be short, and PostgreSQL may run as another user.
  sockets = await mkdtemp("/tmp/purser-sockets-");
  await chmod(sockets, 0o777);
  server = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: "off", unix_socket_directories: sockets },
  });
  await database().execute(sql`
    create table entries (id text primary key, amount_minor bigint not null, booked_at timestamptz(3) not null,
      day date not null, constraint positive check (amount_minor > 0))`);
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((connected) => connected.close()));
});

afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true });
  await rm(sockets, { recursive: true });
});

async function settings(executor: Executor): Promise<unknown> {
  const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
  const [row] = await executor.execute(
    sql`select array_agg(current_setting(name) order by at) as values
        from unnest(${sql.param(names)}::text[]) with ordinality as settings (name, at)`,
  );
  return row?.["values"];
}

function marked(executor: Executor): Promise<unknown> {
  return executor
    .select()
    .from(entries)
    .where(sql`${entries.id} = ${"any"} and 'marker' is not null`);
}

describe("connect", () => {
  it("connects through the Unix socket whose folder the address names", async () => {
    const route = sql`select inet_server_addr() is null as socket, current_setting('application_name') as name`;
    expect(await database().execute(route)).toEqual([{ socket: false, name: "purser" }]);
    const connected = database({}, `${server.url}?host=${encodeURIComponent(sockets)}`);
    expect(await connected.execute(route)).toEqual([{ socket: true, name: "purser" }]);
    expect(await connected.transaction((tx) => tx.execute(route))).toEqual([
      { socket: true, name: "purser" },
    ]);
  });

  it("returns money as a number, an instant as a Date and a bank day as a string", async () => {
    const bookedAt = new Date("2026-03-29T01:30:00.123Z");
    const entry = { id: "types", amountMinor: 9_007_199_254_740_991, bookedAt, day: "2026-03-29" };
    const connected = database();
    await connected.insert(entries).values(entry);
    expect(
      await connected
        .select()
        .from(entries)
        .where(sql`${entries.id} = 'types'`),
    ).toEqual([entry]);
  });

  it.each([
    "0001-01-01T00:00:00.000Z",
    "0049-12-31T23:59:59.999Z",
    "0050-02-28T12:30:00.500Z",
    "0099-12-31T23:59:59.990Z",
    "1900-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
  ])("returns the instant %s as it was stored", async (written) => {
    const bookedAt = new Date(written);
    const connected = database();
    await connected.insert(entries).values({ id: written, amountMinor: 1, bookedAt, day: "2026-03-29" });
    const stored = { bookedAt: entries.bookedAt, last: max(entries.bookedAt) };
    const its = eq(entries.id, written);
    expect(await connected.select(stored).from(entries).where(its).groupBy(entries.bookedAt)).toEqual([
      { bookedAt, last: bookedAt },
    ]);
    expect(await connected.$count(entries, and(its, eq(entries.bookedAt, bookedAt)))).toBe(1);
  });

  it.each(["infinity", "-infinity", "0049-01-01 00:00:00+00 BC"])(
    "refuses the instant %s, which no Date is",
    async (written) => {
      const connected = database();
      await connected.execute(
        sql`INSERT INTO entries VALUES (${written}, 1, ${written}::timestamptz, '2026-03-29')`,
      );
      const its = eq(entries.id, written);
      await expect(connected.select().from(entries).where(its)).rejects.toThrow("not an instant");
    },
  );

  it("limits statements, lock waits and idle transactions through start-up parameters", async () => {
    const connected = database();
    expect(await settings(connected)).toEqual(["5s", "2s", "10s"]);
    expect(await connected.transaction(settings)).toEqual(["5s", "2s", "10s"]);
  });

  const ofServer = () => ({
    databaseUrl: server.url,
    directDatabaseUrl: null,
    replicaDatabaseUrl: null,
    databasePoolSize: 1,
    decisionPoolSize: 1,
    databasePrepare: true,
  });

  it("keeps the connection for probes however old it is, and replaces others", () => {
    const probe = openDatabaseProbe(ofServer());
    open.push(probe);
    expect(probe.$client.options.max_lifetime).toBeNull();
    expect(database().$client.options.max_lifetime).not.toBeNull();
  });

  it("lets a transaction that holds a lock during a provider's call be idle for no longer than others", async () => {
    const pool = openLockDatabase(ofServer());
    open.push(pool);
    expect(await pool.transaction(settings)).toEqual(["5s", "2s", "10s"]);
  });

  it("sends no start-up parameters without prepared statements, and limits each transaction", async () => {
    const connected = database({ prepare: false, max: 1 });
    expect(await connected.transaction(settings, { isolationLevel: "serializable" })).toEqual([
      "5s",
      "2s",
      "10s",
    ]);
    expect(await settings(connected)).toEqual(["0", "0", "0"]);
  });

  it.each([
    { prepare: true, runs: ["2"] },
    { prepare: false, runs: [] },
  ])(
    "prepares Drizzle's statements once per connection with prepare: $prepare",
    async ({ prepare, runs }) => {
      const connected = database({ prepare, max: 1 });
      await marked(connected);
      await connected.transaction((tx) => tx.transaction((nested) => marked(nested)));
      const statements = await connected.execute(
        sql`select generic_plans + custom_plans as runs from pg_prepared_statements
          where statement like '%''marker''%' and statement not like '%pg_prepared_statements%'`,
      );
      expect(statements.map((statement) => statement["runs"])).toEqual(runs);
    },
  );
});

describe("connect, at its limits", () => {
  it("ends a statement that takes too long, and a wait for a lock", async () => {
    const hasty = database({ statementTimeoutMs: 100 });
    const slow = await hasty.execute(sql`select pg_sleep(5)`).catch((error: unknown) => error);
    expect([sqlState(slow), isUnavailable(slow)]).toEqual(["57014", false]);
    const connected = database({ lockTimeoutMs: 50 });
    await connected.transaction(async (tx) => {
      await tx.execute(sql`lock table entries`);
      const waiting = await connected.execute(sql`select * from entries`).catch((error: unknown) => error);
      expect([sqlState(waiting), isUnavailable(waiting)]).toEqual(["55P03", false]);
    });
  });

  it("rejects a query and a transaction that wait too long for a connection, and serves a later one", async () => {
    const connected = database({ max: 1, poolWaitMs: 100 });
    const refused = await connected.transaction(() =>
      Promise.allSettled([
        connected.transaction((tx) => tx.execute(sql`select 1`)),
        connected.execute(sql`select 1`),
        connected.$client`select 1`,
      ]),
    );
    for (const result of refused) {
      expect(result.status === "rejected" && isUnavailable(result.reason)).toBe(true);
    }
    expect(refused[0]).toMatchObject({ reason: expect.any(PoolTimeoutError) });
    expect(connected.use).toMatchObject({ size: 1, inUse: 0, waiting: 0, granted: 0, refused: 3 });
    // Timers may fire slightly early.
    expect(connected.use.waitedMs).toBeGreaterThan(290);
    expect(await connected.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  it("serves those that wait for a connection in order", async () => {
    const connected = database({ max: 1, poolWaitMs: 20_000 });
    const order: number[] = [];
    let waiting: Promise<unknown>[] = [];
    await connected.transaction(async () => {
      waiting = [0, 1, 2].map((index) => connected.transaction(async () => order.push(index)));
      expect(connected.use).toMatchObject({ inUse: 1, waiting: 3 });
    });
    await Promise.all(waiting);
    expect(order).toEqual([0, 1, 2]);
    expect(connected.use).toMatchObject({ inUse: 0, waiting: 0, granted: 3, refused: 0 });
  });

  it("fails at once, as unavailable, if no server listens, and after close", async () => {
    const nowhere = database({}, "postgres://purser:secret@127.0.0.1:1/postgres");
    const refused = await nowhere.execute(sql`select 1`).catch((error: unknown) => error);
    expect(isUnavailable(refused)).toBe(true);
    const connected = database();
    await connected.close();
    expect(isUnavailable(await connected.execute(sql`select 1`).catch((error: unknown) => error))).toBe(true);
  });
});

describe("constraintName", () => {
  it("returns the constraint that refused a row, and undefined for any other error", async () => {
    const row = { id: "negative", amountMinor: -1, bookedAt: new Date(), day: "2026-01-01" };
    const refused = await database()
      .insert(entries)
      .values(row)
      .catch((error: unknown) => error);
    expect([sqlState(refused), constraintName(refused), isUnavailable(refused)]).toEqual([
      "23514",
      "positive",
      false,
    ]);
    // A shard of Citus, as it names its constraints.
    const shard = sql`create table entries_102008 (id text constraint entries_key_102008 primary key)`;
    await database().execute(shard);
    const twice = sql`insert into entries_102008 values ('one'), ('one')`;
    const repeated = await database()
      .execute(twice)
      .catch((error: unknown) => error);
    expect(constraintName(repeated)).toBe("entries_key");
    expect([constraintName(new Error("other")), sqlState("no error"), isUnavailable(undefined)]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });
});

describe("errorText", () => {
  const reasonOf = (statement: SQL) => database().execute(statement).then(String, errorText);

  it("is PostgreSQL's reason and the statement, in whatever lines it is written", async () => {
    expect(await reasonOf(sql`select secret from nowhere`)).toBe(
      'relation "nowhere" does not exist (42P01): select secret from nowhere',
    );
    expect(
      await reasonOf(sql`
        INSERT INTO entries
        VALUES (${"one"}, ${-1}, now(), now())`),
    ).toBe(
      'new row for relation "entries" violates check constraint "positive" (23514): INSERT INTO entries VALUES ($1, $2, now(), now())',
    );
  });

  it("leaves out a message that quotes data", async () => {
    const reason = await reasonOf(sql`select ${"hunter2"}::int`);
    expect(reason).toBe("PostgreSQL 22P02: select $1::int");
  });

  it("is the reason of a connection that failed", async () => {
    const nowhere = database({}, "postgres://purser:secret@127.0.0.1:1/postgres");
    expect(await nowhere.execute(sql`select 1`).then(String, errorText)).toMatch(
      /^connect ECONNREFUSED .*: select 1$/,
    );
  });
});
