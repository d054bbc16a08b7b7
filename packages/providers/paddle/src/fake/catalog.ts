import { type PaddleRequest, requireEntity, valuesOf } from "./call.ts";
import type { PaddleState } from "./state.ts";

export function listProducts({ products, prices }: PaddleState, { query }: PaddleRequest): object[] {
  const statuses = valuesOf(query, "status") ?? ["active"];
  const types = valuesOf(query, "type");
  const found = [...products.values()].filter(
    ({ status, type }) => statuses.includes(status) && (types?.includes(type!) ?? true),
  );
  if (!query.get("include")?.includes("prices")) return found;
  const of = Map.groupBy(prices.values(), (price) => price.product_id);
  return found.map((product) => ({ ...product, prices: of.get(product.id) ?? [] }));
}

export function getPrice({ prices, products }: PaddleState, { id, query }: PaddleRequest): object {
  const price = requireEntity(prices, id);
  const isIncluded = query.get("include")?.includes("product");
  return isIncluded ? { ...price, product: requireEntity(products, price.product_id) } : price;
}
