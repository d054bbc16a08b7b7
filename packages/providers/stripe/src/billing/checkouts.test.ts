import type { CheckoutRequest, PaymentProvider } from "@purser/billing/ports";
import { day, hour, testClock } from "@purser/core/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type StripeBillingFake, startStripeBillingFake } from "../fake/billing/index.ts";
import { fakePrice, fakeProduct } from "../fake/billing/objects.ts";

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

const state = async (id: string) => (await provider.subscription(id))!;

describe("stripe.createCustomer", () => {
  const customers = () =>
    [...stripe.state.customers.values()].filter(
      ({ metadata }) => metadata["purser_organization"] === request.organizationId,
    );

  it("creates a customer for the team", async () => {
    const id = await provider.createCustomer(request);
    expect(customers()).toMatchObject([{ id, name: "Acme", email: request.email }]);
  });

  it("creates one customer in concurrent and repeated calls", async () => {
    const [one, other] = await Promise.all([
      provider.createCustomer(request),
      provider.createCustomer(request),
    ]);
    stripe.forgetKeys();
    expect([other, await provider.createCustomer(request)]).toEqual([one, one]);
    expect(customers()).toHaveLength(1);
  });

  it("creates another customer for another team of the same person", async () => {
    const id = await provider.createCustomer(request);
    expect(await provider.createCustomer({ ...request, organizationId: "org_other" })).not.toBe(id);
  });
});

describe("stripe.createCheckout", () => {
  it("creates a session that names the team", async () => {
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

  it("returns the same session for the same checkout, also later", async () => {
    const first = await provider.createCheckout(request);
    const requests = recorded();
    clock.advance(hour);
    expect(await provider.createCheckout(request)).toEqual(first);
    expect(requests.last()?.idempotencyKey).toBe(request.checkoutId);
  });

  it("returns the same session after a lost response, and does not retry", async () => {
    stripe.fail("POST /v1/checkout/sessions", "lost");
    const requests = recorded();
    await expect(provider.createCheckout(request)).rejects.toMatchObject({ kind: "outage" });
    expect(requests.calls()).toHaveLength(2);
    const { reference } = await provider.createCheckout(request);
    expect([...stripe.state.sessions.keys()].at(-1)).toBe(reference);
    const created = [...stripe.state.sessions.values()].filter(
      ({ client_reference_id: id }) => id === request.checkoutId,
    );
    expect(created).toHaveLength(1);
  });

  it("creates a session for a customer who was deleted at Stripe", async () => {
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

  describe("with automatic tax", () => {
    const taxed = () => stripe.providerWith({ automaticTax: true });

    it("lets Stripe calculate the tax, from what the buyer of an existing customer enters", async () => {
      const customerId = await provider.createCustomer(request);
      const requests = recorded();
      const { reference } = await taxed().createCheckout({ ...request, customerId });
      expect(requests.last()?.fields).toMatchObject({
        "automatic_tax[enabled]": "true",
        "tax_id_collection[enabled]": "true",
        "customer_update[address]": "auto",
        "customer_update[name]": "auto",
      });
      expect(stripe.state.sessions.get(reference)).toMatchObject({
        customer: customerId,
        automatic_tax: { enabled: true },
        tax_id_collection: { enabled: true },
      });
    });

    it("does the same for a customer who was deleted at Stripe", async () => {
      const { reference } = await taxed().createCheckout({ ...request, customerId: "cus_deleted" });
      const session = { customer: null, automatic_tax: { enabled: true } };
      expect(stripe.state.sessions.get(reference)).toMatchObject(session);
    });

    it("creates another session for a checkout that began without it", async () => {
      const { reference } = await provider.createCheckout(request);
      const again = await taxed().createCheckout(request);
      expect(again.reference).not.toBe(reference);
      expect(await taxed().createCheckout(request)).toEqual(again);
    });

    it("is off by default", async () => {
      const { reference } = await provider.createCheckout(request);
      expect(stripe.state.sessions.get(reference)).toMatchObject({ automatic_tax: { enabled: false } });
    });
  });

  it.each([
    ["does not exist", () => ({ variantId: "price_unknown" })],
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
      "is one-time",
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
  ])("throws not_found for a price that %s", async (_case, changed) => {
    const checkout = provider.createCheckout({ ...request, ...changed() });
    await expect(checkout).rejects.toMatchObject({ kind: "not_found" });
  });

  it("refuses a page address without TLS", async () => {
    const session = { id: "cs_test_1", url: "javascript:alert(1)", expires_at: 1_772_442_000 };
    stripe.fail("POST /v1/checkout/sessions", { status: 200, text: JSON.stringify(session) });
    await expect(provider.createCheckout(request)).rejects.toMatchObject({ kind: "outage" });
  });
});

describe("stripe.expireCheckout", () => {
  const status = (reference: string) => stripe.state.sessions.get(reference)?.status;

  it("expires an open session, and does nothing the second time", async () => {
    const { reference } = await provider.createCheckout(request);
    await provider.expireCheckout(reference);
    await provider.expireCheckout(reference);
    expect(status(reference)).toBe("expired");
    expect(() => stripe.complete(reference)).toThrow("expired");
  });

  it("does nothing for a completed session", async () => {
    const { reference } = await provider.createCheckout(request);
    stripe.complete(reference);
    await provider.expireCheckout(reference);
    expect(status(reference)).toBe("complete");
  });

  it("throws if Stripe refuses to expire an open session", async () => {
    const { reference } = await provider.createCheckout(request);
    const error = { type: "invalid_request_error", message: "Refused." };
    stripe.fail(`POST /v1/checkout/sessions/${reference}/expire`, { status: 400, error });
    await expect(provider.expireCheckout(reference)).rejects.toMatchObject({ kind: "refused" });
  });

  it("throws not_found for an unknown session", async () => {
    await expect(provider.expireCheckout("cs_unknown")).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("stripe.checkoutResult", () => {
  it("is unpaid before the payment, and names the subscription after it", async () => {
    const { reference } = await provider.createCheckout(request);
    expect(await provider.checkoutResult(reference)).toEqual({ status: "unpaid" });
    const { subscriptionId } = stripe.complete(reference);
    expect(await provider.checkoutResult(reference)).toEqual({ status: "paid", subscriptionId });
  });

  it("is unpaid for an expired session", async () => {
    const { reference } = await provider.createCheckout(request);
    clock.advance(day);
    expect(await provider.checkoutResult(reference)).toEqual({ status: "unpaid" });
    expect(stripe.state.sessions.get(reference)?.status).toBe("expired");
  });
});
