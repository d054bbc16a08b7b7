import { type PaddleRequest, type PaddleFields, requireEntity } from "./call.ts";
import { getPrice, listProducts } from "./catalog.ts";
import { createCustomer, listCustomers, createFakePortalSession, updateCustomer } from "./customers.ts";
import { PaddleRefusal, invalidFields } from "./refusal.ts";
import type { PaddleState } from "./state.ts";
import {
  cancelFakePaddleSubscription,
  listFakePaddleSubscriptions,
  pauseFakePaddleSubscription,
  resumeFakePaddleSubscription,
  updateFakePaddleSubscription,
} from "./subscriptions.ts";
import { createTransaction, updateTransaction } from "./transactions.ts";

interface Route {
  /** The optional and the required fields of the body. */
  optional?: readonly string[];
  required?: readonly string[];
  /** The allowed query parameters. */
  query?: readonly string[];
  /** The status of the response, if not 200. */
  status?: number;
  respond: (state: PaddleState, call: PaddleRequest) => object;
}

const paging = ["after", "order_by", "per_page"];

/** The part of Paddle's API that the adapter uses. Lists are returned in pages. */
const routes: Readonly<Record<string, Route>> = {
  "GET /products": { query: ["id", "include", "status", "type", ...paging], respond: listProducts },
  "GET /prices/:id": { query: ["include"], respond: getPrice },
  "GET /customers": { query: ["email", "id", "search", "status", ...paging], respond: listCustomers },
  "POST /customers": {
    required: ["email"],
    optional: ["name", "custom_data", "locale"],
    status: 201,
    respond: createCustomer,
  },
  "PATCH /customers/:id": {
    optional: ["name", "email", "status", "custom_data", "locale"],
    respond: updateCustomer,
  },
  "POST /customers/:id/portal-sessions": {
    optional: ["subscription_ids"],
    status: 201,
    respond: createFakePortalSession,
  },
  "POST /transactions": {
    required: ["items"],
    optional: ["customer_id", "custom_data", "checkout"],
    query: ["include"],
    status: 201,
    respond: createTransaction,
  },
  "GET /transactions/:id": {
    query: ["include"],
    respond: ({ transactions }, { id }) => requireEntity(transactions, id),
  },
  "PATCH /transactions/:id": { optional: ["status"], query: ["include"], respond: updateTransaction },
  "GET /subscriptions": {
    query: ["customer_id", "id", "price_id", "status", ...paging],
    respond: listFakePaddleSubscriptions,
  },
  "GET /subscriptions/:id": {
    query: ["include"],
    respond: ({ subscriptions }, { id }) => requireEntity(subscriptions, id),
  },
  "PATCH /subscriptions/:id": { optional: ["scheduled_change"], respond: updateFakePaddleSubscription },
  "POST /subscriptions/:id/pause": {
    optional: ["effective_from", "resume_at", "on_resume"],
    respond: pauseFakePaddleSubscription,
  },
  "POST /subscriptions/:id/resume": {
    required: ["effective_from"],
    optional: ["on_resume"],
    respond: resumeFakePaddleSubscription,
  },
  "POST /subscriptions/:id/cancel": { optional: ["effective_from"], respond: cancelFakePaddleSubscription },
};

/** Handles a call. Returns the status and the data. */
export function respondAsPaddle(
  state: PaddleState,
  method: string,
  { path, query, body }: { path: string; query: URLSearchParams; body: PaddleFields },
): { status: number; data: object } {
  const [, id = ""] = /\/((?:ctm|pri|sub|txn)_[a-z\d]{26})(?:\/|$)/.exec(path) ?? [];
  const route = routes[`${method} ${id === "" ? path : path.replace(id, ":id")}`];
  if (route === undefined) throw new PaddleRefusal(404, "invalid_url", "The URL called is invalid");
  const { required = [], optional = [] } = route;
  const missing = required.filter((field) => body[field] === undefined);
  const excess = Object.keys(body).filter((field) => !required.includes(field) && !optional.includes(field));
  const unknown = [...query.keys()].filter((name) => !route.query?.includes(name));
  if (missing.length + excess.length + unknown.length > 0)
    throw invalidFields(...missing, ...excess, ...unknown);
  return { status: route.status ?? 200, data: route.respond(state, { id, query, body }) };
}
