import type { PaymentProvider } from "@purser/billing/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LemonSqueezyFake, startLemonSqueezyFake } from "./fake/index.ts";
import { type LemonSqueezyState, fixedPrice, newLemonSqueezyState } from "./fake/state.ts";

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
  const { stores, products, variants } = newLemonSqueezyState(clock);
  catalog = Object.assign(fake.state, { stores, products, variants });
});

describe("lemonsqueezyPayments.plans", () => {
  it("lists the store's products by name, with their variants by interval and price", async () => {
    const variant = { currency: "EUR", interval_count: 1 };
    expect(await provider.plans()).toEqual([
      {
        id: "101",
        name: "Solo",
        description: null,
        storeId: "4841",
        variants: [{ ...variant, id: "1001", price: 900, interval: "month" }],
      },
      {
        id: "102",
        name: "Team",
        description: "For teams",
        storeId: "4841",
        variants: [
          { ...variant, id: "1004", price: 2900, interval: "month" },
          { ...variant, id: "1003", price: 29_000, interval: "year" },
        ],
      },
    ]);
  });

  it("says what is free at first, and what is due once", async () => {
    const [solo] = catalog.variants;
    const trial = { trial_interval_unit: "day", trial_interval_quantity: 14 } as const;
    Object.assign(solo!.price, { ...trial, setup_fee_enabled: true, setup_fee: 1500 });
    const [plan] = await provider.plans();
    expect(plan?.variants).toEqual([
      {
        id: "1001",
        price: 900,
        currency: "EUR",
        interval: "month",
        interval_count: 1,
        trial: { interval: "day", interval_count: 14 },
        setupFee: 1500,
      },
    ]);
    Object.assign(solo!.price, { trial_interval_unit: null, setup_fee_enabled: false });
    const [plain] = await provider.plans();
    expect(plain?.variants[0]).not.toHaveProperty("trial");
    expect(plain?.variants[0]).not.toHaveProperty("setupFee");
  });

  it("reads all pages", async () => {
    for (let n = 1; n <= 100; n += 1) {
      const [id, product_id] = [2000 + n, 200 + n];
      catalog.products.push({
        id: product_id,
        store_id: 4841,
        name: `Z${n}`,
        description: "",
        status: "published",
      });
      catalog.variants.push({ id, product_id, name: "", status: "pending", price: fixedPrice(n, "day") });
    }
    const plans = await provider.plans();
    expect(plans).toHaveLength(102);
    expect(plans.every(({ variants }) => variants.length > 0)).toBe(true);
  });
});
