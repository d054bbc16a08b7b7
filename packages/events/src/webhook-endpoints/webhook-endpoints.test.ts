import { eventDeliveries, webhookEndpoints } from "@purser/db";
import { lockOrganization } from "@purser/organizations";
import { recordEvents } from "@purser/platform/events";
import {
  type Person,
  type TestPurser,
  countWaitingForLocks,
  createTestPurser,
  day,
  outcomeOf,
  refusalOf,
} from "@purser/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type ReceivedWebhook, type WebhookReceiverServer, startReceiver } from "../testing/receiver.ts";
import { namedEvents, recordNamesOf } from "../testing/record-names.ts";
import { verifyDelivery } from "../testing/verify.ts";

let purser: TestPurser;
let receiver: WebhookReceiverServer;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
beforeEach(async () => {
  receiver = await startReceiver();
  purser.clock.set("2026-03-02T09:00:00.000Z");
  owner = await purser.person();
  organizationId = await purser.organization(owner);
});
afterEach(async () => {
  await purser.db.delete(webhookEndpoints);
  await purser.db.delete(eventDeliveries);
  await receiver.close();
});

const hooks = (caller: Parameters<TestPurser["as"]>[0] = owner) => purser.as(caller).webhookEndpoints;
const create = (input: object = {}, caller = owner) =>
  hooks(caller).create({ organizationId, url: `${receiver.url}hook`, ...input });
const rename = (name: string) => purser.as(owner).organizations.update({ id: organizationId, name });
const deliveries = (input: object = {}) => hooks().deliveries.list({ organizationId, ...input });
const send = () => purser.webhooks.drain();
const answerWith = (status: number, headers: Record<string, string> = {}) => {
  receiver.answer = (_, response) => response.writeHead(status, headers).end();
};

describe("webhookEndpoints.create", () => {
  it("requires a verified address of an owner", async () => {
    const stranger = await purser.person({ emailVerified: false });
    organizationId = await purser.organization(stranger);
    expect(await refusalOf(create({}, stranger))).toBe("EMAIL_NOT_VERIFIED");
    expect(await hooks(stranger).list({ organizationId })).toEqual([]);
  });

  it("sends each event of its types from then on, signed after Standard Webhooks, as REST shows it to an owner", async () => {
    await rename("Before");
    const { secret, ...endpoint } = await create({ types: ["organization.updated"], description: "Books" });
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^whe_/),
      organizationId,
      url: `${receiver.url}hook`,
      types: ["organization.updated"],
      description: "Books",
      status: "ENABLED",
      disabledReason: null,
      createdAt: purser.clock.now(),
    });
    expect(Buffer.from(secret.replace(/^whsec_/, ""), "base64")).toHaveLength(32);
    await rename("After");
    await purser.as(owner).organizations.settings.update({ id: organizationId, timeZone: "Asia/Tokyo" });
    await send();
    const [first, ...others] = receiver.received;
    expect(others).toEqual([]);
    const [event] = await purser.as(owner).events.list({ organizationId, types: ["organization.updated"] });
    expect(verifyDelivery(secret, first!)).toEqual({
      type: "organization.updated",
      timestamp: event!.createdAt.toISOString(),
      data: JSON.parse(JSON.stringify(event)),
    });
    expect(first!.headers).toMatchObject({ "webhook-id": event!.id, "content-type": "application/json" });
    expect(await deliveries()).toEqual([
      {
        id: expect.stringMatching(/^whd_/),
        organizationId,
        endpointId: endpoint.id,
        eventId: event!.id,
        eventType: "organization.updated",
        status: "DELIVERED",
        attempts: [
          {
            at: purser.clock.now(),
            statusCode: 204,
            error: null,
            isSuccess: true,
            durationMs: expect.any(Number),
          },
        ],
        nextAttemptAt: null,
        createdAt: purser.clock.now(),
      },
    ]);
  });

  it("shows the secret once, stores it sealed, and refuses a replay", async () => {
    const caller = purser.as(owner, { idempotencyKey: "once" }).webhookEndpoints;
    const input = { organizationId, url: `${receiver.url}hook` };
    const { secret } = await caller.create(input);
    expect(await refusalOf(caller.create(input))).toBe("IDEMPOTENCY_KEY_REUSED");
    const listed = await hooks().list({ organizationId });
    expect(listed).toHaveLength(1);
    expect(JSON.stringify(listed)).not.toContain("whsec_");
    const [row] = await purser.db.select().from(webhookEndpoints);
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
  });

  it("refuses the 21st endpoint, also in a race", async () => {
    const outcomes = await Promise.all(Array.from({ length: 24 }, () => outcomeOf(create())));
    expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === "TOO_MANY_ENDPOINTS")).toHaveLength(4);
    expect(await refusalOf(create())).toBe("TOO_MANY_ENDPOINTS");
  });

  it("refuses addresses that are no place for webhooks", async () => {
    for (const url of ["", "x", "ftp://demo.example", "https://a:b@demo.example/", "https://demo.example/ x"])
      expect(await refusalOf(create({ url })), url).toBe("VALIDATION_FAILED");
  });

  it("lets a key that may write manage endpoints, but no key that may read and no member", async () => {
    const member = await purser.person();
    const shared = await purser.organization(owner, { members: [member] });
    const input = { organizationId: shared, url: receiver.url };
    const writing = await purser.organizationKey(shared, "write");
    const { id } = await hooks(writing).create(input);
    expect(await hooks(writing).list({ organizationId: shared })).toHaveLength(1);
    expect(await hooks(writing).test({ id })).toMatchObject({ status: "PENDING" });
    for (const caller of [member, await purser.organizationKey(shared, "read")]) {
      expect(await refusalOf(hooks(caller).create(input))).toBe("FORBIDDEN");
      expect(await refusalOf(hooks(caller).list({ organizationId: shared }))).toBe("FORBIDDEN");
      expect(await refusalOf(hooks(caller).deliveries.list({ organizationId: shared }))).toBe("FORBIDDEN");
    }
  });
});

describe("webhookEndpoints.list", () => {
  it("lists endpoints without their secrets, newest first, and pages", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.unshift((await create()).id);
    const listed = await hooks().list({ organizationId });
    expect(listed.map(({ id }) => id)).toEqual(ids);
    expect(Object.keys(listed[0]!)).not.toContain("secret");
    const rest = await hooks().list({ organizationId, after: ids[0]!, limit: 1 });
    expect(rest.map(({ id }) => id)).toEqual([ids[1]]);
  });
});

describe("webhookEndpoints.update", () => {
  it("changes what it names, and nothing with an empty patch", async () => {
    const { id, secret: _, ...endpoint } = await create({ description: "Books" });
    expect(await hooks().update({ id })).toEqual({ id, ...endpoint });
    const changed = await hooks().update({
      id,
      url: `${receiver.url}other`,
      types: ["card.created"],
      description: null,
    });
    expect(changed).toMatchObject({
      url: `${receiver.url}other`,
      types: ["card.created"],
      description: null,
    });
    await rename("One");
    await send();
    expect(receiver.received).toEqual([]);
  });

  it("tells of another address at the same origin in the audit trail, without naming it", async () => {
    const { id } = await create();
    await hooks().update({ id, url: `${receiver.url}elsewhere` });
    const [entry] = await purser.as(owner).organizations.audit.list({ id: organizationId, limit: 1 });
    expect(entry?.details).toMatchObject({ urlChanged: true });
    expect(JSON.stringify(entry)).not.toContain("elsewhere");
  });

  it("gives up what is pending when it disables, and sends nothing of the time in between", async () => {
    const { id } = await create({ types: ["organization.updated"] });
    answerWith(500);
    await rename("Pending");
    await send();
    const disabled = await hooks().update({ id, status: "DISABLED" });
    expect(disabled).toMatchObject({ status: "DISABLED", disabledReason: `${owner.name} disabled it.` });
    expect(await deliveries()).toMatchObject([{ status: "FAILED", nextAttemptAt: null }]);
    const [event] = await purser.as(owner).events.list({ organizationId });
    expect(event).toMatchObject({ type: "webhook_endpoint.disabled", data: disabled });
    await rename("Meanwhile");
    await send();
    answerWith(204);
    expect(await hooks().update({ id, status: "ENABLED" })).toMatchObject({ disabledReason: null });
    await rename("Later");
    purser.clock.advance(day);
    await send();
    const names = receiver.received.map(({ body }) => JSON.parse(body).data.data.name as string);
    expect(names).toEqual(["Pending", "Later"]);
  });
});

describe("the place in the feed at which an endpoint starts", () => {
  const enable = async () => {
    const { id } = await create();
    await hooks().update({ id, status: "DISABLED" });
    return () => keyed().update({ id, status: "ENABLED" });
  };
  const keyed = () => purser.as(owner, { idempotencyKey: "start" }).webhookEndpoints;
  const createLater = async () => () => keyed().create({ organizationId, url: `${receiver.url}hook` });

  it.each([
    { change: "created", prepare: createLater },
    { change: "enabled", prepare: enable },
  ])(
    "is after what was committed before it was $change, though its transaction is older",
    async ({ prepare }) => {
      const start = await prepare();
      let starting: Promise<unknown> | undefined;
      await purser.db.transaction(async (transaction) => {
        await lockOrganization(transaction, organizationId);
        // Its transaction has an id since it claimed its key, and waits for the organization.
        starting = start();
        await vi.waitUntil(async () => (await countWaitingForLocks(purser.db)) > 0, { timeout: 60_000 });
        await recordNamesOf(purser.platform, organizationId, ["in between"]);
        await recordEvents(purser.platform, transaction, null, namedEvents(organizationId, ["before"]));
      });
      await starting;
      await rename("After");
      await send();
      const names = receiver.received.map(({ body }) => JSON.parse(body).data.data.name as string);
      expect(names).toEqual(["After"]);
    },
  );
});

describe("webhookEndpoints.delete", () => {
  it("gives up what is pending, and keeps the history", async () => {
    const { id } = await create();
    answerWith(500);
    await rename("One");
    await send();
    await hooks().delete({ id });
    purser.clock.advance(day);
    await send();
    expect(receiver.received).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ endpointId: id, status: "FAILED", nextAttemptAt: null }]);
    expect(await refusalOf(hooks().delete({ id }))).toBe("WEBHOOK_ENDPOINT_NOT_FOUND");
    const [delivery] = await deliveries();
    expect(await refusalOf(hooks().deliveries.redeliver({ id: delivery!.id }))).toBe(
      "WEBHOOK_ENDPOINT_NOT_FOUND",
    );
  });

  it("happens with the organization, and nothing more is sent", async () => {
    await create();
    answerWith(500);
    await rename("One");
    await send();
    await purser.as(owner).organizations.delete({ id: organizationId });
    expect(await purser.db.select().from(webhookEndpoints)).toEqual([]);
    purser.clock.advance(day);
    await send();
    expect(receiver.received).toHaveLength(1);
  });
});

describe("webhookEndpoints.rotateSecret", () => {
  it("signs with both secrets for 24 hours, and then with the new one alone", async () => {
    const { id, secret: old } = await create();
    const { secret } = await hooks().rotateSecret({ id });
    expect(secret).not.toBe(old);
    await rename("Both");
    await send();
    purser.clock.advance(day);
    await rename("New");
    await send();
    const [both, single] = receiver.received as [ReceivedWebhook, ReceivedWebhook];
    expect(both.headers["webhook-signature"]!.split(" ")).toHaveLength(2);
    for (const each of [old, secret]) expect(verifyDelivery(each, both)).toBeTruthy();
    expect(verifyDelivery(secret, single)).toBeTruthy();
    expect(() => verifyDelivery(old, single)).toThrow("No matching signature found");
  });

  it("keeps each secret for 24 hours from its own end, as after a rotation whose answer was lost", async () => {
    const { id, secret: first } = await create();
    await hooks().rotateSecret({ id });
    purser.clock.advance(day / 2);
    const { secret: third } = await hooks().rotateSecret({ id });
    for (const name of ["Three", "Two", "One"]) {
      await rename(name);
      await send();
      purser.clock.advance(day / 2);
    }
    const signatures = receiver.received.map(
      ({ headers }) => headers["webhook-signature"]!.split(" ").length,
    );
    expect(signatures).toEqual([3, 2, 1]);
    const [three, two] = receiver.received as [ReceivedWebhook, ReceivedWebhook];
    for (const each of [first, third]) expect(verifyDelivery(each, three)).toBeTruthy();
    expect(() => verifyDelivery(first, two)).toThrow("No matching signature found");
  });

  it("signs with ten secrets at most", async () => {
    const { id } = await create();
    const secrets: string[] = [];
    for (let time = 0; time < 12; time += 1) secrets.push((await hooks().rotateSecret({ id })).secret);
    await rename("One");
    await send();
    const [webhook] = receiver.received as [ReceivedWebhook];
    expect(webhook.headers["webhook-signature"]!.split(" ")).toHaveLength(10);
    for (const each of secrets.slice(-10)) expect(verifyDelivery(each, webhook)).toBeTruthy();
  });

  it("refuses a replay, because the secret is not stored", async () => {
    const { id } = await create();
    const caller = purser.as(owner, { idempotencyKey: "rotate" }).webhookEndpoints;
    await caller.rotateSecret({ id });
    expect(await refusalOf(caller.rotateSecret({ id }))).toBe("IDEMPOTENCY_KEY_REUSED");
  });
});

describe("webhookEndpoints.test", () => {
  it("sends a test event to this endpoint alone, and keeps it in no feed", async () => {
    const { id, secret } = await create({ types: ["card.created"] });
    await create({ url: `${receiver.url}other` });
    const sent = await hooks().test({ id });
    expect(sent).toMatchObject({ endpointId: id, status: "PENDING", eventType: "webhook_endpoint.test" });
    await send();
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook"]);
    expect(verifyDelivery(secret, receiver.received[0]!)).toMatchObject({
      type: "webhook_endpoint.test",
      data: { id: sent.eventId, organizationId, subject: { type: "webhook_endpoint", id } },
    });
    expect(await purser.as(owner).events.list({ organizationId })).toEqual([]);
    expect(await deliveries({ endpointId: id })).toMatchObject([{ id: sent.id, status: "DELIVERED" }]);
  });

  it("refuses a disabled endpoint", async () => {
    const { id } = await create();
    await hooks().update({ id, status: "DISABLED" });
    expect(await refusalOf(hooks().test({ id }))).toBe("WEBHOOK_ENDPOINT_DISABLED");
  });
});
