import type { Plan } from "@purser/billing/ports";
import { type ApiCall, listAll } from "./client.ts";
import { Product, plansOf } from "./mapping.ts";

/** Everything on sale: the active products with a recurring price, newest first as Paddle lists them. */
export async function listPlans(ask: ApiCall): Promise<Plan[]> {
  const products = await listAll(ask, "products.list", Product, (paddle, page) =>
    paddle.products.list({ include: ["prices"], status: ["active"], type: ["standard"], ...page }),
  );
  return plansOf(products);
}
