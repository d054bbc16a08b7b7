// @module-tag slow
import { bankSyncs } from "@purser/db";
import { type Person, type TestPurser, configuredBanks, createTestPurser, handlerOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SyncJob, bankingJobs } from "../job-definitions.ts";
import { personAt } from "../person.ts";
import type { BankProvider } from "../ports.ts";
import { gate } from "../testing/scripted-bank.ts";
import { requestSync } from "./service/run.ts";

let purser: TestPurser;
let owner: Person;
/** Overrides operations of the bank. All others are the sandbox's. */
let replaced: Partial<BankProvider> = {};

beforeAll(async () => {
  purser = await createTestPurser({ bankOperations: () => replaced });
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(() => {
  replaced = {};
});

interface Connected {
  organizationId: string;
  connectionId: string;
}

/** Connects a bank for a new team. Its first sync is queued. */
async function connect(providerId: string): Promise<Connected> {
  const teamId = await purser.organization(owner);
  const target = { provider: "sandbox", providerId, consentId: "ada" } as const;
  const { id: connectionId } = await purser.as(owner).banking.connections.connect({ teamId, ...target });
  return { organizationId: teamId, connectionId };
}

/** Runs the job of a sync, as a worker does. */
const run = (job: SyncJob) =>
  handlerOf(purser.handlers, bankingJobs.sync)(job, { id: "job", attempt: 1, last: false });

const isSynced = async ({ organizationId }: Connected) => {
  const syncs = await purser.db.select().from(bankSyncs).where(eq(bankSyncs.organizationId, organizationId));
  return syncs.some(({ status }) => status === "SUCCEEDED");
};

describe("the syncs of a bank that does not respond", () => {
  it("occupy four workers, and leave the others to other banks and to users who are present", async () => {
    const hanging = [];
    for (let count = 6; count > 0; count -= 1) hanging.push(await connect("sprout-bank"));
    const ofPerson = await connect("sprout-bank");
    const other = await connect("sandbox-bank");
    const sandbox = await configuredBanks(purser.platform).at("sandbox");
    const { pass, open } = gate();
    let waiting = 0;
    replaced.consentStatus = async (access) => {
      if (access.institutionId === "sprout-bank") {
        waiting += 1;
        await pass();
      }
      return sandbox.consentStatus(access);
    };
    let ended = 0;
    const jobs = hanging.map(async (connected) => {
      await run(connected);
      ended += 1;
    });
    await expect.poll(() => waiting + ended, { timeout: 60_000 }).toBe(6);
    expect([waiting, ended]).toEqual([4, 2]);
    await run(other);
    expect(await isSynced(other)).toBe(true);
    const person = personAt("192.0.2.1", purser.platform.clock.now());
    const attended = run({ ...ofPerson, person });
    await expect.poll(() => waiting, { timeout: 60_000 }).toBe(5);

    open();
    await Promise.all([...jobs, attended]);
    await purser.drain();
    expect(await Promise.all(hanging.map(isSynced))).toEqual(hanging.map(() => true));
  });

  it("continue one by one as soon as it responds, although their own jobs have ended", async () => {
    const hanging = [];
    for (let count = 5; count > 0; count -= 1) hanging.push(await connect("sprout-bank"));
    // Only the jobs that a worker starts from here on count.
    await purser.db.execute("DELETE FROM pgboss.job WHERE name = 'banking.sync'");
    const sandbox = await configuredBanks(purser.platform).at("sandbox");
    const { pass, open } = gate();
    let ended = 0;
    replaced.consentStatus = async (access) => {
      await pass();
      return sandbox.consentStatus(access);
    };
    const jobs = hanging.map(async (connected) => {
      await run(connected);
      ended += 1;
    });
    await expect.poll(() => ended, { timeout: 60_000 }).toBe(1);
    open();
    await Promise.all(jobs);
    await purser.drain();
    expect(await Promise.all(hanging.map(isSynced))).toEqual(hanging.map(() => true));
  });

  it("run at the next request, if the process died that had them waiting", async () => {
    const connected = await connect("sprout-bank");
    // The process that took it is gone, and so is its memory of it.
    await purser.db.execute("DELETE FROM pgboss.job WHERE name = 'banking.sync'");
    await purser.db.transaction((transaction) =>
      requestSync(
        purser.platform,
        transaction,
        { organizationId: connected.organizationId, id: connected.connectionId },
        "WEBHOOK",
      ),
    );
    await purser.drain();
    expect(await isSynced(connected)).toBe(true);
  });
});
