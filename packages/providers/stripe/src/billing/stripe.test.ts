import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { day, hour, testClock } from "@purser/core/testing";
import type { CheckoutRequest, PaymentProvider } from "@purser/billing/ports";
import { fakePrice, fakeProduct } from "./fake/objects.ts";
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

const state = async (id: string) => (await provider.subscription(id))!;

describe("stripe.plans", () => {
  it("lists what is on sale, newest first", async () => {
    expect(await provider.plans()).toMatchObject([
      { name: "Starter", description: null, variants: [{ price: 900, interval: "month" }] },
      {
        name: "Team",
        description: "For a company",
        storeId: null,
        variants: [
          { price: 2900, currency: "EUR", interval: "month" },
          { price: 29_000, currency: "EUR", interval: "year" },
        ],
      },
    ]);
  });

  it("reads every page of products and of prices", async () => {
    const other = await startStripeFake({ clock });
    for (let number = 0; number < 99; number += 1) {
      const product = fakeProduct();
      other.sell(product);
      other.sell(fakePrice({ product: product.id }));
    }
    expect(await other.provider.plans()).toHaveLength(101);
    const calls = other.log.map(({ call }) => call);
    expect(calls.filter((call) => call === "GET /v1/products")).toHaveLength(2);
    expect(calls.filter((call) => call === "GET /v1/prices")).toHaveLength(2);
    await other.stop();
  });

  it("fails where one page does, rather than to forget plans", async () => {
    stripe.fail("GET /v1/prices", { status: 500, error: { type: "api_error" } });
    await expect(provider.plans()).rejects.toMatchObject({ kind: "outage" });
  });
});

describe("stripe.createCustomer", () => {
  const customers = () =>
    [...stripe.state.customers.values()].filter(
      ({ metadata }) => metadata["purser_organization"] === request.organizationId,
    );

  it("makes the team a customer", async () => {
    const id = await provider.createCustomer(request);
    expect(customers()).toMatchObject([{ id, name: "Acme", email: request.email }]);
  });

  it("makes one, however often and however closely it is asked", async () => {
    const [one, other] = await Promise.all([
      provider.createCustomer(request),
      provider.createCustomer(request),
    ]);
    stripe.forgetKeys();
    expect([other, await provider.createCustomer(request)]).toEqual([one, one]);
    expect(customers()).toHaveLength(1);
  });

  it("makes another one for another team of the same person", async () => {
    const id = await provider.createCustomer(request);
    expect(await provider.createCustomer({ ...request, organizationId: "org_other" })).not.toBe(id);
  });
});

describe("stripe.createCheckout", () => {
  it("makes a hosted page on which the team is written", async () => {
    const customerId = await provider.createCustomer(request);
    const { reference, url, expiresAt } = await provider.createCheckout({ ...request, customerId });
    expect(url).toBe(`https://checkout.stripe.com/c/pay/${reference}`);
    expect(expiresAt).toEqual(new Date(clock.now().getTime() + day));
    const metadata = { purser_organization: request.organizationId, purser_checkout: request.checkoutId };
    expect(stripe.state.sessions.get(reference)).toMatchObject({
      mode: "subscription",
      customer: customerId,
      client_reference_id: request.checkoutId,
      metadata,
      success_url: request.returnUrl,
      cancel_url: request.returnUrl,
      buys: { price: { id: request.variantId }, metadata },
    });
  });

  it("gives the same page for the same checkout, at another time too", async () => {
    const first = await provider.createCheckout(request);
    const asked = recorded();
    clock.advance(hour);
    expect(await provider.createCheckout(request)).toEqual(first);
    expect(asked.last()?.idempotencyKey).toBe(request.checkoutId);
  });

  it("gives the same page where the answer was lost on the way, having asked once", async () => {
    stripe.fail("POST /v1/checkout/sessions", "lost");
    const asked = recorded();
    await expect(provider.createCheckout(request)).rejects.toMatchObject({ kind: "outage" });
    expect(asked.calls()).toHaveLength(2);
    const { reference } = await provider.createCheckout(request);
    expect([...stripe.state.sessions.keys()].at(-1)).toBe(reference);
    const made = [...stripe.state.sessions.values()].filter(
      ({ client_reference_id: id }) => id === request.checkoutId,
    );
    expect(made).toHaveLength(1);
  });

  it("lets a customer who was deleted buy again", async () => {
    const gone = { ...request, customerId: "cus_deleted" };
    const { reference } = await provider.createCheckout(gone);
    expect(stripe.state.sessions.get(reference)).toMatchObject({
      customer: null,
      customer_email: request.email,
    });
    expect(await provider.createCheckout(gone)).toMatchObject({ reference });
    const { subscriptionId } = stripe.complete(reference);
    expect(await state(subscriptionId)).toMatchObject({ organizationId: request.organizationId });
  });

  it.each([
    ["is not there", () => ({ variantId: "price_unknown" })],
    ["belongs to another plan", () => ({ planId: "prod_other" })],
    [
      "is archived",
      () => {
        const price = fakePrice({ product: request.planId, active: false });
        stripe.sell(price);
        return { variantId: price.id };
      },
    ],
    [
      "is paid once",
      () => {
        const price = fakePrice({ product: request.planId, type: "one_time", recurring: null });
        stripe.sell(price);
        return { variantId: price.id };
      },
    ],
    [
      "belongs to an archived plan",
      () => {
        const product = fakeProduct({ active: false });
        const price = fakePrice({ product: product.id });
        stripe.sell(product);
        stripe.sell(price);
        return { planId: product.id, variantId: price.id };
      },
    ],
    [
      "belongs to a deleted plan",
      () => {
        const price = fakePrice({ product: "prod_deleted" });
        stripe.sell(price);
        return { planId: "prod_deleted", variantId: price.id };
      },
    ],
  ])("does not find a price that %s", async (_what, changed) => {
    const checkout = provider.createCheckout({ ...request, ...changed() });
    await expect(checkout).rejects.toMatchObject({ kind: "not_found" });
  });

  it("takes no address for one that leads elsewhere than over TLS", async () => {
    const session = { id: "cs_test_1", url: "javascript:alert(1)", expires_at: 1_772_442_000 };
    stripe.fail("POST /v1/checkout/sessions", { status: 200, text: JSON.stringify(session) });
    await expect(provider.createCheckout(request)).rejects.toMatchObject({ kind: "outage" });
  });
});

describe("stripe.expireCheckout", () => {
  const status = (reference: string) => stripe.state.sessions.get(reference)?.status;

  it("ends an open checkout, and has nothing against ending it again", async () => {
    const { reference } = await provider.createCheckout(request);
    await provider.expireCheckout(reference);
    await provider.expireCheckout(reference);
    expect(status(reference)).toBe("expired");
    expect(() => stripe.complete(reference)).toThrow("expired");
  });

  it("leaves one alone that is paid for", async () => {
    const { reference } = await provider.createCheckout(request);
    stripe.complete(reference);
    await provider.expireCheckout(reference);
    expect(status(reference)).toBe("complete");
  });

  it("says so where an open one is not ended", async () => {
    const { reference } = await provider.createCheckout(request);
    const error = { type: "invalid_request_error", message: "Not today." };
    stripe.fail(`POST /v1/checkout/sessions/${reference}/expire`, { status: 400, error });
    await expect(provider.expireCheckout(reference)).rejects.toMatchObject({ kind: "refused" });
  });

  it("does not find one that is not there", async () => {
    await expect(provider.expireCheckout("cs_unknown")).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("stripe.checkoutResult", () => {
  it("is the subscription, once somebody has paid", async () => {
    const { reference } = await provider.createCheckout(request);
    expect(await provider.checkoutResult(reference)).toBeNull();
    const { subscriptionId } = stripe.complete(reference);
    expect(await provider.checkoutResult(reference)).toBe(subscriptionId);
  });

  it("is nothing for a checkout whose time is over", async () => {
    const { reference } = await provider.createCheckout(request);
    clock.advance(day);
    expect(await provider.checkoutResult(reference)).toBeNull();
    expect(stripe.state.sessions.get(reference)?.status).toBe("expired");
  });
});
