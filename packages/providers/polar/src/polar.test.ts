import { randomUUID } from "node:crypto";
import type { PaymentProvider } from "@purser/billing/ports";
import { day, testClock } from "@purser/core/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { buySubscription, newTeam, returnUrl, startPolarCheckout } from "./fake/buyer.ts";
import { newCatalog, priceOf, productOf } from "./fake/catalog.ts";
import { type PolarFake, startPolarFake } from "./fake/index.ts";

const clock = testClock();
let polar: PolarFake;
let provider: PaymentProvider;
beforeAll(async () => {
  polar = await startPolarFake({ clock });
  ({ provider } = polar);
});
afterAll(() => polar.stop());
afterEach(() => vi.restoreAllMocks());
beforeEach(() => {
  polar.state.products = newCatalog();
  polar.calls.length = 0;
});

describe("polarPayments.plans", () => {
  it("lists what is on sale, in Polar's order", async () => {
    const once = { is_recurring: false, recurring_interval: null };
    polar.state.products.push(productOf("Once", [priceOf(9900)], once));
    polar.state.products.push(productOf("Old", [priceOf(900)], { is_archived: true }));
    polar.state.products.push(productOf("For one", [priceOf(100)], { visibility: "private" }));
    const plans = (await provider.plans()).map(({ name, variants }) => [
      name,
      ...variants.map(({ price }) => price),
    ]);
    expect(plans).toEqual([
      ["Business", 49_000],
      ["Team", 2700, 2900],
    ]);
    const onSale = "is_archived=false&is_recurring=true&visibility=public";
    expect(polar.calls.map(({ call }) => call)).toEqual([
      `GET /v1/products/?${onSale}&page=1&limit=100&sorting=-created_at`,
    ]);
  });

  it("reads all pages without duplicates", async () => {
    const many = Array.from({ length: 205 }, (_, index) =>
      productOf(`Plan ${index}`, [priceOf(100 + index)]),
    );
    polar.state.products = [...many, many[99]!];
    const names = (await provider.plans()).map(({ name }) => name);
    expect(names).toEqual(many.map(({ name }) => name));
    expect(polar.requests).toBe(3);
  });

  /** A fake whose customer has 301 subscriptions, and where each response takes this long, by default four of the seven seconds. */
  async function startSlow(responseMs = 4000) {
    const slow = await startPolarFake({ clock });
    const { subscriptionId: id, customerId } = await buySubscription(slow);
    const [template] = slow.state.subscriptions;
    const many = Array.from({ length: 300 }, () => ({ ...template!, id: randomUUID() }));
    slow.state.subscriptions.push(...many);
    const before = slow.requests;
    vi.spyOn(performance, "now").mockImplementation(() => (slow.requests - before) * responseMs);
    return { slow, id, customerId };
  }

  it("shares one timeout among the requests of a call", async () => {
    // The first response takes almost all of it. With a timeout of its own, the second request would outlast this test.
    const timeoutMs = 600_000;
    const { slow, id, customerId } = await startSlow(timeoutMs - 1000);
    slow.fail("GET /v1/subscriptions/", "none", "hang");
    const portal = slow.providerWith({ timeoutMs }).createPortal({
      id,
      customerId,
      returnUrl,
      organizationSubscriptionIds: [id],
    });
    await expect(portal).rejects.toMatchObject({ kind: "outage" });
    await slow.stop();
  });

  it("gives each page of new subscriptions a timeout of its own", async () => {
    const { slow } = await startSlow();
    expect(await slow.provider.subscriptionsSince(new Date(0))).toHaveLength(301);
    await slow.stop();
  });

  it("gives each page of a large catalog a timeout of its own", async () => {
    const slow = await startPolarFake({ clock });
    slow.state.products = Array.from({ length: 300 }, () => productOf("Plan", [priceOf(100)]));
    vi.spyOn(performance, "now").mockImplementation(() => slow.requests * 4000);
    expect(await slow.provider.plans()).toHaveLength(300);
    await slow.stop();
  });
});

describe("polarPayments.createCheckout", () => {
  it("creates a checkout for the price, with the organization, its customer and our checkout id", async () => {
    const team = newTeam();
    const { request, customerId, planId, variantId, reference, url, expiresAt } = await startPolarCheckout(
      polar,
      team,
      "EUR",
    );
    expect(polar.calls.at(-1)?.body).toEqual({
      products: [planId],
      currency: "eur",
      customer_id: customerId,
      customer_email: "ada@example.com",
      customer_name: "Acme",
      metadata: { purser_organization: team.organizationId, purser_checkout: request.checkoutId },
      success_url: returnUrl,
      return_url: returnUrl,
    });
    const made = polar.state.checkouts.find(({ id }) => id === reference);
    expect(made).toMatchObject({ url, customer_id: customerId, product_price_id: variantId, amount: 2700 });
    expect(expiresAt).toEqual(new Date(clock.now().getTime() + day));
  });

  it("offers no trial to an organization that has had a subscription", async () => {
    const { request } = await startPolarCheckout(polar);
    expect(polar.calls.at(-1)?.body).not.toHaveProperty("allow_trial");
    await provider.createCheckout({ ...request, isTrialUsed: true });
    expect(polar.calls.at(-1)?.body).toMatchObject({ allow_trial: false });
  });

  it("creates another team customer for an organization whose customer was deleted at Polar", async () => {
    const team = newTeam();
    const { request, customerId } = await buySubscription(polar, team);
    polar.deleteCustomer(customerId);
    for (const checkout of [request, { ...request, checkoutId: "chk_again" }]) {
      const { reference } = await provider.createCheckout(checkout);
      const { subscriptionId } = await polar.complete(reference);
      const { customer } = polar.state.subscriptions.find(({ id }) => id === subscriptionId)!;
      expect(customer).toMatchObject({ type: "team", external_id: team.organizationId });
    }
    const made = polar.state.customers.filter(({ external_id: id }) => id === team.organizationId);
    expect(made).toHaveLength(1);
  });

  it("is refused once if the customer exists and Polar refuses something else", async () => {
    const { request } = await startPolarCheckout(polar);
    polar.calls.length = 0;
    polar.fail("POST /v1/checkouts/", { status: 422, body: { error: "PolarRequestValidationError" } });
    await expect(provider.createCheckout(request)).rejects.toMatchObject({ kind: "refused" });
    expect(polar.calls.filter(({ call }) => call === "POST /v1/checkouts/")).toHaveLength(1);
  });

  it.each<[string, (sold: { planId: string }) => object]>([
    ["an id that is not one of Polar's", () => ({ planId: "prod_1" })],
    ["an unknown product", () => ({ planId: randomUUID() })],
    ["an unknown price", () => ({ variantId: randomUUID() })],
    ["the price of another product", () => ({ variantId: polar.state.products[0]!.prices[0]!.id })],
    [
      "a product that was archived meanwhile",
      ({ planId }) => {
        polar.changeProduct(planId, { is_archived: true });
        return {};
      },
    ],
  ])("throws not_found for %s", async (_what, wrong) => {
    const { request } = await startPolarCheckout(polar);
    const before = polar.state.checkouts.length;
    const call = provider.createCheckout({ ...request, ...wrong(request) });
    await expect(call).rejects.toMatchObject({ kind: "not_found" });
    expect(polar.state.checkouts).toHaveLength(before);
  });
});

describe("polarPayments.expireCheckout", () => {
  it("is not supported by Polar", async () => {
    expect(provider.capabilities).toMatchObject({ expiresCheckouts: false });
    await expect(provider.expireCheckout(randomUUID())).rejects.toMatchObject({ kind: "refused" });
  });
});

describe("Polar's webhooks", () => {
  it("are verified and read, from the first payment to the end", async () => {
    const team = newTeam();
    const { reference } = await startPolarCheckout(polar, team);
    const { subscriptionId, events } = await polar.complete(reference);
    for (const step of [polar.renew, polar.failPayment, polar.cancelAtPeriodEnd, polar.end])
      events.push(...(await step(subscriptionId)));
    const read = events.map(({ body, headers }) => {
      const check = provider.webhooks.verify(body, headers, clock.now());
      const type = check.outcome === "verified" ? check.type : check.reason;
      return [type, provider.webhooks.read({ type, body: body.toString() })];
    });
    const notice = { kind: "subscription", subscriptionId, organizationId: team.organizationId };
    const subscriptions = ["created", "active", "updated", "cycled", "past_due", "canceled", "revoked"];
    const types = [...subscriptions.map((change) => `subscription.${change}`), "order.created", "order.paid"];
    expect(new Set(read.map(([type]) => type))).toEqual(new Set([...types, "checkout.updated"]));
    // The event of the checkout follows the event of the subscription.
    for (const [type, what] of read)
      expect([type, what]).toEqual([type, type === "checkout.updated" ? null : notice]);
  });

  it("have the same event id when they are delivered again", () => {
    const [event] = polar.changeProduct(polar.state.products[0]!.id, { name: "Corporate" });
    clock.advance(day);
    const again = polar.resign(event!);
    const verdicts = [event!, again].map(({ body, headers }) =>
      provider.webhooks.verify(body, headers, clock.now()),
    );
    expect(verdicts).toEqual([
      { outcome: "refused", reason: "time" },
      { outcome: "verified", eventId: event!.headers.get("webhook-id"), type: "product.updated" },
    ]);
    const notice = provider.webhooks.read({ type: "product.updated", body: again.body.toString() });
    expect(notice).toEqual({ kind: "catalog" });
  });
});
