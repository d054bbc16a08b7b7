import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { hour, testClock } from "@purser/core/testing";
import type { CheckoutRequest, PaymentProvider } from "@purser/billing/ports";
import { type StripeFake, startStripeFake } from "./fake/index.ts";

const clock = testClock();
let stripe: StripeFake;
let provider: PaymentProvider;
/** The yearly price of the plan Team. */
let offer: { planId: string; variantId: string };
beforeAll(async () => {
  stripe = await startStripeFake({ clock });
  ({ provider } = stripe);
  const [, team] = await provider.plans();
  offer = { planId: team!.id, variantId: team!.variants[1]!.id };
});
afterAll(async () => stripe.stop());
afterEach(() => vi.restoreAllMocks());

let teams = 0;
/** Each test has a team of its own. */
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

/** What was asked since, as calls. */
function recorded(): { calls: () => string[]; last: () => StripeFake["log"][number] | undefined } {
  const before = stripe.log.length;
  return {
    calls: () => stripe.log.slice(before).map(({ call }) => call),
    last: () => stripe.log.slice(before).at(-1),
  };
}

/** The team as a customer that has bought; gives the subscription's id. */
async function subscribed(checkoutId = request.checkoutId): Promise<string> {
  const customerId = await provider.createCustomer(request);
  const { reference } = await provider.createCheckout({ ...request, checkoutId, customerId });
  return stripe.complete(reference).subscriptionId;
}

const state = async (id: string) => (await provider.subscription(id))!;

describe("stripe.createPortal", () => {
  it("gives the address of the customer's portal, from which the way leads back", async () => {
    const id = await subscribed();
    const { customerId } = await state(id);
    const asked = recorded();
    const url = await provider.createPortal({ id, customerId, returnUrl: "https://purser.example/team" });
    expect(url).toMatch(/^https:\/\/billing\.stripe\.com\/p\/session\//);
    expect(asked.last()?.fields).toEqual({ customer: customerId, return_url: "https://purser.example/team" });
  });
});

describe("stripe.cancel and stripe.resume", () => {
  it("lets a subscription end with its period, and takes it back", async () => {
    const id = await subscribed();
    await provider.cancel(id);
    await provider.cancel(id);
    expect(await state(id)).toMatchObject({
      status: "ACTIVE",
      cancelAtPeriodEnd: true,
      canceledAt: clock.now(),
    });
    const asked = recorded();
    await provider.resume(id);
    expect(asked.last()?.fields).toEqual({ cancel_at_period_end: "false" });
    expect(await state(id)).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: false, canceledAt: null });
  });

  it("takes back what was cancelled in the portal, which sets no flag", async () => {
    const id = await subscribed();
    stripe.cancelAtPeriodEnd(id);
    const asked = recorded();
    await provider.resume(id);
    expect(asked.last()?.fields).toEqual({ cancel_at: "" });
    expect(await state(id)).toMatchObject({ cancelAtPeriodEnd: false, canceledAt: null });
  });

  it("has nothing to take back where nothing was cancelled", async () => {
    const id = await subscribed();
    const asked = recorded();
    await provider.resume(id);
    expect(asked.calls()).toEqual([`GET /v1/subscriptions/${id}`]);
  });

  it.each(["cancel", "resume"] as const)("cannot %s what has ended", async (change) => {
    const id = await subscribed();
    stripe.end(id);
    await expect(provider[change](id)).rejects.toMatchObject({ kind: "ended" });
  });

  it("sees an end that Stripe tells as if there were no such subscription", async () => {
    const id = await subscribed();
    stripe.end(id);
    const error = { type: "invalid_request_error", code: "resource_missing" };
    stripe.fail(`POST /v1/subscriptions/${id}`, { status: 404, error });
    await expect(provider.cancel(id)).rejects.toMatchObject({ kind: "ended" });
  });

  it("sees an end that comes while it asks", async () => {
    const id = await subscribed();
    stripe.cancelAtPeriodEnd(id);
    const before = JSON.stringify(stripe.state.subscriptions.get(id));
    stripe.end(id);
    stripe.fail(`GET /v1/subscriptions/${id}`, { status: 200, text: before });
    await expect(provider.resume(id)).rejects.toMatchObject({ kind: "ended" });
  });

  it("is refused where Stripe refuses, the subscription being live", async () => {
    const id = await subscribed();
    stripe.fail(`POST /v1/subscriptions/${id}`, { status: 400, error: { type: "invalid_request_error" } });
    await expect(provider.cancel(id)).rejects.toMatchObject({ kind: "refused" });
  });

  it.each(["cancel", "resume"] as const)("cannot %s what is not there", async (change) => {
    await expect(provider[change]("sub_unknown")).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("stripe.subscription", () => {
  it("follows a subscription from its first payment to its end", async () => {
    const id = await subscribed();
    const bought = { planId: request.planId, variantId: request.variantId };
    const first = await state(id);
    expect(first).toMatchObject({ ...bought, organizationId: request.organizationId, status: "ACTIVE" });
    stripe.failPayment(id);
    expect(await state(id)).toMatchObject({ status: "PAST_DUE", currentPeriodStart: first.currentPeriodEnd });
    stripe.renew(id);
    expect(await state(id)).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: false });
    stripe.cancelAtPeriodEnd(id);
    expect(await state(id)).toMatchObject({ status: "ACTIVE", cancelAtPeriodEnd: true });
    stripe.end(id);
    expect(await state(id)).toMatchObject({ status: "CANCELED", cancelAtPeriodEnd: false });
    stripe.put(id, { status: "hibernating" });
    expect(await state(id)).toMatchObject({ status: null, rawStatus: "hibernating" });
  });

  it("is nothing where Stripe has none, and is not asked for what cannot be one", async () => {
    expect(await provider.subscription("sub_unknown")).toBeNull();
    const asked = recorded();
    expect(await provider.subscription("../customers")).toBeNull();
    expect(asked.calls()).toEqual([]);
  });
});

describe("stripe.subscriptionsSince", () => {
  it("tells the subscriptions that were made since, ended ones too, newest first", async () => {
    await subscribed(`${request.checkoutId}_before`);
    clock.advance(hour);
    const since = clock.now();
    const ended = await subscribed();
    stripe.end(ended);
    const { organizationId } = request;
    const made = [...stripe.state.subscriptions.values()].at(-1)!;
    const strange = { ...made, id: "sub_strange", metadata: {} };
    stripe.state.subscriptions.set(strange.id, strange);
    expect(await provider.subscriptionsSince(since)).toEqual([
      { subscriptionId: "sub_strange", organizationId: null },
      { subscriptionId: ended, organizationId },
    ]);
  });

  it("stops at a thousand", async () => {
    const other = await startStripeFake({ clock });
    const made = [...stripe.state.subscriptions.values()].at(-1)!;
    for (let number = 0; number < 1001; number += 1)
      other.state.subscriptions.set(`sub_${number}`, { ...made, id: `sub_${number}` });
    const pointers = await other.provider.subscriptionsSince(new Date(0));
    expect(pointers).toHaveLength(1000);
    expect(pointers.at(-1)?.subscriptionId).toBe("sub_1");
    expect(other.requests).toBe(10);
    await other.stop();
  });
});

describe("stripePayments", () => {
  it("gives all requests of one call together its time", async () => {
    const other = await startStripeFake({ clock });
    const [plan] = await other.provider.plans();
    const before = other.requests;
    const real = performance.now.bind(performance);
    // The first answer takes almost all of the time there is.
    vi.spyOn(performance, "now").mockImplementation(() => real() + (other.requests - before) * 6_990);
    other.fail("POST /v1/checkout/sessions", "hang");
    const theirs = { planId: plan!.id, variantId: plan!.variants[0]!.id };
    const checkout = other.provider.createCheckout({ ...request, ...theirs });
    await expect(checkout).rejects.toMatchObject({ kind: "outage" });
    expect(other.log[before]?.call).toBe(`GET /v1/prices/${theirs.variantId}`);
    await other.stop();
  }, 5_000);
});
