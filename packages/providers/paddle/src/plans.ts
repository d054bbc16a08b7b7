import type { Plan } from "@purser/billing/ports";
import { type PaddleCall, listPaddlePages } from "./client.ts";
import { PaddleProduct, paddlePlans } from "./mapping.ts";

/** Everything on sale: the active products with a recurring price, newest first as Paddle lists them. */
export async function listPaddlePlans(call: PaddleCall): Promise<Plan[]> {
  const products = await listPaddlePages(call, "products.list", PaddleProduct, (paddle, page) =>
    paddle.products.list({ include: ["prices"], status: ["active"], type: ["standard"], ...page }),
  );
  return paddlePlans(products);
}
