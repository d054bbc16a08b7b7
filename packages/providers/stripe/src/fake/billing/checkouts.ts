import { nextId } from "../events.ts";
import { type Fields, invalid, missing, nested, required } from "../requests.ts";
import type { FakeSession } from "./objects.ts";
import { type BillingState, secondsOf } from "./state.ts";

export function createSession(state: BillingState, fields: Fields): object {
  const [priceParam, quantityParam] = ["line_items[0][price]", "line_items[0][quantity]"] as const;
  required(fields, "mode", "success_url", priceParam, quantityParam);
  const { customer = null, customer_email = null, success_url = "", cancel_url = null } = fields;
  const price = state.prices.get(fields[priceParam] ?? "");
  if (price === undefined) throw missing("price", fields[priceParam] ?? "", priceParam, 400);
  if (!price.active) throw invalid(400, "The price specified is inactive.", { param: priceParam });
  if (fields["mode"] === "subscription" && price.type !== "recurring")
    throw invalid(400, "You must provide at least one recurring price in `subscription` mode.", {
      param: "mode",
    });
  if (customer !== null && customer_email !== null)
    throw invalid(400, "You may only specify one of these parameters: customer, customer_email.");
  if (customer !== null && !state.customers.has(customer))
    throw missing("customer", customer, "customer", 400);
  const id = nextId("cs_test");
  const now = secondsOf(state);
  const session: FakeSession = {
    id,
    object: "checkout.session",
    cancel_url,
    client_reference_id: fields["client_reference_id"] ?? null,
    created: now,
    customer,
    customer_email,
    expires_at: now + 24 * 60 * 60,
    livemode: false,
    metadata: nested(fields, "metadata"),
    mode: "subscription",
    payment_status: "unpaid",
    status: "open",
    subscription: null,
    success_url,
    url: `https://checkout.stripe.com/c/pay/${id}`,
  };
  state.sessions.set(id, {
    ...session,
    buys: { price, metadata: nested(fields, "subscription_data[metadata]") },
  });
  return session;
}

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

export function expireSession(state: BillingState, _fields: Fields, id: string): object {
  const session = sessionOf(state, id);
  if (session.status !== "open")
    throw invalid(
      400,
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
    );
  return shownSession(Object.assign(session, { status: "expired", url: null }));
}
