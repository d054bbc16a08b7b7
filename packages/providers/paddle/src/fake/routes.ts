import { type Call, type Fields, known } from "./call.ts";
import { getPrice, listProducts } from "./catalogue.ts";
import { createCustomer, listCustomers, openPortal, updateCustomer } from "./customers.ts";
import { Refusal, invalid } from "./refusal.ts";
import type { FakeState } from "./state.ts";
import { cancelSubscription, listSubscriptions, updateSubscription } from "./subscriptions.ts";
import { createTransaction, updateTransaction } from "./transactions.ts";

interface Route {
  /** The optional and the required fields of the body. */
  optional?: readonly string[];
  required?: readonly string[];
  /** The allowed query parameters. */
  query?: readonly string[];
  /** The status of the response, if not 200. */
  status?: number;
  answer: (state: FakeState, call: Call) => object;
}

const paging = ["after", "order_by", "per_page"];

/** The part of Paddle's API that the adapter uses. Lists are returned in pages. */
const routes: Readonly<Record<string, Route>> = {
  "GET /products": { query: ["id", "include", "status", "type", ...paging], answer: listProducts },
  "GET /prices/:id": { query: ["include"], answer: getPrice },
  "GET /customers": { query: ["email", "id", "search", "status", ...paging], answer: listCustomers },
  "POST /customers": {
    required: ["email"],
    optional: ["name", "custom_data", "locale"],
    status: 201,
    answer: createCustomer,
  },
  "PATCH /customers/:id": {
    optional: ["name", "email", "status", "custom_data", "locale"],
    answer: updateCustomer,
  },
  "POST /customers/:id/portal-sessions": { optional: ["subscription_ids"], status: 201, answer: openPortal },
  "POST /transactions": {
    required: ["items"],
    optional: ["customer_id", "custom_data", "checkout"],
    query: ["include"],
    status: 201,
    answer: createTransaction,
  },
  "GET /transactions/:id": {
    query: ["include"],
    answer: ({ transactions }, { id }) => known(transactions, id),
  },
  "PATCH /transactions/:id": { optional: ["status"], query: ["include"], answer: updateTransaction },
  "GET /subscriptions": {
    query: ["customer_id", "id", "price_id", "status", ...paging],
    answer: listSubscriptions,
  },
  "GET /subscriptions/:id": {
    query: ["include"],
    answer: ({ subscriptions }, { id }) => known(subscriptions, id),
  },
  "PATCH /subscriptions/:id": { optional: ["scheduled_change"], answer: updateSubscription },
  "POST /subscriptions/:id/cancel": { optional: ["effective_from"], answer: cancelSubscription },
};

/** Handles a call. Returns the status and the data. */
export function respond(
  state: FakeState,
  method: string,
  { path, query, body }: { path: string; query: URLSearchParams; body: Fields },
): { status: number; data: object } {
  const [, id = ""] = /\/((?:ctm|pri|sub|txn)_[a-z\d]{26})(?:\/|$)/.exec(path) ?? [];
  const route = routes[`${method} ${id === "" ? path : path.replace(id, ":id")}`];
  if (route === undefined) throw new Refusal(404, "invalid_url", "The URL called is invalid");
  const { required = [], optional = [] } = route;
  const missing = required.filter((field) => body[field] === undefined);
  const excess = Object.keys(body).filter((field) => !required.includes(field) && !optional.includes(field));
  const unknown = [...query.keys()].filter((name) => !route.query?.includes(name));
  if (missing.length + excess.length + unknown.length > 0) throw invalid(...missing, ...excess, ...unknown);
  return { status: route.status ?? 200, data: route.answer(state, { id, query, body }) };
}
