import type { CheckoutRequest, PaymentProvider } from "@purser/billing/ports";
import { day, hour, testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type LemonSqueezyFake, startLemonSqueezyFake } from "./fake/index.ts";
import { type LemonSqueezyState, newLemonSqueezyState } from "./fake/state.ts";

const clock = testClock();
let fake: LemonSqueezyFake;
let provider: PaymentProvider;
beforeAll(async () => {
  fake = await startLemonSqueezyFake({ clock });
  ({ provider } = fake);
});
afterAll(async () => fake.stop());

let catalog: Pick<LemonSqueezyState, "stores" | "products" | "variants">;
beforeEach(() => {
  clock.set("2026-03-02T09:00:00.000Z");
  const { stores, products, variants } = newLemonSqueezyState(clock);
  catalog = Object.assign(fake.state, { stores, products, variants });
});

function request(change: Partial<CheckoutRequest> = {}): CheckoutRequest {
  return {
    checkoutId: "chk_1",
    organizationId: "org_1",
    name: "Acme",
    email: "ada@example.com",
    customerId: null,
    planId: "102",
    variantId: "1004",
    returnUrl: "https://app.example.com/billing?from=checkout",
    ...change,
  };
}

async function subscribed(): Promise<string> {
  const { reference } = await provider.createCheckout(request());
  return fake.complete(reference).subscriptionId;
}

const calls = (call: string) => fake.received.filter((one) => one.call === call);

describe("lemonsqueezyPayments", () => {
  it("declares what Lemon Squeezy cannot do, and refuses it", async () => {
    expect(provider.capabilities).toEqual({
      portal: true,
      resume: true,
      expiresCheckouts: false,
      resolvesCheckouts: false,
    });
    await expect(provider.expireCheckout("1")).rejects.toMatchObject({ kind: "refused" });
    await expect(provider.checkoutResult("1")).rejects.toMatchObject({ kind: "refused" });
  });

  it.each([
    ["700001", true],
    ["0700001", false],
    ["sub_1", false],
    ["1/../2", false],
    ["", false],
    ["1234567890123456", false],
  ])("by its form, takes %j for a subscription id: %s", (id, expected) => {
    expect(provider.recognizes(id)).toBe(expected);
  });
});

describe("lemonsqueezyPayments.createCustomer", () => {
  it("creates no customer before the purchase", async () => {
    expect(await provider.createCustomer(request())).toBeNull();
  });
});

describe("lemonsqueezyPayments.createCheckout", () => {
  it("offers no trial to an organization that has had a subscription", async () => {
    for (const isTrialUsed of [false, true]) await provider.createCheckout({ ...request(), isTrialUsed });
    const [first, second] = calls("POST /v1/checkouts").slice(-2);
    expect(first?.body).not.toHaveProperty("data.attributes.checkout_options");
    expect(second?.body).toMatchObject({ data: { attributes: { checkout_options: { skip_trial: true } } } });
  });

  it("creates a checkout for this variant only, with the organization, for one hour", async () => {
    const checkout = await provider.createCheckout(request());
    expect(checkout).toEqual({
      reference: expect.stringMatching(/^[\da-f-]{36}$/),
      url: `https://purser.lemonsqueezy.com/checkout/custom/${checkout.reference}?signature=5ca1ab1e`,
      expiresAt: new Date(clock.now().getTime() + hour),
    });
    expect(calls("POST /v1/checkouts").at(-1)?.body).toEqual({
      data: {
        type: "checkouts",
        attributes: {
          product_options: { redirect_url: request().returnUrl, enabled_variants: [1004] },
          checkout_data: {
            email: "ada@example.com",
            name: "Acme",
            custom: { purser_organization: "org_1", purser_checkout: "chk_1" },
          },
          expires_at: "2026-03-02T10:00:00.000Z",
        },
        relationships: {
          store: { data: { type: "stores", id: "4841" } },
          variant: { data: { type: "variants", id: "1004" } },
        },
      },
    });
  });

  it.each<[string, Partial<CheckoutRequest>]>([
    ["an unknown product", { planId: "999" }],
    ["an unknown variant", { variantId: "9999" }],
    ["a variant of another product", { variantId: "1001" }],
    ["another store's product", { planId: "103", variantId: "1005" }],
    ["a hidden variant", { variantId: "1002" }],
    ["an invalid product id", { planId: "102&x=1" }],
    ["an invalid variant id", { variantId: "1004/1" }],
  ])("throws not_found for %s", async (_what, change) => {
    const before = calls("POST /v1/checkouts").length;
    await expect(provider.createCheckout(request(change))).rejects.toMatchObject({ kind: "not_found" });
    expect(calls("POST /v1/checkouts")).toHaveLength(before);
  });

  it("throws not_found for a variant that was taken off sale since it was listed", async () => {
    await provider.createCheckout(request());
    catalog.products[1]!.status = "draft";
    await expect(provider.createCheckout(request())).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("lemonsqueezyPayments.subscription", () => {
  it("returns the state of a subscription", async () => {
    const id = await subscribed();
    clock.advance(hour);
    fake.renew(id);
    expect(await provider.subscription(id)).toEqual({
      id,
      customerId: expect.stringMatching(/^3\d{5}$/),
      organizationId: null,
      status: "ACTIVE",
      rawStatus: "active",
      planId: "102",
      variantId: "1004",
      currentPeriodStart: new Date("2026-04-02T09:00:00.000Z"),
      currentPeriodEnd: new Date("2026-05-02T09:00:00.000Z"),
      isPeriodEstimated: false,
      isPeriodStartEstimated: true,
      isPeriodPaid: true,
      isTrial: false,
      canceledAt: null,
      isCanceledAtEstimated: true,
      cancelAtPeriodEnd: false,
      cancelAt: null,
    });
  });

  it("returns null for an unknown subscription, one of another store, or an invalid id", async () => {
    const id = await subscribed();
    expect(await provider.subscription("999999")).toBeNull();
    expect(await fake.providerWith({ storeId: "4842" }).subscription(id)).toBeNull();
    const { requests } = fake;
    expect(await provider.subscription("1/../2")).toBeNull();
    expect(fake.requests).toBe(requests);
  });
});

describe("lemonsqueezyPayments.cancel", () => {
  it("cancels at the end of the period, idempotently", async () => {
    const id = await subscribed();
    clock.advance(day);
    await provider.cancel(id);
    await provider.cancel(id);
    expect(calls(`DELETE /v1/subscriptions/${id}`)).toHaveLength(1);
    expect(await provider.subscription(id)).toMatchObject({
      status: "ACTIVE",
      rawStatus: "cancelled",
      cancelAtPeriodEnd: true,
      canceledAt: clock.now(),
      currentPeriodEnd: new Date("2026-04-02T09:00:00.000Z"),
    });
  });

  it("cancels even if the response is lost", async () => {
    const id = await subscribed();
    fake.fail(`DELETE /v1/subscriptions/${id}`, "lost");
    await expect(provider.cancel(id)).rejects.toMatchObject({ kind: "outage" });
    await provider.cancel(id);
    expect(await provider.subscription(id)).toMatchObject({ cancelAtPeriodEnd: true });
  });

  it("throws not_found for any other id", async () => {
    await expect(provider.cancel("999999")).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("lemonsqueezyPayments.resume", () => {
  it("withdraws a cancellation, idempotently", async () => {
    const id = await subscribed();
    fake.cancelAtPeriodEnd(id);
    await provider.resume(id);
    await provider.resume(id);
    expect(calls(`PATCH /v1/subscriptions/${id}`).map(({ body }) => body)).toEqual([
      { data: { type: "subscriptions", id, attributes: { cancelled: false } } },
    ]);
    expect(await provider.subscription(id)).toMatchObject({
      status: "ACTIVE",
      cancelAtPeriodEnd: false,
      canceledAt: null,
    });
  });
});

describe.each(["cancel", "resume"] as const)("lemonsqueezyPayments.%s, too late", (change) => {
  it("throws ended for an ended subscription", async () => {
    const id = await subscribed();
    fake.end(id);
    await expect(provider[change](id)).rejects.toMatchObject({ kind: "ended" });
  });

  it("throws ended from the instant of the end, even before Lemon Squeezy records it", async () => {
    const id = await subscribed();
    fake.cancelAtPeriodEnd(id);
    clock.set("2026-04-02T09:00:00.000Z");
    await expect(provider[change](id)).rejects.toMatchObject({ kind: "ended" });
  });
});

describe("lemonsqueezyPayments.createPortal", () => {
  const portal = (id: string, organizationSubscriptionIds = [id]) =>
    provider.createPortal({
      id,
      customerId: "300001",
      returnUrl: "https://app.example.com",
      organizationSubscriptionIds,
    });
  const buy = async (email: string) => {
    const { reference } = await provider.createCheckout(request({ email }));
    return fake.complete(reference).subscriptionId;
  };
  const signed = /^https:\/\/purser\.lemonsqueezy\.com\/billing\?expires=\d+&user=\d+&signature=\w+$/;

  it("returns the signed URL if the organization has all that the address bought", async () => {
    await buy("grace@example.com");
    const ids = [await buy("edith@example.com"), await buy("edith@example.com")];
    expect(await portal(ids[0]!, ids)).toMatch(signed);
  });

  it("returns an unsigned URL if the address bought something else in the store", async () => {
    const ids = [await buy("mary@example.com"), await buy("mary@example.com")];
    expect(await portal(ids[0]!)).toBe("https://purser.lemonsqueezy.com/billing");
    fake.end(ids[1]!);
    expect(await portal(ids[0]!)).toBe("https://purser.lemonsqueezy.com/billing");
  });

  it("reads all that the address bought", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 101; count += 1) ids.push(await buy("joan@example.com"));
    const [first, ...others] = ids;
    expect(await portal(others[0]!, others)).toBe("https://purser.lemonsqueezy.com/billing");
    expect(await portal(first!, ids)).toMatch(signed);
  });

  it("throws not_found for any other id", async () => {
    await expect(portal("999999")).rejects.toMatchObject({ kind: "not_found" });
  });
});

describe("lemonsqueezyPayments.subscriptionsSince", () => {
  /** One subscription per hour up to an instant, newest first. */
  async function everyHour(count: number, until: string) {
    clock.set(until);
    const one = Number(await subscribed());
    const example = fake.state.subscriptions.find(({ id }) => id === one)!;
    const hours = Array.from({ length: count }, (_, index) => index + 1);
    const before = (n: number) => new Date(clock.now().getTime() - n * hour);
    const made = hours.map((n) => ({ ...example, id: one + n, createdAt: before(n) }));
    fake.state.subscriptions.push(...made.toReversed());
    return [example, ...made].map(({ id }) => String(id));
  }

  it("lists subscriptions created since then from all pages, newest first", async () => {
    const newestFirst = await everyHour(250, "2027-01-01T00:00:00.000Z");
    const since = new Date(clock.now().getTime() - 150 * hour);
    const before = fake.requests;
    const timeout = vi.spyOn(AbortSignal, "timeout");
    const expected = newestFirst.slice(0, 151).map((id) => ({ subscriptionId: id, organizationId: null }));
    expect(await provider.subscriptionsSince(since)).toEqual(expected);
    // Each page has a timeout of its own.
    expect([fake.requests - before, timeout.mock.calls.length]).toEqual([2, 2]);
    timeout.mockRestore();
  });

  it("lists at most 1,000, and none of another store", async () => {
    const newestFirst = await everyHour(1010, "2028-01-01T00:00:00.000Z");
    const found = await provider.subscriptionsSince(new Date(0));
    expect(found.map(({ subscriptionId }) => subscriptionId)).toEqual(newestFirst.slice(0, 1000));
    expect(await fake.providerWith({ storeId: "4842" }).subscriptionsSince(new Date(0))).toEqual([]);
  });
});
