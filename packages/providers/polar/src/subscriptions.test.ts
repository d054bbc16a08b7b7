import { randomUUID } from "node:crypto";
import type { PaymentProvider } from "@purser/billing/ports";
import { boughtSubscription } from "@purser/billing/testing";
import { hour, testClock } from "@purser/core/testing";
import { outsideContract } from "@purser/vendor-contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPolarCheckout, newTeam, buySubscription } from "./fake/buyer.ts";
import { type PolarFake, startPolarFake } from "./fake/index.ts";

const clock = testClock();
let polar: PolarFake;
let provider: PaymentProvider;
beforeAll(async () => {
  polar = await startPolarFake({ clock });
  ({ provider } = polar);
});
afterAll(() => polar.stop());

const expectError = (call: Promise<unknown>, kind: string) => expect(call).rejects.toMatchObject({ kind });

describe("polarPayments.checkoutResult", () => {
  it("is unpaid before the purchase, and names the subscription from then on", async () => {
    const team = newTeam();
    const { reference } = await startPolarCheckout(polar, team);
    const before = polar.requests;
    expect(await provider.checkoutResult(reference)).toEqual({ status: "unpaid" });
    expect(polar.requests).toBe(before + 1);
    const { subscriptionId } = await polar.complete(reference);
    expect(await provider.checkoutResult(reference)).toEqual({ status: "paid", subscriptionId });
    await polar.end(subscriptionId);
    const second = await buySubscription(polar, team);
    expect(await provider.checkoutResult(reference)).toEqual({ status: "paid", subscriptionId });
    expect(await boughtSubscription(provider, second.reference)).toBe(second.subscriptionId);
  });

  it("is processing from the confirmation until Polar lists the subscription", async () => {
    const { reference } = await startPolarCheckout(polar);
    const checkout = polar.state.checkouts.find(({ id }) => id === reference)!;
    checkout.status = "confirmed";
    expect(await provider.checkoutResult(reference)).toEqual({ status: "processing" });
    checkout.status = "open";
    const { subscriptionId } = await polar.complete(reference);
    const bought = polar.state.subscriptions.findIndex(({ id }) => id === subscriptionId);
    const hidden = polar.state.subscriptions.splice(bought, 1);
    expect(await provider.checkoutResult(reference)).toEqual({ status: "processing" });
    polar.state.subscriptions.push(...hidden);
    expect(await provider.checkoutResult(reference)).toEqual({ status: "paid", subscriptionId });
  });

  it.each([randomUUID(), "chk_1"])("throws not_found for the checkout %s", async (reference) => {
    await expectError(provider.checkoutResult(reference), "not_found");
  });
});

describe("polarPayments.cancel and resume", () => {
  it("cancel at the end of the period and withdraw that, idempotently", async () => {
    const { subscriptionId: id } = await buySubscription(polar);
    const steps = [provider.cancel, provider.cancel, provider.resume, provider.resume];
    const states = [];
    for (const step of steps) {
      await step(id);
      states.push(await provider.subscription(id));
    }
    const ending = { status: "ACTIVE", cancelAtPeriodEnd: true, canceledAt: clock.now() };
    const going = { status: "ACTIVE", cancelAtPeriodEnd: false, canceledAt: null };
    expect(states).toMatchObject([ending, ending, going, going]);
  });

  it("throw ended for an ended subscription", async () => {
    const { subscriptionId: id } = await buySubscription(polar);
    await provider.cancel(id);
    await polar.renew(id);
    for (const change of [provider.cancel, provider.resume]) await expectError(change(id), "ended");
  });

  it("throw ended for a subscription that Polar ended after failed payments", async () => {
    const { subscriptionId: id } = await buySubscription(polar);
    polar.put(id, { status: "unpaid", ended_at: clock.now().toISOString() });
    for (const change of [provider.cancel, provider.resume]) await expectError(change(id), "ended");
  });

  it("throw refused for an unpaid subscription that has not ended, which Polar lets nobody change", async () => {
    const { subscriptionId: id } = await buySubscription(polar);
    polar.put(id, { status: "unpaid" });
    await expectError(provider.cancel(id), "refused");
  });

  it("end a paused subscription, which has no period, at once", async () => {
    const { subscriptionId: id } = await buySubscription(polar);
    await polar.pause!(id);
    await provider.cancel(id);
    expect(await provider.subscription(id)).toMatchObject({ status: "CANCELED", canceledAt: clock.now() });
    await expectError(provider.cancel(id), "ended");
  });

  it("fail temporarily during a concurrent change", async () => {
    const { subscriptionId: id } = await buySubscription(polar);
    const locked = { status: 409, body: { error: "SubscriptionLocked", detail: "Words." } };
    polar.fail(`PATCH /v1/subscriptions/${id}`, locked);
    const before = polar.requests;
    await expectError(provider.cancel(id), "outage");
    expect(polar.requests).toBe(before + 1);
    expect(await provider.subscription(id)).toMatchObject({ cancelAtPeriodEnd: false });
  });

  it.each([randomUUID(), "sub_1", ".."])("throw not_found for the subscription %s", async (id) => {
    await expectError(provider.cancel(id), "not_found");
    await expectError(provider.resume(id), "not_found");
  });
});

describe("polarPayments.subscription", () => {
  it("follows a subscription through its states", async () => {
    const team = newTeam();
    const { subscriptionId: id, customerId, planId, variantId } = await buySubscription(polar, team);
    const first = {
      id,
      customerId,
      organizationId: team.organizationId,
      status: "ACTIVE",
      rawStatus: "active",
      planId,
      variantId,
      currentPeriodStart: clock.now(),
      currentPeriodEnd: new Date("2026-04-02T09:00:00.000Z"),
      isTrial: false,
      canceledAt: null,
      cancelAtPeriodEnd: false,
      cancelAt: null,
    };
    expect(await provider.subscription(id)).toEqual(first);
    await polar.renew(id);
    const currentPeriodEnd = new Date("2026-05-02T09:00:00.000Z");
    const second = { ...first, currentPeriodStart: first.currentPeriodEnd, currentPeriodEnd };
    expect(await provider.subscription(id)).toEqual(second);
    await polar.failPayment(id);
    expect(await provider.subscription(id)).toMatchObject({ status: "PAST_DUE" });
    await polar.cancelAtPeriodEnd(id);
    expect(await provider.subscription(id)).toMatchObject({ status: "PAST_DUE", cancelAtPeriodEnd: true });
    await polar.end(id);
    expect(await provider.subscription(id)).toMatchObject({ status: "CANCELED", cancelAtPeriodEnd: false });
    await outsideContract(async () => {
      polar.put(id, { status: "status_of_tomorrow" as never, ended_at: null });
      const unknown = { status: null, rawStatus: "status_of_tomorrow" };
      expect(await provider.subscription(id)).toMatchObject(unknown);
    });
  });

  it("returns null for an unknown id, and sends no request for an id in another form", async () => {
    const before = polar.requests;
    expect(await provider.subscription(randomUUID())).toBeNull();
    expect(polar.requests).toBe(before + 1);
    expect(await provider.subscription("../products")).toBeNull();
    expect(polar.requests).toBe(before + 1);
    const ids = [randomUUID(), randomUUID().toUpperCase(), "sub_1"];
    expect(ids.map(provider.recognizes)).toEqual([true, false, false]);
  });

  it("does not return null if Polar no longer serves this API version", async () => {
    const { subscriptionId: id } = await buySubscription(polar);
    polar.fail(`GET /v1/subscriptions/${id}`, { status: 404, body: { detail: "Not Found" } });
    await expectError(provider.subscription(id), "outage");
  });
});

describe("polarPayments.subscriptionsSince", () => {
  it("lists new subscriptions with their organizations, newest first", async () => {
    await buySubscription(polar);
    clock.advance(hour);
    const since = clock.now();
    clock.advance(hour);
    const pointers = [];
    for (const team of [newTeam(), newTeam()]) {
      const { subscriptionId } = await buySubscription(polar, team);
      pointers.unshift({ subscriptionId, organizationId: team.organizationId });
    }
    expect(await provider.subscriptionsSince(since)).toEqual(pointers);
    expect(await provider.subscriptionsSince(clock.now())).toEqual([]);
  });

  it("lists at most 1,000, without duplicates", async () => {
    await buySubscription(polar);
    const [first] = polar.state.subscriptions;
    const many = Array.from({ length: 1200 }, () => ({ ...first!, id: randomUUID() }));
    // Another one was created while the first page was read.
    polar.state.subscriptions.unshift(...many.slice(0, 100), ...many.slice(99));
    const before = polar.requests;
    const pointers = await provider.subscriptionsSince(new Date(0));
    expect(pointers.map(({ subscriptionId }) => subscriptionId)).toEqual(
      many.slice(0, 1000).map(({ id }) => id),
    );
    expect(polar.requests).toBe(before + 11);
  });
});
