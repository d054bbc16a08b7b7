import { nextId } from "../../fake/events.ts";
import { type Fields, invalid, missing, required, within } from "../../fake/requests.ts";
import { createSession, expireSession, sessionOf, shown } from "./checkouts.ts";
import { isLike, listed } from "./lists.ts";
import type { FakeCustomer } from "./objects.ts";
import { type FakeState, secondsOf } from "./state.ts";
import { listSubscriptions, subscriptionOf, updateSubscription } from "./subscriptions.ts";

interface Route {
  /** The names of the parameters that it takes. */
  takes: string;
  answer: (state: FakeState, fields: Fields, id: string) => object;
}

const paging = "limit starting_after";
const routes: Readonly<Record<string, Route>> = {
  "GET products": {
    takes: `active ${paging}`,
    answer: ({ products }, fields) => listed(products, fields, isLike(fields, ["active"])),
  },
  "GET prices": {
    takes: `active type ${paging}`,
    answer: ({ prices }, fields) => listed(prices, fields, isLike(fields, ["active", "type"])),
  },
  "GET prices/:id": { takes: "expand", answer: retrievePrice },
  "GET customers": {
    takes: `email ${paging}`,
    answer: ({ customers }, fields) => listed(customers, fields, isLike(fields, ["email"])),
  },
  "POST customers": { takes: "name email metadata", answer: createCustomer },
  "POST checkout/sessions": {
    takes:
      "mode customer customer_email client_reference_id line_items metadata subscription_data success_url cancel_url",
    answer: createSession,
  },
  "GET checkout/sessions/:id": { takes: "", answer: (state, _fields, id) => shown(sessionOf(state, id)) },
  "POST checkout/sessions/:id/expire": { takes: "", answer: expireSession },
  "POST billing_portal/sessions": { takes: "customer return_url", answer: createPortalSession },
  "GET subscriptions": { takes: `created status ${paging}`, answer: listSubscriptions },
  "GET subscriptions/:id": { takes: "", answer: (state, _fields, id) => subscriptionOf(state, id) },
  "POST subscriptions/:id": { takes: "cancel_at cancel_at_period_end", answer: updateSubscription },
};

export function respond(state: FakeState, call: string, fields: Fields): object {
  const [, id = ""] = /\/((?:price|cs|sub)_\w+)(?:\/|$)/.exec(call) ?? [];
  const pattern = id === "" ? call : call.replace(id, ":id");
  const route = routes[pattern.replace(" /v1/", " ")];
  if (route === undefined) throw invalid(404, `Unrecognized request URL (${call}).`);
  const unknown = Object.keys(fields).find(
    (name) => !route.takes.split(" ").includes(name.split("[")[0] ?? ""),
  );
  if (unknown !== undefined)
    throw invalid(400, `Received unknown parameter: ${unknown}`, {
      code: "parameter_unknown",
      param: unknown,
    });
  return route.answer(state, fields, id);
}

function retrievePrice({ prices, products }: FakeState, fields: Fields, id: string): object {
  const price = prices.get(id);
  if (price === undefined) throw missing("price", id, "price");
  const { product } = price;
  const isExpanded = Object.values(within(fields, "expand")).includes("product");
  return isExpanded ? { ...price, product: products.get(product) ?? { id: product, deleted: true } } : price;
}

function createCustomer(state: FakeState, fields: Fields): object {
  const { name = null, email = null } = fields;
  const id = nextId("cus");
  const plain = { id, object: "customer", livemode: false, created: secondsOf(state) } as const;
  const customer: FakeCustomer = { ...plain, name, email, metadata: within(fields, "metadata") };
  state.customers.set(id, customer);
  return customer;
}

function createPortalSession({ customers }: FakeState, fields: Fields): object {
  required(fields, "customer");
  const { customer = "", return_url = null } = fields;
  if (!customers.has(customer)) throw missing("customer", customer, "customer", 400);
  const id = nextId("bps");
  const url = `https://billing.stripe.com/p/session/${id}`;
  return { id, object: "billing_portal.session", customer, livemode: false, return_url, url };
}
