import type { CheckoutRequest, PaymentProvider } from "@purser/billing/ports";
import { hour, testClock } from "@purser/core/testing";
import { outsideContract } from "@purser/vendor-contract";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type StripeBillingFake, startStripeBillingFake } from "../fake/billing/index.ts";

const clock = testClock();
let stripe: StripeBillingFake;
let provider: PaymentProvider;
/** The yearly price of the plan Team. */
let offer: { planId: string; variantId: string };
beforeAll(async () => {
  stripe = await startStripeBillingFake({ clock });
  ({ provider } = stripe);
  const [, team] = await provider.plans();
  offer = { planId: team!.id, variantId: team!.variants[1]!.id };
});
afterAll(async () => stripe.stop());
afterEach(() => vi.restoreAllMocks());

let teams = 0;
/** Each test uses a new team. */
let request: CheckoutRequest;
beforeEach(() => {
  teams += 1;
  request = {
    organizationId: `org_${teams}`,
    name: "Acme",
    email: `ada${teams}@example.com`,
    checkoutId: `chk_${teams}`,
    customerId: null,
    ...offer,
    returnUrl: "https://purser.example/billing/return",
  };
});

/** The requests from now on. */
function recorded(): { calls: () => string[]; last: () => StripeBillingFake["log"][number] | undefined } {
  const before = stripe.log.length;
  return {
    calls: () => stripe.log.slice(before).map(({ call }) => call),
    last: () => stripe.log.slice(before).at(-1),
  };
}

/** Completes a checkout of the team. Returns the subscription's id. */
async function subscribed(checkoutId = request.checkoutId): Promise<string> {
  const customerId = await provider.createCustomer(request);
  const { reference } = await provider.createCheckout({ ...request, checkoutId, customerId });
  return stripe.complete(reference).subscriptionId;
}

const state = async (id: string) => (await provider.subscription(id))!;

describe("stripe.cancel and stripe.resume", () => {
  it("cancels at the end of the period, and undoes it", async () => {
    const id = await subscribed();
    await provider.cancel(id);
    await provider.cancel(id);
    expect(await state(id)).toMatchObject({
      status: "ACTIVE",
      cancelAtPeriodEnd: true,
      canceledAt: clock.now(),
    });
    const requests = recorded();
    await provider.resume(id);
    expect(requests.last()?.fields).toEqual({ cancel_at_period_end: "false" });
    expect(await state(id)).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: false, canceledAt: null });
  });

  it("undoes a cancellation in the portal, which sets no flag", async () => {
    const id = await subscribed();
    stripe.cancelAtPeriodEnd(id);
    const requests = recorded();
    await provider.resume(id);
    expect(requests.last()?.fields).toEqual({ cancel_at: "" });
    expect(await state(id)).toMatchObject({ cancelAtPeriodEnd: false, canceledAt: null });
  });

  it("replaces a date in a later period, and never withdraws one", async () => {
    const id = await subscribed();
    const { currentPeriodEnd } = await state(id);
    const cancelAt = new Date(currentPeriodEnd.getTime() + 60 * 24 * hour);
    stripe.scheduleEnd(id, cancelAt);
    expect(await state(id)).toMatchObject({ cancelAtPeriodEnd: false, cancelAt });
    await provider.resume(id);
    expect(await state(id)).toMatchObject({ cancelAtPeriodEnd: false, cancelAt });
    await provider.cancel(id);
    expect(await state(id)).toMatchObject({ cancelAtPeriodEnd: true, cancelAt: currentPeriodEnd });
  });

  it("replaces a schedule, which alone may end its subscription", async () => {
    const id = await subscribed();
    stripe.attachSchedule(id);
    expect(await state(id)).toMatchObject({
      cancelAtPeriodEnd: false,
      replaceableChange: { action: "subscription schedule", at: null },
    });
    await provider.cancel(id);
    const { currentPeriodEnd, ...canceled } = await state(id);
    expect(canceled).toMatchObject({ cancelAtPeriodEnd: true, cancelAt: currentPeriodEnd });
    expect(canceled).not.toHaveProperty("replaceableChange");
  });

  it("says so if it has released the schedule and fails then", async () => {
    const id = await subscribed();
    stripe.attachSchedule(id);
    stripe.fail(`POST /v1/subscriptions/${id}`, { status: 500, error: { type: "api_error" } });
    await expect(provider.cancel(id)).rejects.toMatchObject({ kind: "outage", hasRemovedChange: true });
    expect(await state(id)).not.toHaveProperty("replaceableChange");
    stripe.fail(`POST /v1/subscriptions/${id}`, { status: 500, error: { type: "api_error" } });
    await expect(provider.cancel(id)).rejects.toMatchObject({ kind: "outage", hasRemovedChange: false });
  });

  it("undoes an end that a schedule has set", async () => {
    const id = await subscribed();
    stripe.cancelAtPeriodEnd(id);
    stripe.attachSchedule(id);
    await provider.resume(id);
    expect(await state(id)).toMatchObject({ cancelAtPeriodEnd: false, cancelAt: null, canceledAt: null });
    expect(stripe.state.subscriptions.get(id)?.schedule).toBeNull();
  });

  it.each([
    ["whose first payment is still due", (id: string) => stripe.put(id, { status: "incomplete" })],
    ["that is paused, whose period never ends", (id: string) => stripe.pause!(id)],
  ])("ends at once a subscription %s", async (_case, change) => {
    const id = await subscribed();
    await change(id);
    await provider.cancel(id);
    expect(await state(id)).toMatchObject({ status: "CANCELED", cancelAtPeriodEnd: false });
  });

  it("changes nothing if nothing was canceled", async () => {
    const id = await subscribed();
    const requests = recorded();
    await provider.resume(id);
    expect(requests.calls()).toEqual([`GET /v1/subscriptions/${id}`]);
  });

  it.each(["cancel", "resume"] as const)("%s throws ended for a canceled subscription", async (change) => {
    const id = await subscribed();
    stripe.end(id);
    await expect(provider[change](id)).rejects.toMatchObject({ kind: "ended" });
  });

  it("throws ended if Stripe reports a canceled subscription as missing", async () => {
    const id = await subscribed();
    stripe.end(id);
    const error = { type: "invalid_request_error", code: "resource_missing" };
    stripe.fail(`POST /v1/subscriptions/${id}`, { status: 404, error });
    await expect(provider.cancel(id)).rejects.toMatchObject({ kind: "ended" });
  });

  it("throws ended if the subscription ends between two requests", async () => {
    const id = await subscribed();
    stripe.cancelAtPeriodEnd(id);
    const before = JSON.stringify({ ...stripe.state.subscriptions.get(id), latest_invoice: null });
    stripe.end(id);
    stripe.fail(`GET /v1/subscriptions/${id}`, { status: 200, text: before });
    await expect(provider.resume(id)).rejects.toMatchObject({ kind: "ended" });
  });

  it("are read also with a key that may not read invoices, without what is paid", async () => {
    const id = await subscribed();
    stripe.fail(`GET /v1/subscriptions/${id}`, { status: 403, error: { type: "invalid_request_error" } });
    const read = await provider.subscription(id);
    expect(read).toMatchObject({ id, status: "ACTIVE" });
    expect(read).not.toHaveProperty("isPeriodPaid");
  });

  it("throws refused if Stripe refuses to change a live subscription", async () => {
    const id = await subscribed();
    stripe.fail(`POST /v1/subscriptions/${id}`, { status: 400, error: { type: "invalid_request_error" } });
    await expect(provider.cancel(id)).rejects.toMatchObject({ kind: "refused" });
  });

  it.each(["cancel", "resume"] as const)(
    "%s throws not_found for an unknown subscription",
    async (change) => {
      await expect(provider[change]("sub_unknown")).rejects.toMatchObject({ kind: "not_found" });
    },
  );
});

describe("stripe.subscription", () => {
  it("reads every state from the first payment to the end", async () => {
    const id = await subscribed();
    const purchase = { planId: request.planId, variantId: request.variantId };
    const first = await state(id);
    expect(first).toMatchObject({ ...purchase, organizationId: request.organizationId, status: "ACTIVE" });
    stripe.failPayment(id);
    expect(await state(id)).toMatchObject({ status: "PAST_DUE", currentPeriodStart: first.currentPeriodEnd });
    stripe.renew(id);
    expect(await state(id)).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: false });
    stripe.cancelAtPeriodEnd(id);
    expect(await state(id)).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: true });
    stripe.end(id);
    expect(await state(id)).toMatchObject({ status: "CANCELED", cancelAtPeriodEnd: false });
    await outsideContract(async () => {
      stripe.put(id, { status: "hibernating" });
      expect(await state(id)).toMatchObject({ status: null, rawStatus: "hibernating" });
    });
  });

  it("tells a pause after a failed payment from one in which nothing is due", async () => {
    const [requested, failed] = [await subscribed(), await subscribed(`${request.checkoutId}_failed`)];
    await stripe.pause!(requested);
    stripe.failPaymentAndPause(failed);
    expect(await state(requested)).toMatchObject({ status: "UNPAID", rawStatus: "paused" });
    const due = { status: "UNPAID", rawStatus: "paused: first_payment_failure", isPeriodPaid: false };
    expect(await state(failed)).toMatchObject(due);
    await provider.cancel(failed);
    expect(await state(failed)).toMatchObject({ status: "CANCELED", rawStatus: "canceled" });
  });

  it("tells a period that has begun from one that is paid", async () => {
    const id = await subscribed();
    const first = await state(id);
    expect(first.isPeriodPaid).toBe(true);
    stripe.beginPeriod(id);
    const begun = { status: "ACTIVE", currentPeriodStart: first.currentPeriodEnd, isPeriodPaid: false };
    expect(await state(id)).toMatchObject(begun);
    stripe.charge(id, false);
    expect(await state(id)).toMatchObject({ ...begun, status: "PAST_DUE" });
    stripe.charge(id, true);
    expect(await state(id)).toMatchObject({ ...begun, isPeriodPaid: true });
  });

  it("is null for an unknown id, without a request for an invalid one", async () => {
    expect(await provider.subscription("sub_unknown")).toBeNull();
    const requests = recorded();
    expect(await provider.subscription("../customers")).toBeNull();
    expect(requests.calls()).toEqual([]);
  });
});

describe("stripe.subscriptionsSince", () => {
  it("lists the subscriptions since then, canceled ones included, newest first", async () => {
    await subscribed(`${request.checkoutId}_before`);
    clock.advance(hour);
    const since = clock.now();
    const ended = await subscribed();
    stripe.end(ended);
    const { organizationId } = request;
    const template = [...stripe.state.subscriptions.values()].at(-1)!;
    const unnamed = { ...template, id: "sub_unnamed", metadata: {} };
    stripe.state.subscriptions.set(unnamed.id, unnamed);
    expect(await provider.subscriptionsSince(since)).toEqual([
      { subscriptionId: "sub_unnamed", organizationId: null },
      { subscriptionId: ended, organizationId },
    ]);
  });

  it("stops at 1,000", async () => {
    const other = await startStripeBillingFake({ clock });
    const template = [...stripe.state.subscriptions.values()].at(-1)!;
    for (let number = 0; number < 1001; number += 1)
      other.state.subscriptions.set(`sub_${number}`, { ...template, id: `sub_${number}` });
    const pointers = await other.provider.subscriptionsSince(new Date(0));
    expect(pointers).toHaveLength(1000);
    expect(pointers.at(-1)?.subscriptionId).toBe("sub_1");
    expect(other.requests).toBe(10);
    await other.stop();
  });

  it("gives each page a timeout of its own", async () => {
    const other = await startStripeBillingFake({ clock });
    const template = [...stripe.state.subscriptions.values()].at(-1)!;
    for (let number = 0; number < 201; number += 1)
      other.state.subscriptions.set(`sub_${number}`, { ...template, id: `sub_${number}` });
    const real = performance.now.bind(performance);
    // Each response takes more than half of the timeout.
    vi.spyOn(performance, "now").mockImplementation(() => real() + other.requests * 3_600);
    expect(await other.provider.subscriptionsSince(new Date(0))).toHaveLength(201);
    await other.stop();
  });
});
