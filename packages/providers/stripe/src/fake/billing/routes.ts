import type { Stripe } from "stripe";
import { nextId } from "../events.ts";
import { type FormFields, invalidRequest, missing, nested, required } from "../requests.ts";
import { createSession, expireSession, sessionOf, shownSession } from "./checkouts.ts";
import { endSubscription } from "./lifecycle.ts";
import { listPage, matchesFilters } from "./lists.ts";
import { type FakeCustomer, type FakeSubscription, fakeCustomer } from "./objects.ts";
import { releaseSchedule } from "./schedules.ts";
import { type BillingState, secondsOf } from "./state.ts";
import {
  listSubscriptions,
  retrieveSubscription,
  subscriptionOf,
  updateSubscription,
} from "./subscriptions.ts";

interface Route {
  /** The names of its parameters. */
  params: string;
  respond: (state: BillingState, fields: FormFields, id: string) => object;
}

const paging = "limit starting_after";
const routes: Readonly<Record<string, Route>> = {
  "GET products": {
    params: `active ${paging}`,
    respond: ({ products }, fields) => listPage(products, fields, matchesFilters(fields, ["active"])),
  },
  "GET prices": {
    params: `active type ${paging}`,
    respond: ({ prices }, fields) => listPage(prices, fields, matchesFilters(fields, ["active", "type"])),
  },
  "GET prices/:id": { params: "expand", respond: retrievePrice },
  "GET customers": {
    params: `email ${paging}`,
    respond: ({ customers }, fields) => listPage(customers, fields, matchesFilters(fields, ["email"])),
  },
  "POST customers": { params: "name email metadata", respond: createCustomer },
  "GET customers/:id": { params: "", respond: (state, _fields, id) => customerOf(state, id) },
  "POST customers/:id": {
    params: "email",
    respond: (state, { email = null }, id) => Object.assign(customerOf(state, id), { email }),
  },
  "POST checkout/sessions": {
    params:
      "mode customer customer_email client_reference_id line_items metadata subscription_data success_url cancel_url automatic_tax tax_id_collection customer_update",
    respond: createSession,
  },
  "GET checkout/sessions/:id": {
    params: "",
    respond: (state, _fields, id) => shownSession(sessionOf(state, id)),
  },
  "POST checkout/sessions/:id/expire": { params: "", respond: expireSession },
  "POST billing_portal/sessions": { params: "customer return_url", respond: createPortalSession },
  "GET subscriptions": { params: `customer created status ${paging}`, respond: listSubscriptions },
  "GET subscriptions/:id": { params: "expand", respond: retrieveSubscription },
  "POST subscriptions/:id": { params: "cancel_at cancel_at_period_end", respond: updateSubscription },
  "DELETE subscriptions/:id": { params: "", respond: cancelFakeSubscription },
  "POST subscription_schedules/:id/release": { params: "", respond: releaseSchedule },
};

export function respondBilling(state: BillingState, call: string, fields: FormFields): object {
  const [, id = ""] = /\/((?:price|cus|cs|sub)_\w+)(?:\/|$)/.exec(call) ?? [];
  const pattern = id === "" ? call : call.replace(id, ":id");
  const route = routes[pattern.replace(" /v1/", " ")];
  if (route === undefined) throw invalidRequest(404, `Unrecognized request URL (${call}).`);
  const unknown = Object.keys(fields).find(
    (name) => !route.params.split(" ").includes(name.split("[")[0] ?? ""),
  );
  if (unknown !== undefined)
    throw invalidRequest(400, `Received unknown parameter: ${unknown}`, {
      code: "parameter_unknown",
      param: unknown,
    });
  return route.respond(state, fields, id);
}

function retrievePrice({ prices, products }: BillingState, fields: FormFields, id: string): object {
  const price = prices.get(id);
  if (price === undefined) throw missing("price", id, "price");
  const { product } = price;
  const isExpanded = Object.values(nested(fields, "expand")).includes("product");
  return isExpanded
    ? { ...price, product: products.get(product) ?? { id: product, object: "product", deleted: true } }
    : price;
}

function cancelFakeSubscription(state: BillingState, _fields: FormFields, id: string): FakeSubscription {
  endSubscription(state, id);
  return subscriptionOf(state, id);
}

function createCustomer(state: BillingState, fields: FormFields): object {
  const { name = null, email = null } = fields;
  const id = nextId("cus");
  const customer = fakeCustomer({
    id,
    name,
    email,
    created: secondsOf(state),
    metadata: nested(fields, "metadata"),
  });
  state.customers.set(id, customer);
  return customer;
}

function customerOf({ customers }: BillingState, id: string): FakeCustomer {
  const customer = customers.get(id);
  if (customer === undefined) throw missing("customer", id);
  return customer;
}

function createPortalSession(state: BillingState, fields: FormFields): Stripe.BillingPortal.Session {
  required(fields, "customer");
  const { customer = "", return_url = null } = fields;
  if (!state.customers.has(customer)) throw missing("customer", customer, "customer", 400);
  const id = nextId("bps");
  return {
    id,
    object: "billing_portal.session",
    configuration: "bpc_1",
    created: secondsOf(state),
    customer,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url,
    url: `https://billing.stripe.com/p/session/${id}`,
  };
}
