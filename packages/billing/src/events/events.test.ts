import { minute } from "@purser/core/testing";
import { billingCheckouts, subscriptions } from "@purser/db";
import { webhookJobOf } from "@purser/platform/jobs";
import { type Person, handlerOf, refusalOf } from "@purser/testing";
import { type BillingScene, billingScene } from "@purser/testing/billing";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BillingError, type SubscriptionPointer, type SubscriptionState } from "../ports.ts";
import { synchronizeSubscription } from "../service/synchronize.ts";

let scene: BillingScene;
let administrator: Person;

beforeAll(async () => {
  scene = await billingScene("local");
  administrator = await scene.purser.person({ isAdministrator: true });
});
afterAll(() => scene.close());
afterEach(() => scene.intercept(null));

type Events = ReturnType<BillingScene["purser"]["as"]>["billing"]["events"];
type Filter = Parameters<Events["list"]>[0];

const list = (filter: Filter = {}) => scene.purser.as(administrator).billing.events.list(filter);
const replay = (id: string, idempotencyKey: string | null = null) =>
  scene.purser.as(administrator, { idempotencyKey }).billing.events.replay({ id });

/** An event of the built-in provider with this data. */
const eventOf = (id: string, data: Record<string, unknown> = {}) =>
  scene.fake.resign({
    body: Buffer.from(JSON.stringify({ id, type: "subscription.updated", data })),
    headers: new Headers(),
  });

const newest = async () => (await list({ limit: 1 }))[0]!;

/** A team that has paid, with its first event received but not applied. */
async function receivedEvent() {
  scene.purser.clock.advance(minute);
  const buyer = await scene.buyer();
  const { subscriptionId, events } = await scene.fake.complete(buyer.reference);
  await scene.deliver(events[0]!);
  const { id } = await newest();
  const { organizations } = scene.purser.as(buyer.owner);
  const read = () => organizations.subscription.get({ organizationId: buyer.teamId });
  return { ...buyer, subscriptionId, id, read };
}

describe("billing.events.list", () => {
  it("lists events with their status to administrators, newest first", async () => {
    const { owner, id } = await receivedEvent();
    scene.purser.clock.advance(minute);
    await scene.purser.drain();
    await scene.deliver(eventOf("evt_foreign"));
    const now = scene.purser.clock.now();
    expect(await list()).toEqual([
      {
        id: "local:evt_foreign",
        provider: "local",
        type: "subscription.updated",
        status: "PENDING",
        attempts: 0,
        lastError: null,
        receivedAt: now,
        updatedAt: now,
      },
      {
        id,
        provider: "local",
        type: "checkout.completed",
        status: "APPLIED",
        attempts: 1,
        lastError: null,
        receivedAt: new Date(now.getTime() - minute),
        updatedAt: now,
      },
    ]);
    expect(await refusalOf(scene.purser.as(owner).billing.events.list({}))).toBe("FORBIDDEN");
  });

  it("filters, and continues after the last item", async () => {
    const long = "e".repeat(255);
    await scene.deliver(eventOf(long));
    await scene.purser.drain();
    const all = (await list()).map(({ id }) => id);
    expect(all).toContain(`local:${long}`);
    const seen: string[] = [];
    for (let after: string | undefined; seen.length < all.length; after = seen.at(-1))
      seen.push(...(await list({ limit: 1, ...(after && { after }) })).map(({ id }) => id));
    expect(seen).toEqual(all);
    const narrowed = async (filter: Filter) => (await list(filter)).map(({ status }) => status);
    expect(new Set(await narrowed({ status: "APPLIED" }))).toEqual(new Set(["APPLIED"]));
    expect(await narrowed({ status: "DEAD" })).toEqual([]);
    expect(await narrowed({ provider: "local" })).toHaveLength(all.length);
    expect(await narrowed({ provider: "stripe" })).toEqual([]);
    expect(await refusalOf(list({ after: "local:evt_unheard_of" }))).toBe("VALIDATION_FAILED");
  });
});

describe("billing.events.replay", () => {
  it("applies a dead event, which shows its last error", async () => {
    const { id, subscriptionId, read } = await receivedEvent();
    scene.intercept({
      subscription: () => Promise.reject(new BillingError("outage", "The provider has burnt down")),
    });
    await scene.purser.drain({ ahead: true });
    expect(await list({ status: "DEAD" })).toMatchObject([
      { id, attempts: 13, lastError: expect.stringContaining("The provider has burnt down") },
    ]);
    expect(await read()).toBeNull();
    scene.intercept(null);
    expect(await replay(id, "key")).toMatchObject({ id, status: "PENDING", attempts: 0 });
    await scene.purser.drain();
    expect(await newest()).toMatchObject({ id, status: "APPLIED", attempts: 1, lastError: null });
    expect(await read()).toMatchObject({ id: subscriptionId, status: "ACTIVE" });
    // The same key has no second effect.
    expect(await replay(id, "key")).toMatchObject({ status: "PENDING" });
    expect(await newest()).toMatchObject({ status: "APPLIED" });
  });

  it("changes nothing for an applied event", async () => {
    const { id, owner, teamId, read } = await receivedEvent();
    await scene.purser.drain();
    const { organizations } = scene.purser.as(owner);
    const [before, trail] = [await read(), await organizations.audit.list({ id: teamId })];
    await replay(id);
    await scene.purser.drain();
    expect(await newest()).toMatchObject({ id, status: "APPLIED", attempts: 1 });
    expect([await read(), await organizations.audit.list({ id: teamId })]).toEqual([before, trail]);
  });

  it("refuses unknown events and other callers than administrators", async () => {
    const { owner, id } = await receivedEvent();
    for (const unknown of ["local:evt_unheard_of", "stripe:evt_foreign", "local", "", ":"])
      expect(await refusalOf(replay(unknown))).toBe("WEBHOOK_EVENT_NOT_FOUND");
    expect(await refusalOf(scene.purser.as(owner).billing.events.replay({ id }))).toBe("FORBIDDEN");
  });
});

describe("the organization of an event's subscription", () => {
  const start = new Date("2026-03-01T00:00:00.000Z");

  /** Applies an event with these claims of the event and of the provider, and returns its status. */
  async function outcome(state: Partial<SubscriptionState>, notice: Partial<SubscriptionPointer> = {}) {
    const id = state.id ?? scene.purser.unknownId("sub");
    const { webhooks } = scene.fake.provider;
    scene.intercept({
      subscription: async () => ({
        id,
        customerId: "customer",
        organizationId: null,
        status: "ACTIVE",
        rawStatus: "active",
        planId: "plan",
        variantId: "variant",
        currentPeriodStart: start,
        currentPeriodEnd: new Date("2027-03-01T00:00:00.000Z"),
        isTrial: false,
        canceledAt: null,
        cancelAtPeriodEnd: false,
        cancelAt: null,
        ...state,
      }),
      webhooks: {
        ...webhooks,
        read: () => ({ kind: "subscription", subscriptionId: id, organizationId: null, ...notice }),
      },
    });
    expect(await scene.deliver(eventOf(`evt_${Math.random()}`))).toEqual({ outcome: "accepted" });
    scene.purser.clock.advance(minute);
    const { id: eventId } = (await list({ status: "PENDING" }))[0]!;
    const key = { area: "billing", provider: "local", eventId: eventId.slice("local:".length) } as const;
    await handlerOf(scene.purser.handlers, webhookJobOf(key))(key, { id: "apply", attempt: 1, last: true });
    const rows = await scene.purser.db.select().from(subscriptions).where(eq(subscriptions.id, id));
    const event = (await list()).find((one) => one.id === eventId)!;
    return { event: event.status, of: rows[0]?.organizationId, row: rows[0] };
  }

  it("is unknown when neither names one, or names one that does not exist", async () => {
    for (const organizationId of [null, scene.purser.unknownId("org"), "org_1\0", ""]) {
      const ignored = { event: "IGNORED", of: undefined };
      expect(await outcome({ organizationId })).toMatchObject(ignored);
      expect(await outcome({}, { organizationId })).toMatchObject(ignored);
    }
  });

  it("never changes, whatever later events claim", async () => {
    const [team, other] = [await scene.team(), await scene.team()];
    const { row } = await outcome({ organizationId: team.teamId });
    const { id } = row!;
    const later = await outcome({ id, organizationId: other.teamId, planId: "plan-2" });
    expect(later).toMatchObject({ event: "APPLIED", of: team.teamId, row: { planId: "plan-2" } });
    expect(await outcome({ id }, { organizationId: other.teamId })).toMatchObject({ of: team.teamId });
  });

  it("is trusted in a forgeable claim only with a checkout of that team", async () => {
    const [{ teamId: organizationId }, other] = [await scene.team(), await scene.buyer()];
    const theirs = eq(billingCheckouts.organizationId, other.teamId);
    const [checkout] = await scene.purser.db.select().from(billingCheckouts).where(theirs);
    const foreign = checkout!.id;
    for (const checkoutId of [foreign, scene.purser.unknownId("chk"), "chk\0", ""])
      expect(await outcome({}, { organizationId, checkoutId })).toMatchObject({ event: "IGNORED" });
    const own = { organizationId: other.teamId, checkoutId: foreign };
    expect(await outcome({}, own)).toMatchObject({ event: "APPLIED", of: other.teamId });
  });

  it("is not taken from another provider with the same subscription id", async () => {
    const { teamId: organizationId } = await scene.team();
    const { row } = await outcome({ organizationId });
    const its = eq(subscriptions.id, row!.id);
    await scene.purser.db.update(subscriptions).set({ provider: "paddle" }).where(its);
    const second = await outcome({ id: row!.id, organizationId, status: "CANCELED" });
    expect(second).toMatchObject({ event: "IGNORED", row: { provider: "paddle", status: "ACTIVE" } });
  });

  it("keeps the last status when the provider reports an unknown one", async () => {
    const { teamId: organizationId } = await scene.team();
    const { row } = await outcome({ organizationId, status: "PAST_DUE" });
    const state = { id: row!.id, organizationId, status: null, rawStatus: "hibernating" };
    expect((await outcome(state)).row).toMatchObject({ status: "PAST_DUE", rawStatus: "hibernating" });
  });
});

describe("the effects of an event", () => {
  it("are one audit entry and one mail to the owners per change", async () => {
    const { purser, fake } = scene;
    const [owner, second, member] = await Promise.all([1, 2, 3].map(() => purser.person()));
    const organizationId = await purser.organization(owner!, { owners: [second!], members: [member!] });
    const { billing, organizations } = purser.as(owner!);
    const offer = { planId: "local_team", variantId: "local_team_monthly" };
    const url = await billing.checkout({ teamId: organizationId, ...offer });
    const { subscriptionId } = await fake.complete(url.split("/").at(-1)!);
    const apply = () => synchronizeSubscription(purser.platform, "local", { subscriptionId, organizationId });
    const { failPayment, renew, cancelAtPeriodEnd, end } = fake;
    for (const step of [() => null, failPayment, renew, cancelAtPeriodEnd, end]) {
      await step(subscriptionId);
      await Promise.all([apply(), apply()]);
    }
    await purser.drain();
    const { currentPeriodEnd } = (await organizations.subscription.get({ organizationId }))!;
    const subjects = [
      "A payment for Team has failed",
      `Team ends on ${currentPeriodEnd.toISOString().slice(0, 10)}`,
      "Team has ended",
    ];
    const mailsTo = (person: Person | undefined) =>
      purser.mails.filter(({ to, subject }) => to === person!.email && /\bTeam\b/.test(subject));
    for (const { text } of mailsTo(owner)) expect(text).toContain("http://localhost:3000");
    const titles = [owner, second, member].map((person) => mailsTo(person).map(({ subject }) => subject));
    expect(titles.map((own) => own.toSorted())).toEqual([subjects, subjects, []]);
    const entries = await organizations.audit.list({ id: organizationId });
    const changes = entries.filter(({ subject }) => subject === subscriptionId).toReversed();
    const seen = changes.map(({ actor, action, details }) => [actor, action, details["change"]]);
    expect(seen).toEqual(
      ["started", "payment_failed", "recovered", "ending", "ended"].map((change) => [
        null,
        "billing.synchronize",
        change,
      ]),
    );
  });
});
