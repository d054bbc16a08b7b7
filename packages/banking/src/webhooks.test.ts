import { webhookEvents } from "@purser/db";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { receiveWebhook } from "@purser/platform/inbox";
import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { minute } from "@purser/core/testing";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;
let events = 0;
/** How many synchronisations there were before a test. */
let before: number;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  teamId = await purser.organization(owner);
  const facts = { teamId, provider: "sandbox", providerId: "sprout-bank", consentId: "ada" } as const;
  ({ id: connectionId } = await purser.as(owner).banking.connections.connect(facts));
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

/** Hands an event in as the HTTP door does. */
function deliver(event: object, change: { area?: "cards"; signedAt?: Date; body?: string } = {}) {
  const { area = "banking", signedAt = purser.clock.now() } = change;
  const receiver = purser.receivers.find((one) => one.area === "banking" && one.provider === "sandbox")!;
  const signed = Buffer.from(JSON.stringify(event));
  const headers = signSandboxEvent(sandboxSecret(purser.platform.settings, area), signed, signedAt);
  const body = change.body === undefined ? signed : Buffer.from(change.body);
  return receiveWebhook(purser.platform, receiver, body, headers);
}

/** Why the synchronisations ran that a test has brought about. */
async function triggers(): Promise<string[]> {
  const runs = await purser.as(owner).banking.syncs.list({ teamId });
  return runs.slice(0, runs.length - before).map(({ trigger }) => trigger);
}

describe("a webhook of a bank", () => {
  it("leads to a synchronisation, which brings what the bank has", async () => {
    const { banking, sandbox } = purser.as(owner);
    const [account] = await banking.accounts.list({ teamId });
    await sandbox.banking.addTransaction({
      teamId,
      connectionId,
      accountId: account!.id,
      amount: 5,
      type: "DEBIT",
      description: "Told",
      notify: false,
    });
    expect(await deliver(newEvent())).toEqual({ outcome: "accepted" });
    expect(await triggers()).toEqual([]);
    await purser.drain();
    expect(await triggers()).toEqual(["WEBHOOK"]);
    const [newest] = await banking.transactions.list({ teamId, accountId: account!.id, limit: 1 });
    expect(newest).toMatchObject({ description: "Told", amount: 5 });
  });

  it("has one effect, however often and however late it comes", async () => {
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

  it("shares the synchronisation that waits with others", async () => {
    await Promise.all(Array.from({ length: 5 }, () => deliver(newEvent())));
    const types = ["consent.changed", "consent.reauthorization_required", "consent.revoked"];
    for (const type of types) await deliver(newEvent({ type }));
    await purser.drain();
    expect(await triggers()).toEqual(["WEBHOOK"]);
  });

  it("is not believed: the bank itself is asked whether the consent has ended", async () => {
    await deliver(newEvent({ type: "consent.revoked" }));
    await purser.drain();
    const [connection] = await purser.as(owner).banking.connections.list({ teamId });
    expect(connection).toMatchObject({ status: "ACTIVE", consents: [{ status: "AUTHORIZED" }] });
  });

  it("changes nothing where it is forged, altered, too old, too new or another area's", async () => {
    const stored = await purser.db.$count(webhookEvents);
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
    expect(await purser.db.$count(webhookEvents)).toBe(stored);
    expect(await triggers()).toEqual([]);
  });

  it("concerns nobody where its consent, team or kind is unknown, or the connection has ended", async () => {
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
      expect(await deliver(newEvent(change))).toEqual({ outcome: "accepted" });
    }
    await purser.drain();
    expect(await triggers()).toEqual([]);
    await purser.as(owner).banking.connections.disconnect({ teamId, connectionId });
    await deliver(newEvent());
    await purser.drain();
    expect(await triggers()).toEqual([]);
  });
});
