import { hash } from "node:crypto";
import { addToDay, utcDay } from "@purser/core";
import type { TenantKey, Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { accountPlansOf } from "./accounts.ts";
import { generateActivity } from "./background-activity.ts";
import { daysAfter } from "./days.ts";
import { type SandboxInstitution, findInstitution } from "./institutions.ts";
import { CustomerLedger, withoutRemoved } from "./ledger.ts";
import {
  type CustomerRow,
  appendEntries,
  insertCustomer,
  listSandboxBalances,
  listSettling,
  lockCustomer,
} from "./store/ledger.ts";

/** Creates a customer of an institution for a team if there is none. Returns its key. */
export async function openCustomer(
  transaction: Transaction,
  { organizationId, institution, name, now }: NewCustomer,
): Promise<TenantKey> {
  const id = hash("sha256", `${institution.id}\n${name}`, "base64url").slice(0, 22);
  const opening = accountPlansOf(institution).map((plan) => ({
    account: plan.account,
    booked: plan.opening,
  }));
  const customer = { organizationId, id, institutionId: institution.id, name, openedOn: utcDay(now) };
  await insertCustomer(transaction, customer, opening);
  return { organizationId, id };
}

interface NewCustomer {
  organizationId: string;
  institution: SandboxInstitution;
  name: string;
  now: Date;
}

/** Generates a customer's activity up to now, and returns the customer. Writes nothing if it is up to date. */
export async function advanceLedger(
  { db, clock }: Pick<Platform, "db" | "clock">,
  customer: CustomerRow,
): Promise<CustomerRow> {
  const today = utcDay(clock.now());
  if (customer.advancedTo !== null && customer.advancedTo >= today) return customer;
  return db.transaction((transaction) => bringLockedUpToDate(transaction, customer, today));
}

/** Updates the activity in a transaction that then writes entries. The ledger is locked until the transaction ends. */
async function bringLockedUpToDate(
  transaction: Transaction,
  key: TenantKey,
  today: string,
): Promise<CustomerRow> {
  const customer = await lockCustomer(transaction, key);
  const { advancedTo, lastNumber } = customer;
  if (advancedTo !== null && advancedTo >= today) return customer;
  const institution = findInstitution(customer.institutionId);
  const begin = advancedTo ?? addToDay(customer.openedOn, -institution.historyDays);
  const ledger = new CustomerLedger(lastNumber, await listSandboxBalances(transaction, key));
  const settling = await listSettling(transaction, key, begin);
  generateActivity(
    { institution, name: customer.name },
    accountPlansOf(institution),
    ledger,
    settling,
    daysAfter(begin, today),
  );
  // Before the first read, drop transactions that were already removed: no reader has seen them.
  const entries = advancedTo === null ? withoutRemoved(ledger.entries) : ledger.entries;
  const position = { advancedTo: today, lastNumber: lastNumber + entries.length };
  await appendEntries(transaction, key, entries, ledger.balances, position);
  return { ...customer, ...position };
}

/** Brings a customer's activity up to date, then writes entries to the ledger. */
export async function writeToLedger<Result>(
  transaction: Transaction,
  key: TenantKey,
  today: string,
  write: (ledger: CustomerLedger) => Promise<Result> | Result,
): Promise<Result> {
  const { advancedTo, lastNumber } = await bringLockedUpToDate(transaction, key, today);
  const ledger = new CustomerLedger(lastNumber, await listSandboxBalances(transaction, key));
  const result = await write(ledger);
  const position = { advancedTo, lastNumber: ledger.lastNumber };
  await appendEntries(transaction, key, ledger.entries, ledger.balances, position);
  return result;
}
