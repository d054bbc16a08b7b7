import { createHmac } from "node:crypto";
import { hour, minute } from "@purser/core/testing";
import { inboxStates, inboxEvents } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runHousekeeping } from "../housekeeping.ts";
import { PermanentFailure } from "../jobs/definition.ts";
import { drainJobs } from "../jobs/drain.ts";
import { platformHandlers } from "../jobs/handlers.ts";
import { webhookJobOf } from "../jobs/platform-jobs.ts";
import { listOutbox, replayJob } from "../outbox/inspect.ts";
import { replayWebhook } from "./apply.ts";
import { listWebhooks, showWebhook } from "./inspect.ts";
import { receiveWebhook } from "./receive.ts";
import type { WebhookEvent, WebhookReceiver } from "./receiver.ts";
import { hmacMatches, isTimely } from "./signature.ts";

const secret = "whsec_test";

/** A provider that signs time and raw body with an HMAC, as many do. */
class TestReceiver implements WebhookReceiver {
  readonly area = "billing";
  readonly provider = "test";
  applied: WebhookEvent[] = [];
  result: () => Promise<"APPLIED" | "IGNORED"> = async () => "APPLIED";

  verify(body: Buffer, headers: Headers, now: Date) {
    const signedAt = headers.get("x-time") ?? "";
    const signature = headers.get("x-signature") ?? "";
    const message = [signedAt, ".", body];
    if (!hmacMatches({ keys: [secret], message, signatures: [signature], encoding: "hex" })) {
      return { outcome: "refused", reason: "signature" } as const;
    }
    if (!isTimely(new Date(Number(signedAt)), now)) return { outcome: "refused", reason: "time" } as const;
    const { id, type } = JSON.parse(body.toString()) as { id: string; type: string };
    return { outcome: "verified", eventId: id, type } as const;
  }

  async apply(received: WebhookEvent) {
    this.applied.push(received);
    return this.result();
  }
}

let purser: TestPurser;
let receiver: TestReceiver;
let events = 0;
beforeAll(async () => {
  purser = await createTestPurser();
});
beforeEach(() => {
  receiver = new TestReceiver();
});
afterAll(() => purser.close());

const mail = { send: () => Promise.reject(new Error("No mail here")) };
const handlersOf = (receivers: WebhookReceiver[]) =>
  platformHandlers(purser.platform, { mail, receivers, tasks: [] });
const run = (options = {}) => drainJobs(purser.platform, handlersOf([receiver]), options);

function event(type = "invoice.paid") {
  events += 1;
  const id = `evt_${events}`;
  const key = { area: "billing", provider: "test", eventId: id } as const;
  return { key, body: Buffer.from(JSON.stringify({ id, type, secret: "card_token_abcdefghijklmnop" })) };
}

function signed(body: Buffer, { at = purser.clock.now(), by = secret } = {}): Headers {
  const time = String(at.getTime());
  const signature = createHmac("sha256", by).update(`${time}.`).update(body).digest("hex");
  return new Headers({ "x-time": time, "x-signature": signature });
}

const receive = (body: Buffer, headers = signed(body)) =>
  receiveWebhook(purser.platform, receiver, body, headers);
const stored = async () => (await purser.db.select().from(inboxEvents)).length;
const stateOf = async (eventId: string) => {
  const rows = await purser.db
    .select()
    .from(inboxStates)
    .where(sql`event_id = ${eventId}`);
  return rows[0]!;
};

describe("webhook inbox", () => {
  it("stores an event before it responds, applies it once, and records that", async () => {
    const { body, key } = event();
    const receivedAt = purser.clock.now();
    expect(await receive(body)).toEqual({ outcome: "accepted" });
    expect(await stateOf(key.eventId)).toMatchObject({ status: "PENDING", attempts: 0 });
    expect(receiver.applied).toEqual([]);
    expect(await run()).toBe(1);
    expect(receiver.applied).toEqual([{ ...key, type: "invoice.paid", body: body.toString(), receivedAt }]);
    expect(await stateOf(key.eventId)).toMatchObject({ status: "APPLIED", attempts: 1, lastError: null });
  });

  it("records an irrelevant event as ignored", async () => {
    const { body, key } = event("customer.sneezed");
    receiver.result = async () => "IGNORED";
    await receive(body);
    await run();
    expect(await stateOf(key.eventId)).toMatchObject({ status: "IGNORED", attempts: 1 });
  });

  it("applies an event once if it arrives 50 times concurrently", async () => {
    const { body } = event();
    const before = await stored();
    const answers = await Promise.all(Array.from({ length: 50 }, () => receive(body)));
    expect(answers.filter(({ outcome }) => outcome === "accepted")).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome === "duplicate")).toHaveLength(49);
    expect(await stored()).toBe(before + 1);
    await run();
    expect(receiver.applied).toHaveLength(1);
    expect(await receive(body)).toEqual({ outcome: "duplicate" });
    expect(await run()).toBe(0);
  });

  it("stores nothing readable of a body", async () => {
    const { body } = event();
    await receive(body);
    const [dump] = await purser.db.execute<{ everything: string }>(
      sql`SELECT (SELECT json_agg(d)::text FROM webhook_deliveries d) || (SELECT json_agg(e)::text FROM webhook_events e)
          || (SELECT json_agg(j)::text FROM pgboss.job j) AS everything`,
    );
    expect(dump!.everything).toContain("evt_1");
    expect(dump!.everything).not.toContain("card_token");
    await run();
  });

  it("refuses forged, altered, stale and early events, and stores nothing of them", async () => {
    const before = await stored();
    const { body } = event();
    const now = purser.clock.now().getTime();
    const at = (milliseconds: number) => signed(body, { at: new Date(now + milliseconds) });
    const altered = Buffer.from(body.toString().replace("paid", "void"));
    expect(await receive(body, signed(body, { by: "another secret" }))).toMatchObject({
      reason: "signature",
    });
    expect(await receive(altered, signed(body))).toMatchObject({ reason: "signature" });
    expect(await receive(body, new Headers())).toMatchObject({ reason: "signature" });
    expect(await receive(body, at(-5 * minute - 1))).toMatchObject({ reason: "time" });
    expect(await receive(body, at(5 * minute + 1))).toMatchObject({ reason: "time" });
    expect(await stored()).toBe(before);
    expect(await run()).toBe(0);
    expect(await receive(body, at(-5 * minute))).toEqual({ outcome: "accepted" });
    expect(await run()).toBe(1);
  });

  it("refuses an event without a usable id", async () => {
    for (const id of ["", "x".repeat(256), "evt\0"]) {
      const body = Buffer.from(JSON.stringify({ id, type: "t" }));
      expect(await receive(body)).toEqual({ outcome: "refused", reason: "malformed" });
    }
  });

  it("retries after a failed attempt, and counts the attempts", async () => {
    const { body, key } = event();
    receiver.result = async () => {
      if (receiver.applied.length < 3)
        throw new Error("provider is down, token sk_live_4eC39HqLyjWDarjtT1zdp7dc");
      return "APPLIED";
    };
    await receive(body);
    expect(await run()).toBe(1);
    expect(await stateOf(key.eventId)).toMatchObject({
      status: "PENDING",
      attempts: 1,
      lastError: "provider is down, token sk_l…",
    });
    expect(await run({ ahead: true })).toBe(2);
    expect(await stateOf(key.eventId)).toMatchObject({ status: "APPLIED", attempts: 3, lastError: null });
  });

  it("does not apply an event again that a killed attempt recorded as applied", async () => {
    const { body, key } = event();
    await receive(body);
    await run();
    await purser.db.transaction((transaction) =>
      purser.platform.outbox.enqueue(transaction, webhookJobOf(key), key),
    );
    expect(await run()).toBe(1);
    expect(receiver.applied).toHaveLength(1);
  });

  it("marks an event as dead when its attempts are used up, and applies it on replay", async () => {
    const { body, key } = event();
    receiver.result = () => Promise.reject(new Error("still down"));
    await receive(body);
    expect(await run({ ahead: true })).toBe(13);
    expect(await stateOf(key.eventId)).toMatchObject({
      status: "DEAD",
      attempts: 13,
      lastError: "still down",
    });
    expect(await listWebhooks(purser.db, { status: "DEAD", limit: 10 })).toMatchObject([
      { ...key, attempts: 13 },
    ]);
    expect(await receive(body)).toEqual({ outcome: "duplicate" });

    receiver.result = async () => "APPLIED";
    expect(await replayWebhook(purser.platform, key)).toBe(true);
    expect(await run()).toBe(1);
    expect(await stateOf(key.eventId)).toMatchObject({ status: "APPLIED", attempts: 1, lastError: null });
  });

  it("marks an event as dead immediately on a permanent failure, and applies it when its job is replayed", async () => {
    const { body, key } = event();
    receiver.result = () => Promise.reject(new PermanentFailure("no such team"));
    await receive(body);
    expect(await run({ ahead: true })).toBe(1);
    expect(await stateOf(key.eventId)).toMatchObject({ status: "DEAD", attempts: 1 });
    const [dead] = await listOutbox(purser.db, { state: "dead", limit: 1 });
    receiver.result = async () => "APPLIED";
    await replayJob(purser.db, purser.handlers, dead!.id);
    await run();
    expect(await stateOf(key.eventId)).toMatchObject({ status: "APPLIED" });
  });

  it("retries an event whose provider is no longer configured", async () => {
    const { body, key } = event();
    await receive(body);
    await drainJobs(purser.platform, handlersOf([]));
    expect(await stateOf(key.eventId)).toMatchObject({
      status: "PENDING",
      lastError: "No provider test is configured for billing",
    });
    await run({ ahead: true });
    expect(await stateOf(key.eventId)).toMatchObject({ status: "APPLIED" });
  });

  it("shows an event to an operator with its tokens masked", async () => {
    const { body, key } = event();
    await receive(body);
    await run();
    const shown = await showWebhook(purser.db, purser.platform.settings.encryptionKeys, key);
    expect(shown).toMatchObject({ ...key, type: "invoice.paid", status: "APPLIED" });
    expect(JSON.parse(shown!.body)).toEqual({ id: key.eventId, type: "invoice.paid", secret: "card…" });
    expect(await showWebhook(purser.db, [], { ...key, eventId: "evt_unknown" })).toBeNull();
    expect(await replayWebhook(purser.platform, { ...key, eventId: "evt_unknown" })).toBe(false);
  });

  it("marks an event as dead if its last attempt was killed, and leaves waiting ones alone", async () => {
    const { body, key } = event();
    const waiting = event();
    await receive(body);
    await receive(waiting.body);
    // The state after a process was killed in the job's last attempt.
    await purser.db
      .update(inboxStates)
      .set({ attempts: 13 })
      .where(sql`event_id = ${key.eventId}`);
    purser.clock.advance(23 * hour);
    await runHousekeeping(purser.platform, []);
    expect(await stateOf(key.eventId)).toMatchObject({ status: "PENDING" });
    purser.clock.advance(2 * hour);
    await runHousekeeping(purser.platform, []);
    expect(await stateOf(key.eventId)).toMatchObject({
      status: "DEAD",
      lastError: "The last attempt did not finish",
    });
    expect(await stateOf(waiting.key.eventId)).toMatchObject({ status: "PENDING" });
    await run();
    expect(await stateOf(waiting.key.eventId)).toMatchObject({ status: "APPLIED" });
  });
});
