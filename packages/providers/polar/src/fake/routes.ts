import { randomUUID } from "node:crypto";
import type { models } from "@polar-sh/sdk/2026-10";
import { z } from "zod";
import { checkoutOf } from "./checkouts.ts";
import { endFakeSubscription, scheduleFakeCancellation, withdrawFakeCancellation } from "./lifecycle.ts";
import { type PolarState, addCustomer } from "./state.ts";

/** An error response in Polar's form. */
export class PolarRefusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, error: string, detail: unknown) {
    super(error);
    this.status = status;
    this.body = { error, detail };
  }
}

export interface PolarRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

type Handler = (state: PolarState, request: PolarRequest, id: string) => object;

const uuid = "([0-9a-f-]{36})";
const routes: [call: RegExp, handler: Handler][] = [
  [/^GET \/v1\/products\/$/, listProducts],
  [new RegExp(`^GET /v1/products/${uuid}$`), ({ products }, _request, id) => found(products, id)],
  [/^POST \/v1\/customers\/$/, createCustomer],
  [/^GET \/v1\/customers\/external\/([^/]+)$/, findCustomer],
  [new RegExp(`^GET /v1/customers/${uuid}/members$`), listMembers],
  [new RegExp(`^PATCH /v1/customers/[^/]+/members/${uuid}$`), updateMember],
  [/^POST \/v1\/customer-sessions\/$/, createSession],
  [/^POST \/v1\/checkouts\/$/, createCheckout],
  [new RegExp(`^GET /v1/checkouts/${uuid}$`), ({ checkouts }, _request, id) => found(checkouts, id)],
  [/^GET \/v1\/subscriptions\/$/, listFakeSubscriptions],
  [
    new RegExp(`^GET /v1/subscriptions/${uuid}$`),
    ({ subscriptions }, _request, id) => found(subscriptions, id),
  ],
  [new RegExp(`^PATCH /v1/subscriptions/${uuid}$`), updateFakeSubscription],
];

/** Handles a request to the part of Polar's API that the adapter uses. Throws {@link PolarRefusal}. */
export function respondAsPolar(state: PolarState, request: PolarRequest): object {
  for (const [call, handler] of routes) {
    const match = call.exec(`${request.method} ${request.path}`);
    if (match !== null) return handler(state, request, decodeURIComponent(match[1] ?? ""));
  }
  throw new PolarRefusal(404, "NotFound", "Not Found");
}

function found<T extends { id: string }>(resources: readonly T[], id: string): T {
  const resource = resources.find((one) => one.id === id);
  if (resource === undefined) throw new PolarRefusal(404, "ResourceNotFound", "Not found");
  return resource;
}

function invalid(loc: (string | number)[], msg: string, input: unknown): PolarRefusal {
  return new PolarRefusal(422, "PolarRequestValidationError", [{ type: "value_error", loc, msg, input }]);
}

function parsed<T>(schema: z.ZodType<T>, { body }: PolarRequest): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const detail = read.error.issues.map(({ path, message }) => ({
    type: "value_error",
    loc: ["body", ...path.map(String)],
    msg: message,
    input: body,
  }));
  throw new PolarRefusal(422, "RequestValidationError", detail);
}

/** Returns one page of a list, with at most 100 items. */
function paged<T>(items: readonly T[], query: URLSearchParams) {
  const limit = Math.min(100, Number(query.get("limit") ?? 10));
  const start = (Number(query.get("page") ?? 1) - 1) * limit;
  const pagination = { total_count: items.length, max_page: Math.ceil(items.length / limit) };
  return { items: items.slice(start, start + limit), pagination };
}

function listProducts({ products }: PolarState, { query }: PolarRequest): object {
  const is = (name: string, value: boolean) => !query.has(name) || query.get(name) === String(value);
  const visible = query.getAll("visibility");
  const listed = products.filter(
    ({ is_archived: isArchived, is_recurring: isRecurring, visibility }) =>
      is("is_archived", isArchived) &&
      is("is_recurring", isRecurring) &&
      (visible.length === 0 || visible.includes(visibility)),
  );
  return paged(listed, query);
}

const Metadata = z.record(z.string().max(40), z.string().max(500));
const CustomerCreate = z.object({
  type: z.literal("team"),
  name: z.string().max(256),
  external_id: z.string(),
  owner: z.object({ email: z.email() }),
  metadata: Metadata,
});

function createCustomer(state: PolarState, request: PolarRequest): object {
  const { owner, ...fields } = parsed(CustomerCreate, request);
  const { external_id: externalId } = fields;
  if (state.customers.some((customer) => customer.external_id === externalId))
    throw invalid(["body", "external_id"], "A customer with this external ID already exists.", externalId);
  return addCustomer(state, { ...fields, email: null }, owner.email);
}

function findCustomer({ customers }: PolarState, _request: PolarRequest, externalId: string): object {
  return found(customers, customers.find(({ external_id: id }) => id === externalId)?.id ?? "");
}

function listMembers({ customers, members }: PolarState, { query }: PolarRequest, id: string): object {
  const { id: customerId } = found(customers, id);
  const role = query.get("role");
  const listed = members.filter(
    (one) => one.customer_id === customerId && (role === null || one.role === role),
  );
  return paged(listed, query);
}

const MemberUpdate = z.object({ email: z.email() });

function updateMember({ members }: PolarState, request: PolarRequest, id: string): object {
  return Object.assign(found(members, id), parsed(MemberUpdate, request));
}

const SessionCreate = z.object({
  customer_id: z.uuid(),
  member_id: z.uuid().optional(),
  return_url: z.url(),
});

function createSession({ customers, members, clock }: PolarState, request: PolarRequest): object {
  const { customer_id, member_id, return_url } = parsed(SessionCreate, request);
  const customer = customers.find(({ id }) => id === customer_id);
  if (customer === undefined) throw invalid(["body", "customer_id"], "Customer does not exist.", customer_id);
  const owned = members.filter((one) => one.customer_id === customer_id);
  if (customer.type === "team" && owned.length > 0 && member_id === undefined)
    throw invalid(["body", "member_id"], "member_id is required for team customers.", null);
  if (member_id !== undefined && owned.every(({ id }) => id !== member_id))
    throw invalid(["body", "member_id"], "Member does not exist for this customer.", member_id);
  const token = `polar_mst_${randomUUID()}`;
  const now = clock.now();
  const session: models.CustomerSession = {
    id: randomUUID(),
    created_at: now.toISOString(),
    modified_at: null,
    expires_at: new Date(now.getTime() + 60 * 60 * 1000).toISOString(),
    token,
    return_url,
    customer_portal_url: `https://sandbox.polar.sh/purser/portal?member_session_token=${token}`,
    customer_id,
    customer,
  };
  return session;
}

const CheckoutCreate = z.object({
  products: z.array(z.uuid()).min(1),
  currency: z.string().regex(/^[a-z]{3}$/),
  customer_id: z.uuid().nullish(),
  external_customer_id: z.string().nullish(),
  customer_email: z.email(),
  customer_name: z.string().max(256),
  metadata: Metadata,
  success_url: z.url(),
  return_url: z.url(),
  allow_trial: z.boolean().optional(),
});

function createCheckout(state: PolarState, request: PolarRequest): models.Checkout {
  const { products, currency, customer_id, external_customer_id, ...fields } = parsed(
    CheckoutCreate,
    request,
  );
  const field = ["body", "products", 0];
  const product = state.products.find(({ id }) => id === products[0]);
  if (product === undefined || product.visibility === "draft")
    throw invalid(field, "Product does not exist.", products[0]);
  if (product.is_archived) throw invalid(field, "Product is archived.", products[0]);
  const price = product.prices.find(({ price_currency: offered }) => offered === currency);
  if (price === undefined)
    throw invalid(field, "Product is not available in the specified currency.", products[0]);
  const customer = state.customers.find((one) =>
    customer_id ? one.id === customer_id : one.external_id === external_customer_id,
  );
  // An external id may be a new one.
  if (customer === undefined && customer_id)
    throw invalid(["body", "customer_id"], "Customer does not exist.", customer_id);
  const checkout = checkoutOf({ product, price, currency }, state.clock.now(), {
    ...fields,
    customer_id: customer?.id ?? null,
    external_customer_id: external_customer_id ?? null,
  });
  state.checkouts.push(checkout);
  return checkout;
}

function listFakeSubscriptions({ subscriptions }: PolarState, { query }: PolarRequest): object {
  const customer = query.get("customer_id");
  const after = query.get("started_after") ?? "";
  const listed = subscriptions.filter(
    (one) => (customer === null || one.customer_id === customer) && (one.started_at ?? "") > after,
  );
  return paged(listed, query);
}

const SubscriptionCancel = z.union([
  z.strictObject({ cancel_at_period_end: z.boolean() }),
  z.strictObject({ revoke: z.literal(true) }),
]);
const billable = new Set<models.SubscriptionStatus>(["active", "trialing", "past_due"]);

function updateFakeSubscription(state: PolarState, request: PolarRequest, id: string): object {
  const subscription = found(state.subscriptions, id);
  const update = parsed(SubscriptionCancel, request);
  const { cancel_at_period_end: isSet, status, ended_at: ended } = subscription;
  const isBillable = billable.has(status) && ended === null;
  if ("revoke" in update) {
    if (!isBillable && (status !== "paused" || ended !== null)) throw alreadyCanceled();
    endFakeSubscription(state, id);
    return subscription;
  }
  const { cancel_at_period_end: isCanceling } = update;
  if (isCanceling && (!isBillable || isSet)) throw alreadyCanceled();
  if (!isCanceling && ended !== null) throw new PolarRefusal(410, "ResourceUnavailable", "Unavailable");
  if (!isCanceling && !isSet)
    throw new PolarRefusal(
      409,
      "SubscriptionNotScheduledToCancel",
      "This subscription is not to be canceled.",
    );
  if (isCanceling) scheduleFakeCancellation(state, id);
  else withdrawFakeCancellation(state, id);
  return subscription;
}

function alreadyCanceled(): PolarRefusal {
  return new PolarRefusal(
    403,
    "AlreadyCanceledSubscription",
    "This subscription is already canceled or will be at the end of the period.",
  );
}
