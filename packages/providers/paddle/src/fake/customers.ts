import { type PaddleRequest, requireEntity, valuesOf } from "./call.ts";
import { newCustomer } from "./entities.ts";
import { PaddleRefusal, invalidFields } from "./refusal.ts";
import type { PaddleState } from "./state.ts";

export function listCustomers({ customers }: PaddleState, { query }: PaddleRequest): object[] {
  const statuses = valuesOf(query, "status") ?? ["active"];
  const emails = valuesOf(query, "email");
  return [...customers.values()].filter(
    ({ status, email }) => statuses.includes(status) && (emails?.includes(email) ?? true),
  );
}

export function createCustomer(state: PaddleState, { body }: PaddleRequest): object {
  const email = String(body["email"]);
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw invalidFields("email");
  const taken = [...state.customers.values()].find((customer) => customer.email === email);
  if (taken !== undefined) {
    const detail = `customer email conflicts with customer of id ${taken.id}`;
    throw new PaddleRefusal(409, "customer_already_exists", detail);
  }
  const customer = { ...newCustomer(state.newId("ctm"), email, state.now()), ...body };
  state.customers.set(customer.id, customer);
  state.emit("customer.created", customer);
  return customer;
}

export function updateCustomer(state: PaddleState, { id, body }: PaddleRequest): object {
  const customer = Object.assign(requireEntity(state.customers, id), body, { updated_at: state.now() });
  state.emit("customer.updated", customer);
  return customer;
}

export function createFakePortalSession(state: PaddleState, { id, body }: PaddleRequest): object {
  const customer = requireEntity(state.customers, id);
  const ids = (body["subscription_ids"] ?? []) as string[];
  const foreign = ids.some((one) => state.subscriptions.get(one)?.customer_id !== id);
  if (foreign || customer.status !== "active") throw invalidFields("subscription_ids");
  const portal = "https://sandbox-customer-portal.paddle.com/cpl_01";
  const link = (action: string, token = "pga_eyJhbGciOiJIUzI1NiJ9") =>
    `${portal}?action=${action}&token=${token}`;
  return {
    id: state.newId("cpls"),
    customer_id: id,
    urls: {
      general: { overview: link("overview") },
      subscriptions: ids.map((one) => ({
        id: one,
        cancel_subscription: link("cancel_subscription"),
        update_subscription_payment_method: link("update_subscription_payment_method"),
      })),
    },
    created_at: state.now(),
  };
}
