import type { CheckoutRequest, CustomerRequest } from "@purser/billing/ports";
import type { PolarFake } from "./index.ts";

let teams = 0;

/** A new organization with its checkout. All of them have the same owner. */
export function newTeam(fields: Partial<CustomerRequest> = {}): CustomerRequest {
  teams += 1;
  const [organizationId, checkoutId] = [`org_${teams}`, `chk_${teams}`];
  return { organizationId, checkoutId, name: "Acme", email: "ada@example.com", ...fields };
}

export const returnUrl = "https://app.example.com/billing/checkouts/chk_1/return";

/** Creates a customer for the organization, and a checkout. */
export async function startPolarCheckout({ provider }: PolarFake, team = newTeam(), currency = "USD") {
  const customerId = await provider.createCustomer(team);
  const plan = (await provider.plans()).find(({ name }) => name === "Team");
  const variant = plan?.variants.find((one) => one.currency === currency);
  if (customerId === null || plan === undefined || variant === undefined)
    throw new Error("The catalog has no such offer");
  const offer = { planId: plan.id, variantId: variant.id, customerId };
  const request: CheckoutRequest = { ...team, ...offer, returnUrl };
  return { ...offer, request, ...(await provider.createCheckout(request)) };
}

/** Creates an organization with a paid subscription. */
export async function buySubscription(fake: PolarFake, team = newTeam()) {
  const checkout = await startPolarCheckout(fake, team);
  const { subscriptionId } = await fake.complete(checkout.reference);
  return { ...checkout, subscriptionId };
}
