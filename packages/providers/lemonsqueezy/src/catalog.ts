import type { Plan, Variant } from "@purser/billing/ports";
import { Currency, billingIntervals } from "@purser/core";
import { z } from "zod";
import {
  IncludedResources,
  type LemonSqueezyCall,
  LemonSqueezyId,
  LemonSqueezyPage,
  isLemonSqueezyId,
  listLemonSqueezyPages,
} from "./client.ts";

const StoreResponse = z.object({ data: z.object({ attributes: z.object({ currency: Currency }) }) });

const Product = z.object({
  id: LemonSqueezyId,
  attributes: z.object({
    store_id: LemonSqueezyId,
    name: z.string(),
    description: z.string().nullish(),
    status: z.string(),
  }),
});
type Product = z.infer<typeof Product>;

const Products = LemonSqueezyPage.extend({ data: z.array(Product) });

const ListedVariant = z.object({
  id: LemonSqueezyId,
  attributes: z.object({ product_id: LemonSqueezyId, status: z.string() }),
});
type ListedVariant = z.infer<typeof ListedVariant>;

/** Variants, with their prices and on request their products included. */
const Variants = LemonSqueezyPage.extend({
  data: z.array(ListedVariant),
  included: IncludedResources.default([]),
});

/** A fixed amount per interval. Tiers, packages, usage and pay-what-you-want do not match. */
const FixedPrice = z.object({
  variant_id: LemonSqueezyId,
  category: z.literal("subscription"),
  scheme: z.literal("standard"),
  usage_aggregation: z.null().optional(),
  unit_price: z.int().nonnegative(),
  renewal_interval_unit: z.enum(billingIntervals),
  renewal_interval_quantity: z.int().positive(),
  trial_interval_unit: z.enum(billingIntervals).nullish().catch(null),
  trial_interval_quantity: z.int().positive().nullish().catch(null),
  setup_fee_enabled: z.boolean().nullish(),
  setup_fee: z.int().nonnegative().nullish(),
});

/** The listed resources of a catalog. */
interface Listing {
  products: readonly Product[];
  variants: readonly ListedVariant[];
  included: z.infer<typeof IncludedResources>;
}

/** Lists the plans that a store has on sale. */
export async function listLemonSqueezyPlans(call: LemonSqueezyCall, storeId: string): Promise<Plan[]> {
  const [store, products, { variants, included }] = await Promise.all([
    call("stores.retrieve", StoreResponse, (sdk) => sdk.getStore(storeId)),
    listProducts(call, storeId),
    // Variants can be listed by product or for the whole account, but not by store.
    listVariants(call, { include: ["price-model"] }),
  ]);
  return plansOf({ products, variants, included }, storeId, store.data.attributes.currency);
}

/** Whether a store has this variant of this product on sale. */
export async function isOnSale(
  call: LemonSqueezyCall,
  storeId: string,
  { planId: productId, variantId }: { planId: string; variantId: string },
): Promise<boolean> {
  if (!isLemonSqueezyId(productId) || !isLemonSqueezyId(variantId)) return false;
  const { variants, included } = await listVariants(call, {
    filter: { productId },
    include: ["product", "price-model"],
  });
  const products = included
    .filter(({ type }) => type === "products")
    .flatMap((product) => Product.safeParse(product).data ?? []);
  // The currency does not matter here.
  const plans = plansOf({ products, variants, included }, storeId, "USD");
  return plans.some((plan) => plan.id === productId && plan.variants.some(({ id }) => id === variantId));
}

async function listProducts(call: LemonSqueezyCall, storeId: string): Promise<Product[]> {
  const products: Product[] = [];
  const filter = { storeId };
  const pages = listLemonSqueezyPages(call, "products.list", Products, (sdk, page) =>
    sdk.listProducts({ filter, page }),
  );
  for await (const { data } of pages) products.push(...data);
  return products;
}

async function listVariants(
  call: LemonSqueezyCall,
  query: { filter?: { productId: string }; include: ("product" | "price-model")[] },
): Promise<Omit<Listing, "products">> {
  const variants: ListedVariant[] = [];
  const included: Listing["included"] = [];
  const pages = listLemonSqueezyPages(call, "variants.list", Variants, (sdk, page) =>
    sdk.listVariants({ ...query, page }),
  );
  for await (const page of pages) {
    variants.push(...page.data);
    included.push(...page.included);
  }
  return { variants, included };
}

/** Maps a listing to the plans on sale in a store. All prices of a store share its currency. */
function plansOf({ products, variants, included }: Listing, storeId: string, currency: string): Plan[] {
  const prices = included
    .filter(({ type }) => type === "prices")
    .flatMap(({ attributes }) => FixedPrice.safeParse(attributes).data ?? []);
  return products
    .filter(({ attributes: { store_id, status } }) => store_id === storeId && status === "published")
    .map((product) => {
      const siblings = variants.filter(({ attributes }) => attributes.product_id === product.id);
      const onSale = siblings.filter((variant) => isOffered(variant, siblings)).flatMap(priced);
      return planOf(product, storeId, onSale.toSorted(byIntervalAndPrice));
    })
    .filter((plan) => plan.variants.length > 0);

  function priced({ id }: ListedVariant): Variant[] {
    const price = prices.find(({ variant_id }) => variant_id === id);
    if (price === undefined) return [];
    const { unit_price, renewal_interval_unit: interval, renewal_interval_quantity: interval_count } = price;
    const { trial_interval_unit: unit, trial_interval_quantity: length } = price;
    const setupFee = price.setup_fee_enabled ? price.setup_fee : null;
    return [
      {
        id,
        // Lemon Squeezy's "cents" are the minor units of any currency.
        price: unit_price,
        currency,
        interval,
        interval_count,
        ...(unit && length && { trial: { interval: unit, interval_count: length } }),
        ...(setupFee && { setupFee }),
      },
    ];
  }
}

/** A product without variants has one pending variant. If there are other variants, the checkout does not offer it. */
function isOffered({ attributes: { status } }: ListedVariant, siblings: readonly ListedVariant[]): boolean {
  return status === "published" || (status === "pending" && siblings.length === 1);
}

function planOf({ id, attributes }: Product, storeId: string, variants: Variant[]): Plan {
  const { name, description } = attributes;
  return { id, name, description: plainText(description ?? ""), storeId, variants };
}

function byIntervalAndPrice(one: Variant, other: Variant): number {
  return (
    billingIntervals.indexOf(one.interval) - billingIntervals.indexOf(other.interval) ||
    one.interval_count - other.interval_count ||
    one.price - other.price
  );
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: " ",
};

/** Converts an HTML description to plain text. */
function plainText(html: string): string | null {
  const text = html
    .replaceAll(/<(?:br|\/p|\/li|\/h\d)\b[^<>]*>/gi, "\n")
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity, name: string) => entities[name] ?? entity)
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();
  return text === "" ? null : text;
}
