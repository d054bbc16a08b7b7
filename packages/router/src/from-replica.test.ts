// @module-tag slow
import {
  type Person,
  type ReplicatedPostgres,
  type TestPurser,
  callProcedure,
  createTestPurser,
  refusalOf,
  startReplicatedPostgres,
  testSettings,
} from "@purser/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

const march = { from: new Date("2026-03-01T00:00:00.000Z"), to: new Date("2026-03-31T00:00:00.000Z") };

/** The lists that may be long and the reports, and how their input names the organization. */
const lists = {
  "banking.accounts.list": "teamId",
  "banking.reports.balances": "teamId",
  "banking.reports.cashflow": "teamId",
  "banking.syncs.list": "teamId",
  "banking.transactions.list": "teamId",
  "cards.reports.spending": "organizationId",
  "cards.transactions.list": "organizationId",
  "events.feed": "organizationId",
  "events.list": "organizationId",
  "organizations.audit.list": "id",
};

const moreInput: Record<string, object> = {
  "banking.reports.cashflow": { interval: "day" },
  "cards.reports.spending": { groupBy: "day" },
};

describe("a list", () => {
  /** Null if no replica can be started; then every test is skipped. */
  let started: ReplicatedPostgres | null = null;
  let servers: ReplicatedPostgres;
  /** Two processes on one database and its replica. */
  let one: TestPurser;
  let other: TestPurser;
  let owner: Person;
  let id: string;

  beforeAll(async () => {
    started = await startReplicatedPostgres();
    if (started === null) return;
    servers = started;
    const { encryptionKeys } = testSettings();
    const addresses = { databaseUrl: started.primaryUrl, replicaDatabaseUrl: started.replicaUrl };
    const settings = { ...addresses, encryptionKeys };
    [one, other] = [await createTestPurser({ settings }), await createTestPurser({ settings })];
    owner = await one.person();
    id = await one.organization(owner);
  });
  beforeEach(({ skip }) => skip(started === null, "No PostgreSQL comes with the install on this platform"));
  afterEach(() => started?.resume());
  afterAll(async () => {
    await Promise.all([one?.close(), other?.close()]);
    await started?.stop();
  });

  it.each(Object.entries(lists))("reads from the replica only: %s", async (path, field) => {
    const sent = new Set<string>();
    other.db.$client.options.debug = (_connection, text) => void sent.add(text);
    await vi.waitFor(async () => {
      sent.clear();
      const range = path.includes(".reports.") ? { ...march, ...moreInput[path] } : {};
      await callProcedure(other.as(owner), path, { [field]: id, ...range });
      const about = /"memberships"|pg_current_wal_flush_lsn|pg_control_system/;
      expect([...sent].filter((text) => !about.test(text))).toEqual([]);
      // The primary is asked how far the replica has to be.
      expect(sent.size).toBeGreaterThan(0);
    }, 60_000);
  });

  it(
    "shows a reader of the feed each event once, in one order, whichever server answers",
    { tags: ["slow"] },
    async () => {
      const organizationId = await one.organization(owner);
      const names = Array.from({ length: 40 }, (_, index) => `Name ${index}`);
      let isOver = false;
      const write = async () => {
        for (const [index, name] of names.entries()) {
          if (index % 10 === 5) await servers.stall();
          if (index % 10 === 9) await servers.resume();
          await one.as(owner).organizations.update({ id: organizationId, name });
        }
        isOver = true;
      };
      const read = async (first: number) => {
        const seen: string[] = [];
        let cursor: string | undefined;
        for (let turn = first, rest = false; !rest; turn += 1) {
          rest = isOver && seen.length === names.length;
          const { feed } = [one, other][turn % 2]!.as(owner).events;
          const answer = await feed({ organizationId, limit: 3, ...(cursor !== undefined && { cursor }) });
          ({ cursor } = answer);
          seen.push(...answer.events.map(({ data }) => (data as { name: string }).name));
        }
        return seen;
      };
      const [, ...seen] = await Promise.all([write(), read(0), read(1)]);
      expect(seen).toEqual([names, names]);
    },
  );

  it("shows callers their writes through another process, even while the replica is behind", async () => {
    await servers.stall();
    for (const name of ["One", "Two", "Three"]) {
      await one.as(owner).organizations.update({ id, name });
      const [newest] = await other.as(owner).organizations.audit.list({ id });
      expect(newest!.details).toMatchObject({ to: { name } });
    }
  });

  it("is refused to a removed member on the next call, even while the replica is behind", async () => {
    const member = await one.person();
    const teamId = await one.organization(owner, { members: [member] });
    const list = () => other.as(member).banking.transactions.list({ teamId });
    expect(await list()).toEqual([]);
    await servers.stall();
    const { members } = one.as(owner).organizations;
    const all = await members.list({ organizationId: teamId });
    await members.remove({ membershipId: all.find(({ userId }) => userId === member.userId)!.id });
    expect(await refusalOf(list())).toBe("ORGANIZATION_NOT_FOUND");
  });
});
