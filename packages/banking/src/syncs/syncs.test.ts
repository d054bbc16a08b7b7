import { minute } from "@purser/core/testing";
import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { purgeSyncs } from "./store/runs.ts";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  teamId = await purser.organization(owner);
  connectionId = await connect("ada");
});
afterAll(() => purser.close());

const banking = () => purser.as(owner).banking;
const list = (input: object = {}) => banking().syncs.list({ teamId, ...input });
const target = () => ({ teamId, connectionId });

async function connect(consentId: string): Promise<string> {
  const bank = { teamId, provider: "sandbox", providerId: "sprout-bank", consentId } as const;
  return (await banking().connections.connect(bank)).id;
}

describe("banking.syncs.list", () => {
  it("shows the first sync while it is queued and after it ends, with exactly the documented fields", async () => {
    const waiting = {
      id: expect.stringMatching(/^bsy_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      connectionId,
      trigger: "CONNECT",
      status: "QUEUED",
      startedAt: purser.clock.now(),
      finishedAt: null,
      added: 0,
      modified: 0,
      removed: 0,
      errorCode: null,
    };
    expect(await list()).toEqual([waiting]);
    purser.clock.advance(minute);
    await purser.drain();
    const now = purser.clock.now();
    const added = (await banking().transactions.list({ teamId })).length;
    const [first] = await list();
    expect(first).toEqual({
      ...waiting,
      status: "SUCCEEDED",
      startedAt: now,
      finishedAt: now,
      added: first!.added,
    });
    // Pending transactions count as added, but are not listed.
    expect(first!.added).toBeGreaterThanOrEqual(added);
  });

  it("lists the syncs of all of a team's connections, newest first, with trigger and outcome", async () => {
    const { addTransaction, setFault } = purser.as(owner).sandbox.banking;
    const [account] = await banking().accounts.list(target());
    await addTransaction({ ...target(), accountId: account!.id, amount: 1, type: "DEBIT" });
    await purser.drain();
    purser.clock.advance(minute);
    await setFault({ ...target(), fault: "outage", times: 1 });
    await refusalOf(banking().connections.sync(target()));
    purser.clock.advance(minute);
    await banking().connections.sync(target());
    const other = await connect("bob");
    const runs = await list();
    expect(runs.map((run) => [run.connectionId, run.trigger, run.status, run.added, run.errorCode])).toEqual([
      [other, "CONNECT", "QUEUED", 0, null],
      [connectionId, "MANUAL", "SUCCEEDED", 0, null],
      [connectionId, "MANUAL", "FAILED", 0, "PROVIDER_ERROR"],
      [connectionId, "WEBHOOK", "SUCCEEDED", 1, null],
      [connectionId, "CONNECT", "SUCCEEDED", expect.any(Number), null],
    ]);
    expect(await list(target())).toEqual(runs.slice(1));
    expect(await list({ connectionId: other })).toEqual(runs.slice(0, 1));
  });

  it("returns pages, and continues after any item", async () => {
    const all = await list();
    expect(await list({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(await list({ limit: 2, after: all[1]!.id })).toEqual(all.slice(2, 4));
    expect(await list({ ...target(), after: all[0]!.id })).toEqual(all.slice(1));
    expect(await list({ after: all.at(-1)!.id })).toEqual([]);
  });

  it("is limited to the connections of this team", async () => {
    for (const id of [purser.unknownId("bcn"), "x"]) {
      expect(await refusalOf(list({ connectionId: id }))).toBe("CONNECTION_NOT_FOUND");
    }
    const other = await purser.organization(owner);
    const foreign = banking().syncs.list({ teamId: other, connectionId });
    expect(await refusalOf(foreign)).toBe("CONNECTION_NOT_FOUND");
    expect(await banking().syncs.list({ teamId: other })).toEqual([]);
    expect(await refusalOf(list({ after: "bsy_1" }))).toBe("VALIDATION_FAILED");
    expect(await refusalOf(list({ status: "FAILED" }))).toBe("VALIDATION_FAILED");
  });

  it("continues behind a sync that was deleted between two pages", async () => {
    await purser.drain();
    await connect("carol");
    const [unfinished, last] = await list({ limit: 2 });
    purser.clock.advance(minute);
    await purgeSyncs(purser.db, purser.clock.now());
    expect(await list()).toEqual([unfinished]);
    expect(await list({ after: last!.id })).toEqual([]);
  });
});
