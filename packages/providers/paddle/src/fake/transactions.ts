import { type PaddleRequest, requireEntity } from "./call.ts";
import { newTransaction } from "./entities.ts";
import { PaddleRefusal, invalidFields } from "./refusal.ts";
import type { PaddleState } from "./state.ts";

export function createTransaction(state: PaddleState, { body }: PaddleRequest): object {
  const {
    items,
    customer_id = null,
    custom_data = null,
    checkout,
  } = body as {
    items: { price_id: string; quantity: number }[];
    customer_id?: string;
    custom_data?: object;
    checkout?: { url: string };
  };
  const bought = items.map(({ price_id, quantity }) => {
    const price = state.prices.get(price_id);
    if (price?.status !== "active") {
      const detail = `One or more provided price_ids could not be found, provided: ${price_id}`;
      throw new PaddleRefusal(400, "transaction_price_not_found", detail);
    }
    const { minimum, maximum } = price.quantity;
    if (quantity < minimum || quantity > maximum)
      throw new PaddleRefusal(400, "transaction_item_quantity_out_of_range", "The quantity is out of range");
    return { price, quantity };
  });
  if (customer_id !== null && requireEntity(state.customers, customer_id).status !== "active")
    throw invalidFields("customer_id");
  const page = new URL(checkout?.url ?? "https://pay.example.com/default");
  if (!state.approvedDomains.has(page.hostname)) {
    const detail = "The value you passed for `checkout.url` does not contain a domain that has been approved";
    throw new PaddleRefusal(400, "transaction_checkout_url_domain_is_not_approved", detail);
  }
  const id = state.newId("txn");
  page.searchParams.set("_ptxn", id);
  const purchase = { customer_id, custom_data, checkout: { url: page.href }, items: bought };
  const transaction = newTransaction(id, purchase, state.now());
  state.transactions.set(id, transaction);
  state.emit("transaction.created", transaction);
  return transaction;
}

export function updateTransaction(state: PaddleState, { id, body }: PaddleRequest): object {
  const transaction = requireEntity(state.transactions, id);
  const { status } = transaction;
  if (body["status"] !== "canceled") throw invalidFields("status");
  if (status === "draft") {
    const detail = "Invalid attempt to change status from 'draft' to 'canceled'";
    throw new PaddleRefusal(400, "transaction_invalid_status_change", detail);
  }
  if (status !== "ready" && status !== "billed")
    throw new PaddleRefusal(400, "transaction_immutable", "Cannot update immutable transaction");
  Object.assign(transaction, { status: "canceled", updated_at: state.now() });
  state.emit("transaction.canceled", transaction);
  return transaction;
}
