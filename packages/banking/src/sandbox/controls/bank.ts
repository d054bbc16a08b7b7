import { utcDay } from "@purser/core";
import type { TenantKey, Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { type ExternalIds, externalIdsOf } from "../external-ids.ts";
import type { SandboxBankFault } from "../faults.ts";
import { writeToLedger } from "../ledger-updates.ts";
import type { Entry, CustomerLedger, TransactionState } from "../ledger.ts";
import {
  type FoundConsent,
  deleteFaults,
  findSandboxConsent,
  putFault,
  updateSandboxConsent,
} from "../store/consents.ts";
import { findTransaction } from "../store/ledger.ts";
import { type SandboxBankEventType, enqueueSandboxEvent } from "../webhooks.ts";

type ControlParts = Pick<Platform, "clock" | "outbox">;

/** The customer to change, and the transaction to change it in. */
export interface BankTarget {
  transaction: Transaction;
  organizationId: string;
  /** The consent that the caller's account and transaction ids belong to. */
  consentId: string;
  /** Whether the bank sends a webhook. */
  notify: boolean;
}

/** Adds a transaction. The account may have any of these ids. Returns the new id; null if the account is unknown. */
export async function addBankTransaction(
  parts: ControlParts,
  target: BankTarget,
  accountIds: readonly string[],
  state: Omit<TransactionState, "account" | "settlesOn" | "date"> & { date: Date | undefined },
): Promise<string | null> {
  return write(parts, target, (ledger, ids, today) => {
    const account = accountIds.map((id) => ids.accountOf(id)).find((known) => known !== null);
    if (account === undefined) return null;
    const entry = ledger.add({
      ...state,
      account,
      date: state.date ? utcDay(state.date) : today,
      settlesOn: null,
    });
    return ids.transaction(entry.transaction);
  });
}

/** Posts a pending transaction under a new id. Returns that id; null if no pending transaction has this one. */
export async function postBankTransaction(
  parts: ControlParts,
  target: BankTarget,
  transactionId: string,
  { amount, date }: { amount?: number | undefined; date?: Date | undefined },
): Promise<string | null> {
  return writeAbout(parts, target, transactionId, (ledger, entry, ids, today) => {
    if (entry.status !== "PENDING") return null;
    const change = { amount: amount ?? entry.amount, date: date ? utcDay(date) : today };
    return ids.transaction(ledger.post(entry, change).transaction);
  });
}

/** Changes a transaction, which keeps its id. Returns null if the transaction is unknown. */
export async function changeBankTransaction(
  parts: ControlParts,
  target: BankTarget,
  transactionId: string,
  change: Partial<Pick<TransactionState, "amount" | "description" | "category" | "date">>,
): Promise<string | null> {
  return writeAbout(parts, target, transactionId, (ledger, entry) => {
    ledger.modify(entry, change);
    return transactionId;
  });
}

/** Removes a transaction. Returns null if the transaction is unknown. */
export async function removeBankTransaction(
  parts: ControlParts,
  target: BankTarget,
  transactionId: string,
): Promise<string | null> {
  return writeAbout(parts, target, transactionId, (ledger, entry) => {
    ledger.remove(entry);
    return transactionId;
  });
}

/** Revokes the consent at the bank, as its customer could at any time. */
export async function revokeConsent(parts: ControlParts, target: BankTarget): Promise<void> {
  await changeConsent(parts, target, { status: "REVOKED" }, "consent.revoked");
}

/** Expires the consent. */
export async function expireConsent(parts: ControlParts, target: BankTarget): Promise<void> {
  await changeConsent(parts, target, { expiresAt: parts.clock.now() }, "consent.changed");
}

/** Makes the bank require a confirmation of the consent. */
export async function requireReauthorization(parts: ControlParts, target: BankTarget): Promise<void> {
  const change = { status: "REAUTHORIZATION_REQUIRED" } as const;
  await changeConsent(parts, target, change, "consent.reauthorization_required");
}

/** Confirms the consent. A revoked or expired consent stays as it is; the customer has to give a new one. */
export async function repairConsent(parts: ControlParts, target: BankTarget): Promise<void> {
  const { consent } = await load(target);
  const status = consent.status === "REVOKED" ? "REVOKED" : "AUTHORIZED";
  await changeConsent(parts, target, { status }, "consent.changed");
}

async function changeConsent(
  parts: ControlParts,
  target: BankTarget,
  change: Parameters<typeof updateSandboxConsent>[2],
  event: SandboxBankEventType,
): Promise<void> {
  const { consent } = await load(target);
  await updateSandboxConsent(target.transaction, consent, change);
  if (target.notify) await enqueueSandboxEvent(parts, target.transaction, event, target);
}

/** Sets a fault for the customer of the consent. Replaces an earlier setting of the same fault. */
export async function setBankFault(
  target: BankTarget,
  fault: SandboxBankFault,
  settings: { times: number | null; retryAfterSeconds: number | null; milliseconds: number | null },
): Promise<void> {
  const { customer } = await load(target);
  await putFault(target.transaction, customer, { fault, ...settings });
}

/** Clears all faults. */
export async function clearBankFaults(target: BankTarget): Promise<void> {
  const { customer } = await load(target);
  await deleteFaults(target.transaction, customer);
}

async function load({ transaction, organizationId, consentId }: BankTarget): Promise<FoundConsent> {
  const found = await findSandboxConsent(transaction, organizationId, consentId);
  if (found === undefined) throw new Error("The sandbox has no such consent");
  return found;
}

async function write(
  parts: ControlParts,
  target: BankTarget,
  change: (
    ledger: CustomerLedger,
    ids: ExternalIds,
    today: string,
    customer: TenantKey,
  ) => Promise<string | null> | string | null,
): Promise<string | null> {
  const { consent, customer } = await load(target);
  const ids = externalIdsOf(consent.organizationId, consent.id);
  const today = utcDay(parts.clock.now());
  const result = await writeToLedger(target.transaction, customer, today, (ledger) =>
    change(ledger, ids, today, customer),
  );
  if (result !== null && target.notify)
    await enqueueSandboxEvent(parts, target.transaction, "transactions.changed", target);
  return result;
}

function writeAbout(
  parts: ControlParts,
  target: BankTarget,
  transactionId: string,
  change: (ledger: CustomerLedger, entry: Entry, ids: ExternalIds, today: string) => string | null,
): Promise<string | null> {
  return write(parts, target, async (ledger, ids, today, customer) => {
    const number = ids.transactionOf(transactionId);
    const entry = number === null ? undefined : await findTransaction(target.transaction, customer, number);
    return entry === undefined ? null : change(ledger, entry, ids, today);
  });
}
