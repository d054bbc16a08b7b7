import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Service, type TestPurser, createTestPurser, openOtherProcess } from "./index.ts";

let purser: TestPurser;
let other: Service;

beforeAll(async () => {
  purser = await createTestPurser();
  other = await openOtherProcess(purser);
});
afterAll(async () => {
  await other.close();
  await purser.close();
});

it("gives another process the limits of time of the first, on the pools for requests and decisions", async () => {
  const limitsOf = async ({ db, decisionDb }: Service["platform"]) =>
    Promise.all(
      [db, decisionDb].map((pool) =>
        pool.execute(
          sql`SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
        ),
      ),
    );
  expect(await limitsOf(other.platform)).toEqual(await limitsOf(purser.platform));
  expect(other.platform.decisionTimeoutMs).toBe(purser.platform.decisionTimeoutMs);
});
