import { type Call, known } from "./call.ts";
import { newTransaction } from "./entities.ts";
import { Refusal, invalid } from "./refusal.ts";
import type { FakeState } from "./state.ts";

export function createTransaction(state: FakeState, { body }: Call): object {
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
      const words = `One or more provided price_ids could not be found, provided: ${price_id}`;
      throw new Refusal(400, "transaction_price_not_found", words);
    }
    const { minimum, maximum } = price.quantity;
    if (quantity < minimum || quantity > maximum)
      throw new Refusal(400, "transaction_item_quantity_out_of_range", "The quantity is out of range");
    return { price, quantity };
  });
  if (customer_id !== null && known(state.customers, customer_id).status !== "active")
    throw invalid("customer_id");
  const page = new URL(checkout?.url ?? "https://pay.example.com/default");
  if (!state.approvedDomains.has(page.hostname)) {
    const words = "The value you passed for `checkout.url` does not contain a domain that has been approved";
    throw new Refusal(400, "transaction_checkout_url_domain_is_not_approved", words);
  }
  const id = state.newId("txn");
  page.searchParams.set("_ptxn", id);
  const purchase = { customer_id, custom_data, checkout: { url: page.href }, items: bought };
  const transaction = newTransaction(id, purchase, state.now());
  state.transactions.set(id, transaction);
  state.happen("transaction.created", transaction);
  return transaction;
}

export function updateTransaction(state: FakeState, { id, body }: Call): object {
  const transaction = known(state.transactions, id);
  const { status } = transaction;
  if (body["status"] !== "canceled") throw invalid("status");
  if (status === "draft") {
    const words = "Invalid attempt to change status from 'draft' to 'canceled'";
    throw new Refusal(400, "transaction_invalid_status_change", words);
  }
  if (status !== "ready" && status !== "billed")
    throw new Refusal(400, "transaction_immutable", "Cannot update immutable transaction");
  Object.assign(transaction, { status: "canceled", updated_at: state.now() });
  state.happen("transaction.canceled", transaction);
  return transaction;
}
