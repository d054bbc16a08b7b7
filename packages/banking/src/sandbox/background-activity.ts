import type { AccountPlan } from "./accounts.ts";
import { type Customer, movementsOn } from "./generator.ts";
import type { Entry, CustomerLedger } from "./ledger.ts";

/**
 * Generates a customer's activity for these days: posts what is due, then adds the day's new entries. The entries are
 * the same for the same days and ledger, however many calls generate them.
 *
 * `settling` are the pending transactions that a day will post.
 */
export function generateActivity(
  customer: Customer,
  plans: readonly AccountPlan[],
  ledger: CustomerLedger,
  settling: readonly Entry[],
  days: Iterable<string>,
): void {
  let waiting = [...settling];
  const accountByRole = new Map(plans.map(({ role, account }) => [role, account]));
  const booked = (role: AccountPlan["role"]) => ledger.balance(accountByRole.get(role)!).booked;
  for (const day of days) {
    const due = waiting.filter((entry) => entry.settlesOn! <= day);
    waiting = waiting.filter((entry) => entry.settlesOn! > day);
    for (const entry of due) ledger.post(entry, { date: entry.settlesOn! });
    // Generate the whole day before posting any of it, so both sides of a transfer see the same balance.
    const movements = plans.flatMap((plan) => movementsOn(customer, plan, day, booked));
    for (const movement of movements) {
      const status = movement.settlesOn === null ? "POSTED" : "PENDING";
      const entry = ledger.add({ ...movement, status, date: day });
      if (status === "PENDING") waiting.push(entry);
    }
  }
}
