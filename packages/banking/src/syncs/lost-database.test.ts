// @module-tag slow
import { createTestDatabase, problemOf, startTcpProxy } from "@purser/testing";
import { type Database, bankSyncs, connect, idempotencyKeys } from "@purser/db";
import { asc } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ScriptedTeam, createScriptedTeam, log, payment } from "../testing/scripted-bank.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
/** Sees the database while the service does not. */
let observer: Database;
let team: ScriptedTeam;

beforeEach(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy(database.url);
  observer = connect(database.url, { max: 1 });
  team = await createScriptedTeam({ databaseUrl: proxy.url });
  await team.begin();
});
afterEach(async () => {
  await team.purser.close();
  await observer.close();
  await proxy.close();
  await database.drop();
});

const syncs = async () =>
  (await observer.select().from(bankSyncs).orderBy(asc(bankSyncs.id))).map(
    ({ status, errorCode }) => errorCode ?? status,
  );
const keysInProgress = async () =>
  (await observer.select().from(idempotencyKeys)).filter(
    // On a cluster, a lease that has lapsed is free.
    ({ output, resultIn, resultLeasedUntil }) =>
      output === null && (resultIn === null || (resultLeasedUntil ?? 0) > team.purser.clock.now()),
  ).length;

function syncWithKey(idempotencyKey: string): Promise<string> {
  const { teamId, connectionId, purser, owner } = team;
  return purser
    .as(owner, { idempotencyKey })
    .banking.connections.sync({ teamId, connectionId })
    .then(
      () => "ok",
      (error: unknown) => problemOf(error).code,
    );
}

const page = { added: [payment()] };

/** The bank responds only after the database has become unreachable. */
function loseDatabaseDuringRead(): void {
  team.script.changes = async () => {
    proxy.refuse();
    return { ...page, removed: [], modified: [], cursor: "c1", hasMore: false };
  };
}

describe("a sync whose database is lost for a moment", () => {
  it("fails as soon as the database is back, and the next one succeeds", async () => {
    loseDatabaseDuringRead();
    const answer = syncWithKey("lost");
    expect(await answer).toBe("UNAVAILABLE");
    expect((await syncs()).at(-1)).toBe("RUNNING");
    proxy.restore();
    await expect.poll(async () => (await syncs()).at(-1)).toBe("UNAVAILABLE");
    team.script.changes = log([page]).changes;
    expect(await syncWithKey("afterwards")).toBe("ok");
    expect((await syncs()).at(-1)).toBe("SUCCEEDED");
  });

  it("frees the idempotency key of its request as soon as the database is back", async () => {
    loseDatabaseDuringRead();
    expect(await syncWithKey("one key")).toBe("UNAVAILABLE");
    expect(await keysInProgress()).toBe(1);
    proxy.restore();
    await expect.poll(keysInProgress).toBe(0);
    await expect.poll(async () => (await syncs()).at(-1)).toBe("UNAVAILABLE");
    team.script.changes = log([page]).changes;
    expect(await syncWithKey("one key")).toBe("ok");
  });
});
