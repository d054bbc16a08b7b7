import { nextId } from "../events.ts";
import { type FormFields, invalidRequest, missing, nested, required } from "../requests.ts";
import type { FakeSession } from "./objects.ts";
import { type BillingState, secondsOf } from "./state.ts";

export function createSession(state: BillingState, fields: FormFields): object {
  const [priceParam, quantityParam] = ["line_items[0][price]", "line_items[0][quantity]"] as const;
  required(fields, "mode", "success_url", priceParam, quantityParam);
  const { customer = null, customer_email = null, success_url = "", cancel_url = null } = fields;
  const price = state.prices.get(fields[priceParam] ?? "");
  if (price === undefined) throw missing("price", fields[priceParam] ?? "", priceParam, 400);
  if (!price.active) throw invalidRequest(400, "The price specified is inactive.", { param: priceParam });
  if (fields["mode"] === "subscription" && price.type !== "recurring")
    throw invalidRequest(400, "You must provide at least one recurring price in `subscription` mode.", {
      param: "mode",
    });
  if (customer !== null && customer_email !== null)
    throw invalidRequest(400, "You may only specify one of these parameters: customer, customer_email.");
  if (customer !== null && !state.customers.has(customer))
    throw missing("customer", customer, "customer", 400);
  const tax = automaticTaxOf(fields, customer);
  const id = nextId("cs_test");
  const now = secondsOf(state);
  const session: FakeSession = {
    ...nothing,
    ...tax,
    id,
    cancel_url,
    client_reference_id: fields["client_reference_id"] ?? null,
    created: now,
    currency: price.currency,
    customer,
    customer_email,
    expires_at: now + 24 * 60 * 60,
    metadata: nested(fields, "metadata"),
    success_url,
    url: `https://checkout.stripe.com/c/pay/${id}`,
  };
  state.sessions.set(id, {
    ...session,
    buys: { price, metadata: nested(fields, "subscription_data[metadata]") },
  });
  return session;
}

/** Refuses what would leave the tax of an existing customer unknown. */
function automaticTaxOf(fields: FormFields, customer: string | null): Partial<FakeSession> {
  const isOn = (name: string) => fields[`${name}[enabled]`] === "true";
  const { address, name } = nested(fields, "customer_update");
  if (customer === null && (address ?? name) !== undefined)
    throw invalidRequest(400, "`customer_update` can only be used with `customer`.");
  if (customer !== null && isOn("automatic_tax") && address !== "auto")
    throw invalidRequest(
      400,
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
    );
  if (customer !== null && isOn("tax_id_collection") && name !== "auto")
    throw invalidRequest(
      400,
      "Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.",
    );
  return {
    automatic_tax: { ...nothing.automatic_tax, enabled: isOn("automatic_tax") },
    tax_id_collection: { enabled: isOn("tax_id_collection"), required: "never" },
  };
}

/** The default fields of an open session. */
const nothing = {
  object: "checkout.session",
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  amount_subtotal: null,
  amount_total: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer_account: null,
  customer_creation: "always",
  customer_details: null,
  discounts: null,
  integration_identifier: null,
  invoice: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  managed_payments: null,
  mode: "subscription",
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: "always",
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ["card"],
  payment_status: "unpaid",
  permissions: null,
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: "open",
  submit_type: null,
  subscription: null,
  total_details: null,
  ui_mode: "hosted_page",
  wallet_options: null,
} satisfies Partial<FakeSession>;

/** Finds a session. Expires it first if its time is over. */
export function sessionOf(state: BillingState, id: string) {
  const session = state.sessions.get(id);
  if (session === undefined) throw missing("checkout.session", id, "session");
  const isOver = session.status === "open" && session.expires_at <= secondsOf(state);
  if (isOver) Object.assign(session, { status: "expired", url: null });
  return session;
}

/** The session as the API shows it. */
export function shownSession({ buys: _buys, ...session }: ReturnType<typeof sessionOf>): FakeSession {
  return session;
}

export function expireSession(state: BillingState, _fields: FormFields, id: string): object {
  const session = sessionOf(state, id);
  if (session.status !== "open")
    throw invalidRequest(
      400,
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  return shownSession(Object.assign(session, { status: "expired", url: null }));
}
