import type { Clock } from "@purser/core";
import type { CheckoutRequest } from "@purser/billing/ports";
import { startPaddleFake } from "./index.ts";

/** A stand-in for Paddle, and teams that buy at it. */
export async function openShop(clock: Clock) {
  const fake = await startPaddleFake({ clock });
  const [plan] = await fake.provider.plans();
  let teams = 0;
  return {
    fake,
    plan: plan!,
    /** What a new team, with a new buyer, asks for. */
    async wish(): Promise<CheckoutRequest & { customerId: string }> {
      teams += 1;
      const customer = { organizationId: `org_${teams}`, name: "Acme", email: `ada${teams}@example.com` };
      return {
        ...customer,
        checkoutId: `chk_${teams}`,
        customerId: (await fake.provider.createCustomer(customer))!,
        planId: plan!.id,
        variantId: plan!.variants[0]!.id,
        returnUrl: `https://purser.example.com/billing/checkouts/chk_${teams}/return`,
      };
    },
    /** The id of the subscription that has come of it. */
    async buy(request: CheckoutRequest): Promise<string> {
      const { reference } = await fake.provider.createCheckout(request);
      return fake.complete(reference).subscriptionId;
    },
    /** What an act asks Paddle for, such as "GET /subscriptions/:id". */
    async asked(act: () => Promise<unknown>): Promise<string[]> {
      const before = fake.requests;
      await act();
      return fake.recorded.slice(before).map(({ call }) => call.replace(/\w+_0\w+/, ":id"));
    },
  };
}

/** An id of Paddle's form that is nobody's. */
export function unknownId(prefix: string): string {
  return `${prefix}_${"z".repeat(26)}`;
}
