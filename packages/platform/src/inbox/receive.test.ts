import { type Transaction, inboxStates } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { drainJobs } from "../jobs/drain.ts";
import { platformHandlers } from "../jobs/handlers.ts";
import { replayWebhook } from "./apply.ts";
import { receiveWebhook } from "./receive.ts";
import type { VerifiedWebhook, WebhookEffect, WebhookEvent, WebhookReceiver } from "./receiver.ts";

/** A provider whose events are their own ids. */
class PlainReceiver implements WebhookReceiver {
  readonly area = "billing";
  readonly provider: string = "plain";
  applied: WebhookEvent[] = [];

  verify(body: Buffer): VerifiedWebhook {
    return { outcome: "verified", eventId: body.toString(), type: "invoice.paid" };
  }

  async apply(event: WebhookEvent): Promise<WebhookEffect> {
    this.applied.push(event);
    return "APPLIED";
  }
}

/** Writes a row per event in the transaction that stores it. */
class OnReceipt extends PlainReceiver {
  override readonly provider = "on-receipt";
  effectOf: (eventId: string) => WebhookEffect = () => "APPLIED";

  async applyOnReceipt(transaction: Transaction, { eventId }: WebhookEvent): Promise<WebhookEffect> {
    await transaction.execute(sql`INSERT INTO effects (event_id) VALUES (${eventId})`);
    return this.effectOf(eventId);
  }
}

let purser: TestPurser;
let onReceipt: OnReceipt;
let plain: PlainReceiver;
let events = 0;

beforeAll(async () => {
  purser = await createTestPurser();
  await purser.db.execute(sql`CREATE TABLE effects (event_id text NOT NULL)`);
});
afterAll(() => purser.close());
beforeEach(() => {
  onReceipt = new OnReceipt();
  plain = new PlainReceiver();
});

const newId = () => {
  events += 1;
  return `evt_${events}`;
};

const receive = (eventId: string, receiver: WebhookReceiver = onReceipt) =>
  receiveWebhook(purser.platform, receiver, Buffer.from(eventId), new Headers());

const mail = { send: () => Promise.reject(new Error("No mail here")) };
const runJobs = () =>
  drainJobs(
    purser.platform,
    platformHandlers(purser.platform, { mail, receivers: [onReceipt, plain], tasks: [] }),
  );

const effectsOf = async (eventId: string) =>
  (await purser.db.execute(sql`SELECT FROM effects WHERE event_id = ${eventId}`)).length;

async function stateOf(eventId: string) {
  const ofEvent = eq(inboxStates.eventId, eventId);
  const [state] = await purser.db.select().from(inboxStates).where(ofEvent);
  return state;
}

describe("an event that is applied on receipt", () => {
  it.each(["APPLIED", "IGNORED"] as const)("is stored as %s, and needs no job", async (effect) => {
    const id = newId();
    onReceipt.effectOf = () => effect;
    expect(await receive(id)).toEqual({ outcome: "accepted" });
    expect(await stateOf(id)).toMatchObject({ status: effect, attempts: 1, lastError: null });
    expect(await effectsOf(id)).toBe(1);
    expect(await runJobs()).toBe(0);
    expect(onReceipt.applied).toEqual([]);
  });

  it("has one effect if it arrives 50 times concurrently", async () => {
    const id = newId();
    const receipts = await Promise.all(Array.from({ length: 50 }, () => receive(id)));
    expect(receipts.filter(({ outcome }) => outcome === "accepted")).toHaveLength(1);
    expect(receipts.filter(({ outcome }) => outcome === "duplicate")).toHaveLength(49);
    expect(await effectsOf(id)).toBe(1);
  });

  it("leaves no trace if it fails, spares the rest of its batch, and is accepted when it is sent again", async () => {
    const [first, failing, last, queued] = [newId(), newId(), newId(), newId()];
    onReceipt.effectOf = (eventId) => {
      if (eventId === failing) throw new Error("cannot be stored");
      return "APPLIED";
    };
    const results = await Promise.allSettled([
      receive(first),
      receive(failing),
      receive(last),
      receive(queued, plain),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(await stateOf(failing)).toBeUndefined();
    expect(await Promise.all([first, failing, last].map(effectsOf))).toEqual([1, 0, 1]);
    expect(await runJobs()).toBe(1);
    expect(plain.applied).toMatchObject([{ eventId: queued }]);

    onReceipt.effectOf = () => "APPLIED";
    expect(await receive(failing)).toEqual({ outcome: "accepted" });
    expect(await effectsOf(failing)).toBe(1);
  });

  it("goes through its job when it is replayed", async () => {
    const id = newId();
    await receive(id);
    expect(
      await replayWebhook(purser.platform, { area: "billing", provider: "on-receipt", eventId: id }),
    ).toBe(true);
    expect(await runJobs()).toBe(1);
    expect(onReceipt.applied).toMatchObject([{ eventId: id }]);
    expect(await stateOf(id)).toMatchObject({ status: "APPLIED", attempts: 1 });
  });
});
