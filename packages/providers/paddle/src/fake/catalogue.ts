import { type Call, known, valuesOf } from "./call.ts";
import type { FakeState } from "./state.ts";

export function listProducts({ products, prices }: FakeState, { query }: Call): object[] {
  const statuses = valuesOf(query, "status") ?? ["active"];
  const types = valuesOf(query, "type");
  const found = [...products.values()].filter(
    ({ status, type }) => statuses.includes(status) && (types?.includes(type) ?? true),
  );
  if (!query.get("include")?.includes("prices")) return found;
  const of = Map.groupBy(prices.values(), (price) => price.product_id);
  return found.map((product) => ({ ...product, prices: of.get(product.id) ?? [] }));
}

export function getPrice({ prices, products }: FakeState, { id, query }: Call): object {
  const price = known(prices, id);
  const isIncluded = query.get("include")?.includes("product");
  return isIncluded ? { ...price, product: known(products, price.product_id) } : price;
}
