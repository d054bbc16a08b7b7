import { z } from "zod";
import {
  type LemonSqueezyResource,
  checkoutResource,
  priceResource,
  productResource,
  storeResource,
  subscriptionResource,
  variantResource,
} from "./resources.ts";
import { type LemonSqueezyState, type FakeLemonSqueezySubscription, newCheckout } from "./state.ts";
import { cancelFakeLemonSqueezySubscription, resumeFakeLemonSqueezySubscription } from "./subscriptions.ts";

/** An error response of Lemon Squeezy. */
export class LemonSqueezyRefusal extends Error {
  readonly status: number;
  readonly pointer: string | undefined;

  constructor(status: number, detail: string, pointer?: string) {
    super(detail);
    this.status = status;
    this.pointer = pointer;
  }
}

export interface LemonSqueezyRequest {
  /** A method and path. */
  call: string;
  query: URLSearchParams;
  body: unknown;
}

export function respondAsLemonSqueezy(
  state: LemonSqueezyState,
  { call, query, body }: LemonSqueezyRequest,
): { status: number; body: object } {
  const [, method = "", type = "", id] = /^([A-Z]+) \/v1\/([a-z-]+)(?:\/([\w-]+))?$/.exec(call) ?? [];
  switch (`${method} ${type}${id === undefined ? "" : "/:id"}`) {
    case "GET stores/:id":
      return one(storeResource(found(state.stores, id)));
    case "GET products":
      return listProducts(state, query);
    case "GET variants":
      return listVariants(state, query);
    case "POST checkouts":
      return createCheckout(state, body);
    case "GET subscriptions":
      return listSubscriptions(state, query);
    case "GET subscriptions/:id":
      return retrieveSubscription(state, found(state.subscriptions, id), query);
    case "DELETE subscriptions/:id":
      cancelFakeLemonSqueezySubscription(state, found(state.subscriptions, id));
      return one(subscriptionResource(state, found(state.subscriptions, id)));
    case "PATCH subscriptions/:id":
      return updateSubscription(state, found(state.subscriptions, id), body);
    default:
      throw new LemonSqueezyRefusal(404, `The route ${call.slice(method.length + 2)} could not be found.`);
  }
}

function listProducts(state: LemonSqueezyState, query: URLSearchParams) {
  allow(query, ["filter[store_id]"], []);
  const products = state.products.filter(matching(query, "store_id"));
  return paged(products.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(productResource), query);
}

function listVariants(state: LemonSqueezyState, query: URLSearchParams) {
  const include = allow(query, ["filter[product_id]", "filter[status]"], ["product", "price-model", "files"]);
  const variants = state.variants.filter(matching(query, "product_id")).filter(matching(query, "status"));
  return paged(variants.map(variantResource), query, (page) => {
    const here = variants.filter(({ id }) => page.some((shown) => shown.id === String(id)));
    const products = state.products.filter(({ id }) => here.some(({ product_id }) => product_id === id));
    return [
      ...(include.includes("product") ? products.map(productResource) : []),
      ...(include.includes("price-model") ? here.map(priceResource) : []),
    ];
  });
}

function listSubscriptions(state: LemonSqueezyState, query: URLSearchParams) {
  allow(query, ["filter[store_id]", "filter[user_email]"], []);
  const subscriptions = state.subscriptions
    .filter(matching(query, "store_id"))
    .filter(({ email }) => matching(query, "user_email")({ user_email: email }))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id);
  return paged(
    subscriptions.map((subscription) => subscriptionResource(state, subscription)),
    query,
  );
}

function retrieveSubscription(
  state: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
  query: URLSearchParams,
) {
  const include = allow(query, [], ["variant"]);
  const { status, body } = one(subscriptionResource(state, subscription));
  const variants = state.variants.filter(({ id }) => id === subscription.variantId);
  return {
    status,
    body: { ...body, ...(include.length > 0 && { included: variants.map(variantResource) }) },
  };
}

const Update = z.object({
  data: z.object({
    type: z.literal("subscriptions"),
    id: z.string(),
    attributes: z.strictObject({ cancelled: z.boolean() }),
  }),
});

function updateSubscription(
  state: LemonSqueezyState,
  subscription: FakeLemonSqueezySubscription,
  body: unknown,
) {
  const { data } = valid(Update, body);
  if (data.id !== String(subscription.id)) throw new LemonSqueezyRefusal(409, "The id differs.", "/data/id");
  if (data.attributes.cancelled) cancelFakeLemonSqueezySubscription(state, subscription);
  else if (subscription.status === "expired")
    throw new LemonSqueezyRefusal(422, "The subscription has expired.");
  else resumeFakeLemonSqueezySubscription(state, subscription);
  return one(subscriptionResource(state, subscription));
}

const relation = (type: string) => z.object({ data: z.object({ type: z.literal(type), id: z.string() }) });
const NewCheckout = z.object({
  data: z.object({
    type: z.literal("checkouts"),
    attributes: z.strictObject({
      product_options: z.object({ redirect_url: z.url(), enabled_variants: z.array(z.int()) }),
      checkout_options: z.strictObject({ skip_trial: z.boolean() }).optional(),
      checkout_data: z.object({
        email: z.email(),
        name: z.string(),
        custom: z.record(z.string(), z.string()),
      }),
      expires_at: z.iso.datetime().nullable(),
    }),
    relationships: z.object({ store: relation("stores"), variant: relation("variants") }),
  }),
});

function createCheckout(state: LemonSqueezyState, body: unknown) {
  const { attributes, relationships } = valid(NewCheckout, body).data;
  const store = state.stores.find(({ id }) => String(id) === relationships.store.data.id);
  const variant = state.variants.find(({ id }) => String(id) === relationships.variant.data.id);
  const missing = store === undefined ? "store" : "variant";
  if (store === undefined || variant === undefined)
    throw new LemonSqueezyRefusal(
      404,
      "The related resource does not exist.",
      `/data/relationships/${missing}`,
    );
  const { email, name, custom } = attributes.checkout_data;
  const productOptions = attributes.product_options;
  const expiresAt = attributes.expires_at === null ? null : new Date(attributes.expires_at);
  const createdAt = state.clock.now();
  const checkout = newCheckout({
    variantId: variant.id,
    expiresAt,
    email,
    name,
    custom,
    productOptions,
    createdAt,
  });
  state.checkouts.set(checkout.id, checkout);
  return { ...one(checkoutResource(checkout)), status: 201 };
}

const jsonapi = { version: "1.0" };

function one(data: LemonSqueezyResource) {
  return { status: 200, body: { jsonapi, links: data.links, data } };
}

function paged(
  all: LemonSqueezyResource[],
  query: URLSearchParams,
  included?: (page: LemonSqueezyResource[]) => LemonSqueezyResource[],
) {
  const number = Number(query.get("page[number]") ?? 1);
  const size = Number(query.get("page[size]") ?? 10);
  if (!(number >= 1) || !(size >= 1 && size <= 100))
    throw new LemonSqueezyRefusal(400, "The page must be valid.");
  const from = (number - 1) * size;
  const data = all.slice(from, from + size);
  const lastPage = Math.max(1, Math.ceil(all.length / size));
  const page = {
    currentPage: number,
    from: from + 1,
    lastPage,
    perPage: size,
    to: from + data.length,
    total: all.length,
  };
  const link = (to: number) => `https://api.lemonsqueezy.com/v1/list?page[number]=${to}&page[size]=${size}`;
  const links = { first: link(1), last: link(lastPage) };
  const body = { meta: { page }, jsonapi, links, data };
  return { status: 200, body: { ...body, ...(included && { included: included(data) }) } };
}

/** Refuses unknown relationships. Returns the resources to include. */
function allow(query: URLSearchParams, filters: string[], includes: string[]): string[] {
  const known = new Set([...filters, "page[number]", "page[size]", "include"]);
  const include = (query.get("include") ?? "").split(",").filter((name) => name !== "");
  const isKnown =
    [...query.keys()].every((key) => known.has(key)) && include.every((name) => includes.includes(name));
  if (!isKnown) throw new LemonSqueezyRefusal(400, "The query is not allowed by this endpoint.");
  return include;
}

function matching<K extends string>(query: URLSearchParams, key: K) {
  const wanted = query.get(`filter[${key}]`);
  return (resource: Record<K, number | string>) => wanted === null || String(resource[key]) === wanted;
}

function found<T extends { id: number }>(all: readonly T[], id: string | undefined): T {
  const resource = all.find((candidate) => String(candidate.id) === id);
  if (resource === undefined) throw new LemonSqueezyRefusal(404, "The requested resource does not exist.");
  return resource;
}

function valid<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body);
  const path = error?.issues[0]?.path.join("/");
  if (error) throw new LemonSqueezyRefusal(422, `The ${path} field is invalid.`, `/${path}`);
  return data;
}
