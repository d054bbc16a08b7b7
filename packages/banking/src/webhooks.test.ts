import { minute } from "@purser/core/testing";
import { inboxStates, inboxEvents } from "@purser/db";
import { receiveWebhook, replayWebhook, sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;
let events = 0;
/** The number of syncs before a test. */
let before: number;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  teamId = await purser.organization(owner);
  const bank = { teamId, provider: "sandbox", providerId: "sprout-bank", consentId: "ada" } as const;
  ({ id: connectionId } = await purser.as(owner).banking.connections.connect(bank));
  await purser.drain();
});
afterAll(() => purser.close());
beforeEach(async () => {
  before = (await purser.as(owner).banking.syncs.list({ teamId })).length;
});

const newEvent = (change: object = {}) => {
  events += 1;
  return {
    id: `evt_${events}`,
    type: "transactions.changed",
    data: {
      organizationId: teamId,
      consentId: "ada",
    },
    ...change,
  };
};

/** Delivers an event as the HTTP transport does. */
function deliver(event: object, change: { area?: "cards"; signedAt?: Date; body?: string } = {}) {
  const { area = "banking", signedAt = purser.clock.now() } = change;
  const receiver = purser.receivers.find((one) => one.area === "banking" && one.provider === "sandbox")!;
  const signed = Buffer.from(JSON.stringify(event));
  const headers = signSandboxEvent(sandboxSecret(purser.platform.settings, area), signed, signedAt);
  const body = change.body === undefined ? signed : Buffer.from(change.body);
  return receiveWebhook(purser.platform, receiver, body, headers);
}

/** The syncs that a test caused, newest first. */
async function newSyncs() {
  const syncs = await purser.as(owner).banking.syncs.list({ teamId });
  return syncs.slice(0, syncs.length - before);
}

const triggers = async () => (await newSyncs()).map(({ trigger }) => trigger);

async function stateOf(eventId: string) {
  const { status, attempts } = inboxStates;
  const ofEvent = eq(inboxStates.eventId, eventId);
  const [state] = await purser.db.select({ status, attempts }).from(inboxStates).where(ofEvent);
  return state;
}

describe("a webhook of a bank", () => {
  it("requests a sync in the transaction that stores it, and needs no other job", async () => {
    const { banking, sandbox } = purser.as(owner);
    const [account] = await banking.accounts.list({ teamId });
    await sandbox.banking.addTransaction({
      teamId,
      connectionId,
      accountId: account!.id,
      amount: 5,
      type: "DEBIT",
      description: "New",
      notify: false,
    });
    const event = newEvent();
    expect(await deliver(event)).toEqual({ outcome: "accepted" });
    expect(await stateOf(event.id)).toEqual({ status: "APPLIED", attempts: 1 });
    expect(await newSyncs()).toMatchObject([{ trigger: "WEBHOOK", status: "QUEUED" }]);
    expect(await purser.drain()).toBe(1);
    expect(await newSyncs()).toMatchObject([{ trigger: "WEBHOOK", status: "SUCCEEDED", added: 1 }]);
    const [newest] = await banking.transactions.list({ teamId, accountId: account!.id, limit: 1 });
    expect(newest).toMatchObject({ description: "New", amount: 5 });
  });

  it("has one effect, however often and however late it arrives", async () => {
    const event = newEvent();
    const receipts = await Promise.all(Array.from({ length: 10 }, () => deliver(event)));
    expect(receipts.map(({ outcome }) => outcome).toSorted()).toEqual([
      "accepted",
      ...Array.from({ length: 9 }, () => "duplicate"),
    ]);
    await purser.drain();
    purser.clock.advance(60 * minute);
    expect(await deliver(event)).toEqual({ outcome: "duplicate" });
    await purser.drain();
    expect(await triggers()).toEqual(["WEBHOOK"]);
  });

  it("requests another sync when it is replayed", async () => {
    const event = newEvent();
    await deliver(event);
    await purser.drain();
    const key = { area: "banking", provider: "sandbox", eventId: event.id } as const;
    expect(await replayWebhook(purser.platform, key)).toBe(true);
    expect(await stateOf(event.id)).toMatchObject({ status: "PENDING" });
    expect(await purser.drain()).toBe(2);
    expect(await stateOf(event.id)).toEqual({ status: "APPLIED", attempts: 1 });
    expect(await triggers()).toEqual(["WEBHOOK", "WEBHOOK"]);
  });

  it("shares the queued sync with other events", async () => {
    await Promise.all(Array.from({ length: 5 }, () => deliver(newEvent())));
    const types = ["consent.changed", "consent.reauthorization_required", "consent.revoked"];
    for (const type of types) await deliver(newEvent({ type }));
    await purser.drain();
    expect(await triggers()).toEqual(["WEBHOOK"]);
  });

  it("does not end a consent: the sync asks the bank whether the consent has ended", async () => {
    await deliver(newEvent({ type: "consent.revoked" }));
    await purser.drain();
    const [connection] = await purser.as(owner).banking.connections.list({ teamId });
    expect(connection).toMatchObject({ status: "ACTIVE", consents: [{ status: "AUTHORIZED" }] });
  });

  it("changes nothing if it is forged, altered, too old, too new or another area's", async () => {
    const stored = await purser.db.$count(inboxEvents);
    const event = newEvent();
    const now = purser.clock.now().getTime();
    const refusals = [
      await deliver(event, { area: "cards" }),
      await deliver(event, { body: JSON.stringify({ ...event, id: "evt_other" }) }),
      await deliver(event, { body: "" }),
      await deliver(event, { signedAt: new Date(now - 6 * minute) }),
      await deliver(event, { signedAt: new Date(now + 6 * minute) }),
      await deliver([event]),
    ];
    expect(refusals.map(({ outcome }) => outcome)).toEqual(refusals.map(() => "refused"));
    await purser.drain();
    expect(await purser.db.$count(inboxEvents)).toBe(stored);
    expect(await triggers()).toEqual([]);
  });

  it("is ignored if its consent, team or type is unknown, or the connection has ended", async () => {
    const other = await purser.organization(owner);
    for (const change of [
      { data: { organizationId: teamId, consentId: "bob" } },
      { data: { organizationId: other, consentId: "ada" } },
      { data: { organizationId: purser.unknownId("org"), consentId: "ada" } },
      { data: { consentId: "ada" } },
      { data: {} },
      { type: "weather.changed" },
      { type: "constructor" },
    ]) {
      const event = newEvent(change);
      expect(await deliver(event)).toEqual({ outcome: "accepted" });
      expect(await stateOf(event.id)).toEqual({ status: "IGNORED", attempts: 1 });
    }
    expect(await purser.drain()).toBe(0);
    expect(await triggers()).toEqual([]);
    await purser.as(owner).banking.connections.disconnect({ teamId, connectionId });
    await deliver(newEvent());
    await purser.drain();
    expect(await triggers()).toEqual([]);
  });
});
