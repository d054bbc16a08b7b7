import type { Plan, Variant } from "@purser/billing/ports";
import { billingIntervals, isCurrency } from "@purser/core";
import { z } from "zod";
import { type PaddleCall, PaddleId, listPaddlePages } from "./client.ts";

const Period = z.object({ interval: z.string(), frequency: z.int().positive() });

export const PaddlePrice = z.object({
  id: PaddleId,
  status: z.string(),
  /** A custom price exists for one transaction only. */
  type: z.string(),
  billingCycle: Period.nullable(),
  trialPeriod: Period.nullish(),
  unitPrice: z.object({ amount: z.string(), currencyCode: z.string() }),
  quantity: z.object({ minimum: z.int() }),
});

const PaddleProduct = z.object({
  id: PaddleId,
  status: z.string(),
  type: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  prices: z.array(PaddlePrice).nullable(),
});

/** Lists the active products with a recurring price, newest first, as Paddle does. */
export async function listPaddlePlans(call: PaddleCall): Promise<Plan[]> {
  const products = await listPaddlePages(call, "products.list", PaddleProduct, (paddle, page) =>
    paddle.products.list({ include: ["prices"], status: ["active"], type: ["standard"], ...page }),
  );
  return paddlePlans(products);
}

/** Maps products to plans, in Paddle's order. Variants are sorted by interval and price. */
export function paddlePlans(products: z.infer<typeof PaddleProduct>[]): Plan[] {
  return products
    .filter(isOffered)
    .map(({ id, name, description, prices }) => ({
      id,
      name,
      description: description || null,
      storeId: null,
      variants: (prices ?? [])
        .map(paddleVariant)
        .filter((variant) => variant !== null)
        .toSorted(byIntervalAndPrice),
    }))
    .filter((plan) => plan.variants.length > 0);
}

/** Whether a product or a price belongs to the catalog. */
export function isOffered({ status, type }: { status: string; type: string }): boolean {
  return status === "active" && type === "standard";
}

/**
 * Maps a price to a variant. Returns null when it is not on sale, not recurring, or requires a quantity above one.
 * Paddle's amounts are whole minor units, as text. A price's overrides per country are ignored.
 */
export function paddleVariant(price: z.infer<typeof PaddlePrice>): Variant | null {
  const { id, unitPrice, quantity } = price;
  const [cycle, trial] = [intervalOf(price.billingCycle), intervalOf(price.trialPeriod)];
  const { amount, currencyCode: currency } = unitPrice;
  const isPlain = /^\d+$/.test(amount) && Number.isSafeInteger(Number(amount)) && isCurrency(currency);
  if (!isOffered(price) || cycle === null || !isPlain) return null;
  if (quantity.minimum > 1) return null;
  return { id, price: Number(amount), currency, ...cycle, ...(trial && { trial }) };
}

function intervalOf(period: z.infer<typeof Period> | null | undefined) {
  const interval = billingIntervals.find((known) => known === period?.interval);
  return period && interval ? { interval, interval_count: period.frequency } : null;
}

function byIntervalAndPrice(one: Variant, other: Variant): number {
  return (
    billingIntervals.indexOf(one.interval) - billingIntervals.indexOf(other.interval) ||
    one.interval_count - other.interval_count ||
    one.price - other.price
  );
}
