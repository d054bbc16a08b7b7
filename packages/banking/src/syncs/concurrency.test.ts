import { day, minute } from "@purser/core/testing";
import { bankConnections, bankSyncPages, bankSyncs } from "@purser/db";
import { createContext, leaseMs } from "@purser/platform";
import {
  type Service,
  changeTestTrigger,
  createCaller,
  createTestSequence,
  handlerOf,
  openOtherProcess,
  problemOf,
} from "@purser/testing";
import { and, asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { bankingJobs } from "../job-definitions.ts";
import type { Access } from "../ports.ts";
import {
  type ScriptedTeam,
  bankAccount,
  createScriptedTeam,
  holdAfterPage,
  log,
  payment,
} from "../testing/scripted-bank.ts";
import { requestSync } from "./service/run.ts";
import { failInterruptedSyncs } from "./service/schedule.ts";

let team: ScriptedTeam;
/** Another process on the same database. */
let other: Service;

beforeAll(async () => {
  team = await createScriptedTeam();
  const { banks } = team.purser.platform;
  other = await openOtherProcess(team.purser, { banks });
});
afterAll(async () => {
  await other.close();
  await team.purser.close();
});
beforeEach(() => team.purser.clock.set("2026-03-02T09:00:00Z"));

const job = { id: "job", attempt: 1, last: false };
const schedule = () => handlerOf(team.purser.handlers, bankingJobs.schedule)(null, job);

/** The same call as `team.sync`, in the other process. */
async function syncElsewhere(): Promise<string> {
  const request = { requestId: "req", caller: team.owner, fromTrustedOrigin: false, idempotencyKey: null };
  const caller = createCaller(() => createContext(other.platform, request));
  const { teamId, connectionId } = team;
  return caller.banking.connections.sync({ teamId, connectionId }).then(
    () => "ok",
    (error: unknown) => problemOf(error).code,
  );
}

const ofTeam = (table: typeof bankSyncs) => eq(table.organizationId, team.teamId);
const syncs = () =>
  team.purser.db.select().from(bankSyncs).where(ofTeam(bankSyncs)).orderBy(asc(bankSyncs.id));
const outcomes = async () => (await syncs()).map(({ status, errorCode }) => errorCode ?? status);
const pages = () => team.purser.db.$count(bankSyncPages, eq(bankSyncPages.organizationId, team.teamId));
const amounts = async () => (await team.rows()).map(({ amount }) => amount);

async function connection(id = team.connectionId) {
  const [row] = await team.purser.db.select().from(bankConnections).where(eq(bankConnections.id, id));
  return row!;
}

/** The types of the team's events about syncs, the oldest first. */
async function eventTypes(): Promise<string[]> {
  const types = [
    "bank_connection.synced",
    "bank_connection.sync_failed",
    "bank_transactions.changed",
  ] as const;
  const { purser, owner, teamId: organizationId } = team;
  const events = await purser.as(owner).events.list({ organizationId, types: [...types], limit: 100 });
  return events.map(({ type }) => type.split(".")[1]!).toReversed();
}

/** Blocked reads have ended: from now on, the script returns something else. */
const say = (feed: object) => Object.assign(team.script, feed);

describe("syncs of one connection", () => {
  it("run one at a time, across processes", async () => {
    await team.begin();
    await team.purser.drain();
    let readers = 0;
    let most = 0;
    say({
      async changes() {
        readers += 1;
        most = Math.max(most, readers);
        await new Promise(setImmediate);
        readers -= 1;
        return { added: [payment()], modified: [], removed: [], cursor: "c", hasMore: false };
      },
    });
    const jobs = [team.purser.handlers, other.handlers].map((handlers) =>
      handlerOf(handlers, bankingJobs.sync)(
        { organizationId: team.teamId, connectionId: team.connectionId },
        job,
      ),
    );
    const calls = Array.from({ length: 4 }, () => [team.sync(), syncElsewhere()]).flat();
    expect(await Promise.all([...calls, ...jobs])).toEqual([...Array(8).fill("ok"), undefined, undefined]);
    expect(most).toBe(1);
    const ended = await outcomes();
    expect(ended.length).toBeLessThanOrEqual(9);
    // The first sync found no transaction. Each later one listed the same payment.
    const later = Array(ended.length - 2).fill("synced");
    expect(await eventTypes()).toEqual(["synced", "changed", "synced", ...later]);
  });

  it("share one queued run if they are requested during a run", async () => {
    await team.begin();
    await team.purser.drain();
    const { arrived, open } = holdAfterPage(team.script, {});
    const first = team.sync();
    await arrived;
    const key = { organizationId: team.teamId, id: team.connectionId };
    const request = ({ platform }: Pick<Service, "platform">) =>
      platform.db.transaction((transaction) => requestSync(platform, transaction, key, "MANUAL"));
    const queued = await Promise.all(
      Array.from({ length: 5 }, () => [request(team.purser), request(other)]).flat(),
    );
    expect(new Set(queued).size).toBe(1);
    open();
    expect(await first).toBe("ok");
    await team.purser.drain();
    expect(await outcomes()).toEqual(Array(3).fill("SUCCEEDED"));
  });

  it("count as requested by a user if a user joins a queued one", async () => {
    await team.begin();
    const { teamId, connectionId } = team;
    await team.sync();
    await team.purser.db.insert(bankSyncs).values({
      organizationId: teamId,
      id: "bsy_waiting",
      connectionId,
      trigger: "SCHEDULE",
      status: "QUEUED",
      startedAt: team.purser.clock.now(),
    });
    expect(await team.sync()).toBe("ok");
    expect((await syncs()).map(({ trigger }) => trigger)).toEqual(["MANUAL", "MANUAL"]);
  });
});

describe("a sync that a user requests while one without a user runs", () => {
  const address = "192.0.2.1";

  /** Holds a sync without a user at the bank. Returns the users' addresses with which the bank was read since then. */
  async function holdUnattended() {
    await team.begin();
    await team.purser.drain();
    const addresses: (string | undefined)[] = [];
    const { arrived, open } = holdAfterPage(team.script, {});
    say({
      async accounts({ personAddress }: Access) {
        addresses.push(personAddress);
        return [bankAccount()];
      },
    });
    const { purser, owner, teamId, connectionId } = team;
    const running = purser.as(owner).banking.connections.sync({ teamId, connectionId });
    await arrived;
    return { addresses, open, running };
  }

  async function attended() {
    const [, ...later] = await syncs();
    // No address is kept.
    expect(later.map(({ personAddress, personAt }) => personAddress ?? personAt)).toEqual([null, null]);
    return later.map(({ isAttended }) => isAttended);
  }

  it("is read for that user by the process that runs both", async () => {
    const { addresses, open, running } = await holdUnattended();
    const requested = team.sync();
    await expect.poll(outcomes).toContain("QUEUED");
    open();
    await running;
    expect(await requested).toBe("ok");
    expect(addresses).toEqual([undefined, address]);
    expect(await attended()).toEqual([false, true]);
  });

  it("is read without the user if that is more than five minutes later", async () => {
    const { addresses, open, running } = await holdUnattended();
    const requested = team.sync();
    await expect.poll(outcomes).toContain("QUEUED");
    team.purser.clock.advance(5 * minute + 1);
    open();
    await running;
    expect(await requested).toBe("ok");
    expect(addresses).toEqual([undefined, undefined]);
    expect(await attended()).toEqual([false, false]);
  });
});

describe("a disconnection during a sync", () => {
  it("ends it: nothing of what it read appears or remains", async () => {
    await team.begin();
    await team.purser.drain();
    const { arrived, open } = holdAfterPage(team.script, { added: [payment()] });
    const running = team.sync();
    await arrived;
    // A page is stored during the request for the next one.
    await expect.poll(pages).toBe(1);
    const { teamId, connectionId } = team;
    await team.purser.as(team.owner).banking.connections.disconnect({ teamId, connectionId });
    open();
    expect(await running).toBe("CONNECTION_DISCONNECTED");
    expect(await outcomes()).toEqual(["SUCCEEDED", "CONNECTION_DISCONNECTED"]);
    expect(await team.rows()).toEqual([]);
    expect(await pages()).toBe(0);
    expect(await team.sync()).toBe("CONNECTION_DISCONNECTED");
  });
});

describe("a sync whose process died", () => {
  it("is superseded after 15 s without a heartbeat; queued ones continue, and late writes are rejected", async () => {
    // The clock stands still, but heartbeats are five seconds of the machine apart.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await team.begin();
    await team.purser.drain();
    const { arrived, open } = holdAfterPage(team.script, { added: [payment({ amount: 1 })] });
    const dead = team.sync();
    await arrived;
    const next = syncElsewhere();
    while (!(await outcomes()).includes("QUEUED")) await new Promise(setImmediate);
    team.purser.clock.advance(leaseMs);
    await failInterruptedSyncs(team.purser.platform);
    expect(await outcomes()).toEqual(["SUCCEEDED", "RUNNING", "QUEUED"]);
    team.purser.clock.advance(1);
    say(log([{ added: [payment({ amount: 2 })], cursor: "next" }]));
    await failInterruptedSyncs(team.purser.platform);
    await team.purser.drain();
    expect(await next).toBe("ok");
    expect(await outcomes()).toEqual(["SUCCEEDED", "INTERRUPTED", "SUCCEEDED"]);
    const before = await team.rows();
    open();
    expect(await dead).toBe("UNAVAILABLE");
    expect(await team.rows()).toEqual(before);
    expect(await amounts()).toEqual([2]);
    // The page that the dead process stored has no event.
    expect(await eventTypes()).toEqual(["synced", "sync_failed", "changed", "synced"]);
    expect(await connection()).toMatchObject({ cursor: "next", failures: 0 });
    expect(await pages()).toBe(0);
  });

  it("is interrupted 15 seconds after the clock has stepped back behind its last heartbeat", async () => {
    await team.begin();
    const { db, clock, platform } = team.purser;
    const ahead = new Date(clock.now().getTime() + day);
    const running = { status: "RUNNING", startedAt: ahead, heartbeatAt: ahead } as const;
    await db.update(bankSyncs).set(running).where(ofTeam(bankSyncs));
    await failInterruptedSyncs(platform);
    clock.advance(leaseMs + 1);
    await failInterruptedSyncs(platform);
    expect(await outcomes()).toEqual(["INTERRUPTED"]);
    await team.purser.drain();
  });

  it("is retried on schedule within the quota, however often the process dies", async () => {
    await team.begin();
    await team.purser.drain();
    const { db, clock } = team.purser;
    const starts: number[] = [];
    for (let death = 0; death < 8; death += 1) {
      clock.set((await connection()).nextSyncAt!);
      await schedule();
      starts.push(clock.now().getTime());
      // Its process dies right after the start.
      await db
        .update(bankSyncs)
        .set({ status: "RUNNING", startedAt: clock.now(), heartbeatAt: clock.now() })
        .where(and(ofTeam(bankSyncs), eq(bankSyncs.status, "QUEUED")));
      clock.advance(leaseMs + 1);
      await failInterruptedSyncs(team.purser.platform);
    }
    expect((await outcomes()).slice(1)).toEqual(Array(8).fill("INTERRUPTED"));
    for (const start of starts)
      expect(starts.filter((one) => one >= start && one < start + day).length).toBeLessThanOrEqual(4);
    await team.purser.drain();
  });
});

describe("what a sync writes", () => {
  it("is written again after a deadlock, although later statements were already sent", async () => {
    const added = Array.from({ length: 6 }, (_, index) =>
      payment({ externalId: `t${index}`, amount: index }),
    );
    const pagesOfTwo = [0, 2, 4].map((from) => ({
      added: added.slice(from, from + 2),
      cursor: `c${from}`,
      hasMore: from < 4,
    }));
    await team.begin(log(pagesOfTwo));
    const { db } = team.purser;
    await createTestSequence(db, "inserts");
    await db.execute(sql`
      CREATE FUNCTION deadlock_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.external_id = 't1' AND nextval('inserts') = 1 THEN
          RAISE EXCEPTION 'deadlock detected' USING ERRCODE = 'deadlock_detected';
        END IF;
        RETURN NEW;
      END $$`);
    await changeTestTrigger(
      db,
      sql`CREATE TRIGGER deadlock BEFORE INSERT ON bank_transactions FOR EACH ROW EXECUTE FUNCTION deadlock_once()`,
    );
    expect(await team.sync()).toBe("ok");
    expect((await outcomes()).at(-1)).toBe("SUCCEEDED");
    expect((await amounts()).toSorted((one, next) => one - next)).toEqual([0, 1, 2, 3, 4, 5]);
    await changeTestTrigger(db, sql`DROP TRIGGER deadlock ON bank_transactions`);
  });

  it("are atomic: the cursor is never ahead of the rows", async () => {
    await team.begin(log([{ added: [payment()] }]));
    await team.sync();
    const { db } = team.purser;
    const before = [await team.rows(), await team.accounts(), await connection()];
    // The cursor is written last.
    await db.execute(
      sql`ALTER TABLE bank_connections ADD CONSTRAINT broken CHECK (cursor <> 'new') NOT VALID`,
    );
    const next = {
      added: [payment({ externalId: "t2" })],
      removed: [{ accountId: null, externalId: "t1" }],
      cursor: "new",
    };
    say({ ...log([next]), accounts: async () => [bankAccount({ balance: 7 })] });
    expect(await team.sync()).toBe("INTERNAL");
    expect([await team.rows(), await team.accounts()]).toEqual(before.slice(0, 2));
    expect(await connection()).toMatchObject({ cursor: "c1", failures: 1 });
    expect(await pages()).toBe(0);
    expect(await eventTypes()).toEqual(["changed", "synced", "sync_failed"]);
    await db.execute(sql`ALTER TABLE bank_connections DROP CONSTRAINT broken`);
    say(log([next]));
    expect(await team.sync()).toBe("ok");
    expect((await team.rows()).map(({ externalId }) => externalId)).toEqual(["t2"]);
    expect(await eventTypes()).toEqual(["changed", "synced", "sync_failed", "changed", "synced"]);
  });
});
