import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type StripeBillingFake, startStripeBillingFake } from "../fake/billing/index.ts";
import { fakePrice, fakeProduct } from "../fake/billing/objects.ts";

const clock = testClock();
let stripe: StripeBillingFake;
beforeAll(async () => (stripe = await startStripeBillingFake({ clock })));
afterAll(async () => {
  vi.restoreAllMocks();
  await stripe.stop();
});

describe("stripe.plans", () => {
  it("lists products with a price, newest first", async () => {
    expect(await stripe.provider.plans()).toMatchObject([
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
    const other = await startStripeBillingFake({ clock });
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

  it("gives each page of a large catalog a timeout of its own", async () => {
    const other = await startStripeBillingFake({ clock });
    for (let number = 0; number < 199; number += 1) {
      const product = fakeProduct();
      other.sell(product);
      other.sell(fakePrice({ product: product.id }));
    }
    const real = performance.now.bind(performance);
    const before = other.requests;
    // Each response takes more than half of the timeout.
    vi.spyOn(performance, "now").mockImplementation(() => real() + (other.requests - before) * 3_600);
    expect(await other.provider.plans()).toHaveLength(201);
    vi.restoreAllMocks();
    await other.stop();
  });

  it("throws if any page fails, so no plan is missing", async () => {
    stripe.fail("GET /v1/prices", { status: 500, error: { type: "api_error" } });
    await expect(stripe.provider.plans()).rejects.toMatchObject({ kind: "outage" });
  });
});

describe("stripe.createPortal", () => {
  it("returns the URL of the portal, which links back to us", async () => {
    const customer = { organizationId: "org_1", name: "Acme", email: "ada@example.com", checkoutId: "chk_1" };
    const customerId = (await stripe.provider.createCustomer(customer))!;
    const returnUrl = "https://purser.example/team";
    const url = await stripe.provider.createPortal({
      id: "sub_1",
      customerId,
      returnUrl,
      organizationSubscriptionIds: ["sub_1"],
    });
    expect(url).toMatch(/^https:\/\/billing\.stripe\.com\/p\/session\//);
    const session = stripe.log.find(({ call }) => call === "POST /v1/billing_portal/sessions");
    expect(session?.fields).toEqual({ customer: customerId, return_url: returnUrl });
  });
});

describe("stripePayments", () => {
  it("limits the time of all requests of one call together", async () => {
    const other = await startStripeBillingFake({ clock });
    const [plan] = await other.provider.plans();
    const before = other.requests;
    const real = performance.now.bind(performance);
    // The first response takes almost all of it. With a timeout of its own, the second request would outlast this test.
    const timeoutMs = 600_000;
    const elapsed = () => (other.requests - before) * (timeoutMs - 1000);
    vi.spyOn(performance, "now").mockImplementation(() => real() + elapsed());
    other.fail("POST /v1/checkout/sessions", "hang");
    const variant = { planId: plan!.id, variantId: plan!.variants[0]!.id };
    const checkout = other.providerWith({ timeoutMs }).createCheckout({
      organizationId: "org_1",
      name: "Acme",
      email: "ada@example.com",
      checkoutId: "chk_1",
      customerId: null,
      ...variant,
      returnUrl: "https://purser.example/billing/return",
    });
    await expect(checkout).rejects.toMatchObject({ kind: "outage" });
    expect(other.log[before]?.call).toBe(`GET /v1/prices/${variant.variantId}`);
    await other.stop();
  });
});
