import type { Plan } from "@purser/billing/ports";
import { type ApiCall, listAll } from "./client.ts";
import { Price, Product, plansOf } from "./mapping.ts";

/** Everything on sale: the active products with a fixed recurring price, newest first as Stripe lists them. */
export async function listPlans(ask: ApiCall): Promise<Plan[]> {
  const [products, prices] = await Promise.all([
    listAll(ask, "products.list", Product, (stripe, page, options) =>
      stripe.products.list({ active: true, ...page }, options),
    ),
    listAll(ask, "prices.list", Price, (stripe, page, options) =>
      stripe.prices.list({ active: true, type: "recurring", ...page }, options),
    ),
  ]);
  return plansOf(products, prices);
}
