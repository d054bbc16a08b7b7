import { day, hour, minute } from "@purser/core/testing";
import { bankConnections, bankSyncs } from "@purser/db";
import { handlerOf } from "@purser/testing";
import { and, asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { countConnections } from "../connections/store.ts";
import { bankingJobs } from "../job-definitions.ts";
import { BankError, type ConsentStatus } from "../ports.ts";
import { type ScriptedTeam, createScriptedTeam, log } from "../testing/scripted-bank.ts";
import { requestSync } from "./service/run.ts";

let team: ScriptedTeam;

beforeAll(async () => {
  team = await createScriptedTeam();
});
afterAll(() => team.purser.close());
beforeEach(async () => {
  team.purser.clock.set("2026-03-02T09:00:00Z");
  await team.purser.db.update(bankConnections).set({ nextSyncAt: null });
  await team.begin();
  await team.purser.drain();
});

async function schedule(): Promise<void> {
  await handlerOf(team.purser.handlers, bankingJobs.schedule)(null, { id: "job", attempt: 1, last: false });
  await team.purser.drain();
}

const syncs = () =>
  team.purser.db
    .select()
    .from(bankSyncs)
    .where(eq(bankSyncs.organizationId, team.teamId))
    .orderBy(asc(bankSyncs.id));

async function next(): Promise<Date> {
  const { db } = team.purser;
  const [row] = await db.select().from(bankConnections).where(eq(bankConnections.id, team.connectionId));
  return row!.nextSyncAt!;
}

const later = (milliseconds: number) => new Date(team.purser.clock.now().getTime() + milliseconds);

/** Requests a sync as a webhook does. */
const webhookSync = () => {
  const { teamId: organizationId, connectionId: id, purser } = team;
  return purser.db.transaction((transaction) =>
    requestSync(purser.platform, transaction, { organizationId, id }, "WEBHOOK"),
  );
};

describe("the schedule", () => {
  it("syncs due connections four times a day, and no others", async () => {
    expect(await next()).toEqual(later(6 * hour));
    team.purser.clock.advance(6 * hour - 1);
    await schedule();
    expect(await syncs()).toHaveLength(1);
    team.purser.clock.advance(1);
    await schedule();
    await schedule();
    expect((await syncs()).map(({ trigger, status }) => [trigger, status])).toEqual([
      ["CONNECT", "SUCCEEDED"],
      ["SCHEDULE", "SUCCEEDED"],
    ]);
    expect(await next()).toEqual(later(6 * hour));
  });

  it("never reads more than four times in 24 hours without a user, whether the bank responds or not", async () => {
    const { clock } = team.purser;
    let turn = 0;
    Object.assign(team.script, {
      async changes() {
        turn += 1;
        if (turn % 5 !== 0) throw new BankError("outage", "The bank is down");
        return { added: [], modified: [], removed: [], cursor: `c${turn}`, hasMore: false };
      },
    });
    for (let read = 0; read < 14; read += 1) {
      clock.set(await next());
      await schedule();
    }
    const starts = (await syncs()).slice(1).map(({ startedAt }) => startedAt.getTime());
    expect(starts).toHaveLength(14);
    for (const start of starts)
      expect(starts.filter((one) => one >= start && one < start + day).length).toBeLessThanOrEqual(4);
    // An outage of an hour does not use up the reads of the rest of the day.
    expect(starts[3]! - starts[0]!).toBeGreaterThan(6 * hour);
  });

  it("counts syncs that a webhook requested after the next one was scheduled", async () => {
    for (let count = 0; count < 4; count += 1) {
      await webhookSync();
      await team.purser.drain();
    }
    const first = (await syncs())[1]!.startedAt;
    await team.purser.db.update(bankConnections).set({ nextSyncAt: later(0) });
    await schedule();
    expect(await syncs()).toHaveLength(5);
    expect(await next()).toEqual(new Date(first.getTime() + day));
    // A user who is present lifts the limit.
    expect(await team.sync()).toBe("ok");
  });

  it("respects the provider's retry time", async () => {
    const error = new BankError("rate_limited", "Enough", { retryAfterSeconds: 3 * 60 * 60 });
    Object.assign(team.script, log([error]));
    expect(await team.sync()).toBe("PROVIDER_ERROR");
    expect(await next()).toEqual(later(3 * hour));
  });

  it("waits for the user if the bank requires one, and notifies the owners once", async () => {
    Object.assign(team.script, { consentStatus: async () => ({ status: "reauthorization_required" }) });
    team.purser.mails.length = 0;
    expect(await team.sync()).toBe("REAUTHORIZATION_REQUIRED");
    expect(await team.sync()).toBe("REAUTHORIZATION_REQUIRED");
    const before = await syncs();
    for (let count = 0; count < 4; count += 1) {
      team.purser.clock.advance(day);
      await schedule();
    }
    expect(await syncs()).toEqual(before);
    expect(team.purser.mails.map(({ to }) => to)).toEqual([team.owner.email]);
  });

  it("checks a consent that needs the user once a day, and syncs once it is in force again", async () => {
    let checks = 0;
    let status: ConsentStatus["status"] = "reauthorization_required";
    Object.assign(team.script, {
      consentStatus: async () => {
        checks += 1;
        return { status, expiresAt: null };
      },
    });
    expect(await team.sync()).toBe("REAUTHORIZATION_REQUIRED");
    checks = 0;
    for (let count = 0; count < 8; count += 1) {
      team.purser.clock.advance(6 * hour);
      await schedule();
    }
    expect(checks).toBe(2);
    status = "authorized";
    team.purser.clock.advance(day);
    await schedule();
    expect((await syncs()).at(-1)).toMatchObject({ trigger: "SCHEDULE", status: "SUCCEEDED" });
    expect(await next()).toEqual(later(6 * hour));
  });

  it("checks it again the next day after an outage, and no longer once the consent has ended", async () => {
    Object.assign(team.script, { consentStatus: async () => ({ status: "reauthorization_required" }) });
    expect(await team.sync()).toBe("REAUTHORIZATION_REQUIRED");
    const before = await syncs();
    const isDown = async () => Promise.reject(new BankError("outage", "The provider is down"));
    Object.assign(team.script, { consentStatus: isDown });
    team.purser.clock.advance(day);
    await schedule();
    expect([await syncs(), await next()]).toEqual([before, later(day)]);
    Object.assign(team.script, { consentStatus: async () => ({ status: "revoked" }) });
    team.purser.clock.advance(day);
    await schedule();
    const { connections } = team.purser.as(team.owner).banking;
    const [connection] = await connections.list({ teamId: team.teamId });
    expect(connection).toMatchObject({ status: "ACTIVE", consents: [{ status: "REVOKED" }] });
    team.purser.clock.advance(day);
    await schedule();
    expect([(await syncs()).length, await next()]).toEqual([before.length + 1, null]);
  });

  it("continues with other connections if one cannot be scheduled", async () => {
    const { db } = team.purser;
    const broken = team.teamId;
    const firstConnection = team.connectionId;
    await team.begin();
    await team.purser.drain();
    await db
      .update(bankConnections)
      .set({ nextSyncAt: later(0) })
      .where(eq(bankConnections.id, firstConnection));
    const others = and(eq(bankConnections.id, team.connectionId));
    await db
      .update(bankConnections)
      .set({ nextSyncAt: later(minute) })
      .where(others);
    team.purser.clock.advance(minute);
    await db.execute(
      sql.raw(
        `ALTER TABLE bank_syncs ADD CONSTRAINT broken CHECK (organization_id <> '${broken}') NOT VALID`,
      ),
    );
    await schedule();
    await db.execute(sql`ALTER TABLE bank_syncs DROP CONSTRAINT broken`);
    expect((await syncs()).map(({ trigger }) => trigger)).toEqual(["CONNECT", "SCHEDULE"]);
  });

  it("enqueues jobs for all syncs that have been queued for some minutes, however many", async () => {
    const { db } = team.purser;
    const { teamId, connectionId } = team;
    await db.execute(sql`
      INSERT INTO bank_connections SELECT (jsonb_populate_record(one, jsonb_build_object('id', 'bcn_' || n))).*
      FROM bank_connections AS one, generate_series(1, 501) AS n WHERE one.id = ${connectionId}`);
    // One older than the other, except for some pairs.
    await db.execute(sql`
      INSERT INTO bank_syncs (organization_id, id, connection_id, trigger, status, started_at)
      SELECT ${teamId}, 'bsy_' || n, 'bcn_' || n, 'WEBHOOK', 'QUEUED',
        ${team.purser.clock.now().toISOString()}::timestamptz - interval '1 hour' - n / 2 * interval '1 second'
      FROM generate_series(1, 501) AS n`);
    await handlerOf(team.purser.handlers, bankingJobs.schedule)(null, { id: "job", attempt: 1, last: false });
    await team.purser.platform.outbox.relay();
    const jobs = sql`pgboss.job WHERE name = 'banking.sync' AND state = 'created'`;
    const [enqueued] = await db.execute(sql`SELECT count(*)::int AS count FROM ${jobs}`);
    await db.execute(sql`DELETE FROM ${jobs}`);
    await db.execute(sql`DELETE FROM bank_syncs WHERE status = 'QUEUED'`);
    expect(enqueued).toEqual({ count: 501 });
  });

  describe("of a connection whose consent the team lets end", () => {
    const extendTo = (expiresAt: Date) => {
      const { teamId, connectionId, purser, owner } = team;
      const input = { teamId, connectionId, scopes: ["accounts"], expiresAt };
      return purser.as(owner).banking.connections.updateConsent(input);
    };

    beforeEach(async () => {
      const bankEnd = new Date("2027-01-01T00:00:00Z");
      await team.begin({
        granted: ["accounts"],
        consentStatus: async () => ({ status: "authorized", expiresAt: bankEnd }),
      });
      await team.purser.drain();
      await extendTo(later(hour));
      team.purser.clock.set(await next());
      team.purser.mails.length = 0;
      await schedule();
      expect((await syncs()).at(-1)).toMatchObject({ status: "FAILED", errorCode: "CONSENT_EXPIRED" });
      expect(await next()).toBeNull();
    });

    it("continues once the consent is extended", async () => {
      await extendTo(later(30 * day));
      await team.purser.drain();
      expect((await syncs()).at(-1)).toMatchObject({ status: "SUCCEEDED" });
      expect(await next()).toEqual(later(6 * hour));
    });

    it("records that the connection needs a person, and notifies the owners, once for each end", async () => {
      const { purser, owner, teamId } = team;
      const types = ["bank_connection.needs_reauthorization" as const];
      const told = async () => [
        (await purser.as(owner).events.list({ organizationId: teamId, types })).length,
        purser.mails.map(({ subject }) => subject),
      ];
      const mail = "Your consent at A Bank has ended";
      expect(await told()).toEqual([1, [mail]]);
      await webhookSync();
      await purser.drain();
      expect(await told()).toEqual([1, [mail]]);
      await extendTo(later(hour));
      await purser.drain();
      purser.clock.set(await next());
      await schedule();
      expect(await told()).toEqual([2, [mail, mail]]);
    });

    it("counts as one that needs a person", async () => {
      const waiting = async () => {
        const counts = await countConnections(team.purser.db);
        return counts.find(({ condition }) => condition === "needs_person")?.value ?? 0;
      };
      const before = await waiting();
      await extendTo(later(30 * day));
      await team.purser.drain();
      expect(await waiting()).toBe(before - 1);
    });
  });
});
