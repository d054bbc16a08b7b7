import type { CheckoutRequest } from "@purser/billing/ports";
import type { Clock } from "@purser/core";
import { startPaddleFake } from "./index.ts";

/** A fake Paddle with organizations that buy subscriptions. */
export async function openShop(clock: Clock) {
  const fake = await startPaddleFake({ clock });
  const [plan] = await fake.provider.plans();
  let teams = 0;
  return {
    fake,
    plan: plan!,
    /** The checkout request of a new organization with a new buyer. */
    async newRequest(): Promise<CheckoutRequest & { customerId: string }> {
      teams += 1;
      const customer = {
        organizationId: `org_${teams}`,
        name: "Acme",
        email: `ada${teams}@example.com`,
        checkoutId: `chk_${teams}`,
      };
      return {
        ...customer,
        customerId: (await fake.provider.createCustomer(customer))!,
        planId: plan!.id,
        variantId: plan!.variants[0]!.id,
        returnUrl: `https://purser.example.com/billing/checkouts/chk_${teams}/return`,
      };
    },
    /** Buys a subscription and returns its id. */
    async buy(request: CheckoutRequest): Promise<string> {
      const { reference } = await fake.provider.createCheckout(request);
      return fake.complete(reference).subscriptionId;
    },
    /** Returns the requests that an action sends to Paddle, such as "GET /subscriptions/:id". */
    async requestsDuring(act: () => Promise<unknown>): Promise<string[]> {
      const before = fake.requests;
      await act();
      return fake.recorded.slice(before).map(({ call }) => call.replace(/\w+_0\w+/, ":id"));
    },
  };
}

/** An unused id in Paddle's form. */
export function unknownId(prefix: string): string {
  return `${prefix}_${"z".repeat(26)}`;
}
