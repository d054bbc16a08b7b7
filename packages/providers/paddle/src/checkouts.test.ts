import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openShop, unknownId } from "./fake/shop.ts";
import { addPrice, addProduct } from "./fake/state.ts";

let shop: Awaited<ReturnType<typeof openShop>>;
let fake: typeof shop.fake;
/** Each test has its own organization and buyer. */
let request: Awaited<ReturnType<typeof shop.newRequest>>;
beforeAll(async () => {
  shop = await openShop(testClock());
  ({ fake } = shop);
});
beforeEach(async () => (request = await shop.newRequest()));
afterAll(async () => fake.stop());

describe("paddlePayments.createCheckout", () => {
  it("creates a transaction for this organization and customer, to be paid on our page", async () => {
    const checkout = await fake.provider.createCheckout(request);
    expect(checkout).toEqual({
      reference: expect.stringMatching(/^txn_/) as string,
      url: `https://pay.example.com/billing/paddle?_ptxn=${checkout.reference}`,
      expiresAt: new Date("2026-03-03T09:00:00.000Z"),
    });
    expect(fake.state.transactions.get(checkout.reference)).toMatchObject({
      customer_id: request.customerId,
      custom_data: { purser_organization: request.organizationId, purser_checkout: request.checkoutId },
      items: [{ price: { id: request.variantId }, quantity: 1 }],
    });
  });

  it("lets the page ask for the buyer if the organization is not a customer yet", async () => {
    const { reference } = await fake.provider.createCheckout({ ...request, customerId: null });
    expect(fake.state.transactions.get(reference)?.customer_id).toBeNull();
    const { subscriptionId } = fake.complete(reference);
    const { customerId, organizationId } = (await fake.provider.subscription(subscriptionId))!;
    expect(customerId).toMatch(/^ctm_/);
    expect(organizationId).toBe(request.organizationId);
  });

  it("throws not_found for a price that is not on sale, or not for this plan", async () => {
    const other = addProduct(fake.state);
    const gone = addProduct(fake.state, { status: "archived" });
    const changes = [
      { variantId: unknownId("pri") },
      { variantId: "../subscriptions" },
      { variantId: addPrice(fake.state, shop.plan, { status: "archived" }).id },
      { variantId: addPrice(fake.state, shop.plan, { billing_cycle: null }).id },
      { variantId: addPrice(fake.state, other).id },
      { planId: gone.id, variantId: addPrice(fake.state, gone).id },
    ];
    const before = fake.state.transactions.size;
    for (const change of changes) {
      const made = fake.provider.createCheckout({ ...request, ...change });
      await expect(made).rejects.toMatchObject({ kind: "not_found" });
    }
    expect(fake.state.transactions.size).toBe(before);
  });

  it("throws outage while Paddle has not approved our page's domain", async () => {
    const provider = fake.providerWith({ checkoutUrl: "https://new.example.com/billing/paddle" });
    await expect(provider.createCheckout(request)).rejects.toMatchObject({
      kind: "outage",
      message: expect.stringContaining("domain_is_not_approved") as string,
    });
  });
});

describe("paddlePayments.checkoutResult", () => {
  it("is unpaid before the purchase, and names the subscription afterwards", async () => {
    const { reference } = await fake.provider.createCheckout(request);
    expect(await fake.provider.checkoutResult(reference)).toEqual({ status: "unpaid" });
    const { subscriptionId } = fake.complete(reference);
    expect(await fake.provider.checkoutResult(reference)).toEqual({ status: "paid", subscriptionId });
  });

  it("is processing while a paid transaction has no subscription yet", async () => {
    const { reference } = await fake.provider.createCheckout(request);
    fake.capture(reference);
    expect(await fake.provider.checkoutResult(reference)).toEqual({ status: "processing" });
    const { subscriptionId } = fake.complete(reference);
    expect(await fake.provider.checkoutResult(reference)).toEqual({ status: "paid", subscriptionId });
  });

  it.each([unknownId("txn"), "txn_1", "../prices"])("throws not_found for %s", async (reference) => {
    await expect(fake.provider.checkoutResult(reference)).rejects.toMatchObject({ kind: "not_found" });
    await expect(fake.provider.expireCheckout(reference)).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("paddlePayments.expireCheckout", () => {
  let reference: string;
  beforeEach(async () => ({ reference } = await fake.provider.createCheckout(request)));
  const status = () => fake.state.transactions.get(reference)?.status;

  it("cancels the transaction once", async () => {
    fake.fillIn(reference);
    await fake.provider.expireCheckout(reference);
    expect(status()).toBe("canceled");
    await fake.provider.expireCheckout(reference);
    expect(status()).toBe("canceled");
  });

  it("accepts a paid transaction, and a draft, which Paddle cannot cancel", async () => {
    await fake.provider.expireCheckout(reference);
    expect(status()).toBe("draft");
    fake.complete(reference);
    await fake.provider.expireCheckout(reference);
    expect(status()).toBe("completed");
  });

  it.each([
    ["refused", "transaction_cannot_be_canceled_today"],
    ["outage", "transaction_immutable_while_processing_payment"],
  ])("throws %s if Paddle refuses to cancel a transaction that can still be paid: %s", async (kind, code) => {
    fake.fillIn(reference);
    const error = { type: "request_error", code, detail: "No." };
    fake.fail(`PATCH /transactions/${reference}`, { status: 400, body: { error } });
    await expect(fake.provider.expireCheckout(reference)).rejects.toMatchObject({ kind });
  });
});
