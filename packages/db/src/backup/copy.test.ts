import { text } from "node:stream/consumers";
import { createTestDatabase } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../connection/connect.ts";
import type { Database, Transaction } from "../connection/database.ts";
import { isUnavailable, sqlState } from "../connection/failure.ts";
import { copyIn, copyOut } from "./copy.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { max: 2 });
  await db.execute(sql`CREATE TABLE parents (id integer PRIMARY KEY)`);
  await db.execute(sql`CREATE TABLE notes (id integer PRIMARY KEY REFERENCES parents, text text NOT NULL)`);
});
beforeEach(async () => {
  await db.execute(sql`TRUNCATE parents, notes`);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** More than stream and socket buffer, so both must wait for the reader. */
const many = 20_000;
const generated = `COPY (SELECT n, repeat('x', 100) FROM generate_series(1, ${many}) AS n) TO STDOUT`;

const endless = "COPY (SELECT generate_series(1, 1000000000), repeat('x', 1000)) TO STDOUT";

const lines = (...pieces: string[]) =>
  (async function* () {
    for (const piece of pieces) yield Buffer.from(piece);
  })();

const count = async () => (await db.execute<{ id: number }>(sql`SELECT id FROM parents`)).length;

describe("copyOut", () => {
  it("returns every row to a slow reader, and leaves the connection ready", async () => {
    const read = await db.transaction(async (transaction) => {
      let all = "";
      for await (const piece of copyOut(db, transaction, generated)) {
        all += piece.toString();
        await new Promise(setImmediate);
      }
      const [after] = await transaction.execute<{ one: number }>(sql`SELECT 1 AS one`);
      return { rows: all.split("\n").length - 1, last: all.slice(-107), after };
    });
    expect(read).toEqual({ rows: many, last: `${many}\t${"x".repeat(100)}\n`, after: { one: 1 } });
  });

  it("lets the transaction end at once after its reader stops", async () => {
    const giveUp = db.transaction(async (transaction) => {
      for await (const _ of copyOut(db, transaction, endless)) throw new Error("the disk is full");
    });
    await expect(giveUp).rejects.toThrow("the disk is full");
    expect(await count()).toBe(0);
  });

  it("fails with PostgreSQL's error if PostgreSQL aborts it", async () => {
    const broken = db.transaction(async (transaction) => {
      const statement = "COPY (SELECT 1 / (5000 - n) FROM generate_series(1, 9999) AS n) TO STDOUT";
      for await (const _ of copyOut(db, transaction, statement));
    });
    expect(sqlState(await broken.catch((error: unknown) => error))).toBe("22012");
  });
});

describe("copyIn", () => {
  it("inserts the output of copyOut", async () => {
    await db.transaction(async (transaction) => {
      const source = copyOut(db, transaction, `COPY (SELECT generate_series(1, ${many})) TO STDOUT`);
      await copyIn(transaction, "COPY parents FROM STDIN", lines(await text(source)));
    });
    expect(await count()).toBe(many);
  });

  it.each([
    ["a foreign key that the last row breaks", "1\ta\n3\tb\n", "23503"],
    ["a duplicate row", "1\ta\n1\tb\n", "23505"],
    ["a malformed row", "1\n", "22P04"],
  ])("reports %s, and rolls everything back", async (_case, rows, state) => {
    const broken = db.transaction(async (transaction) => {
      await copyIn(transaction, "COPY parents FROM STDIN", lines("1\n", "2\n"));
      await copyIn(transaction, "COPY notes FROM STDIN", lines(rows));
    });
    expect(sqlState(await broken.catch((error: unknown) => error))).toBe(state);
    expect(await count()).toBe(0);
  });

  it("rolls back if its source fails", async () => {
    async function* failing() {
      yield Buffer.from("1\n");
      throw new Error("the file was altered");
    }
    const broken = db.transaction((transaction) => copyIn(transaction, "COPY parents FROM STDIN", failing()));
    await expect(broken).rejects.toThrow("the file was altered");
    expect(await count()).toBe(0);
  });
});

describe("a connection that ends in the middle", () => {
  const terminate = async (transaction: Transaction) => {
    const [backend] = await transaction.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
    return () => db.execute(sql`SELECT pg_terminate_backend(${backend!.pid}::int, 5000)`);
  };

  it("ends copyOut with an error", async () => {
    const broken = db.transaction(async (transaction) => {
      const end = await terminate(transaction);
      for await (const _ of copyOut(db, transaction, endless)) await end();
    });
    expect(isUnavailable(await broken.catch((error: unknown) => error))).toBe(true);
  });

  it("ends copyIn with an error, and inserts nothing", async () => {
    const broken = db.transaction(async (transaction) => {
      const end = await terminate(transaction);
      async function* source() {
        yield Buffer.from("1\n");
        await end();
        yield Buffer.from("2\n");
      }
      await copyIn(transaction, "COPY parents FROM STDIN", source());
    });
    expect(isUnavailable(await broken.catch((error: unknown) => error))).toBe(true);
    expect(await count()).toBe(0);
  });
});
