import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { dayOf } from "../days.ts";
import { type ExternalIds, externalIdsOf } from "../external-ids.ts";
import type { FaultName } from "../faults.ts";
import { updateLedger } from "../ledger-updates.ts";
import type { Entry, Ledger, TransactionState } from "../ledger.ts";
import { type FoundConsent, deleteFaults, findConsent, putFault, updateConsent } from "../store/consents.ts";
import { type CustomerKey, findTransaction } from "../store/ledger.ts";
import { type SandboxEventType, enqueueSandboxEvent } from "../webhooks.ts";

type ControlParts = Pick<Platform, "clock" | "outbox">;

/** The customer to change, and the transaction to change it in. */
export interface Place {
  transaction: Transaction;
  organizationId: string;
  /** The consent that the caller's account and transaction ids belong to. */
  consentId: string;
  /** Whether the bank sends a webhook. */
  notify: boolean;
}

/** Adds a transaction. The account may have any of these ids. Returns the new id; null if the account is unknown. */
export async function addTransaction(
  parts: ControlParts,
  place: Place,
  accountIds: readonly string[],
  state: Omit<TransactionState, "account" | "settlesOn" | "date"> & { date: Date | undefined },
): Promise<string | null> {
  return write(parts, place, (ledger, ids, today) => {
    const account = accountIds.map((id) => ids.accountOf(id)).find((known) => known !== null);
    if (account === undefined) return null;
    const entry = ledger.add({
      ...state,
      account,
      date: state.date ? dayOf(state.date) : today,
      settlesOn: null,
    });
    return ids.transaction(entry.transaction);
  });
}

/** Posts a pending transaction under a new id. Returns that id; null if no pending transaction has this one. */
export async function postTransaction(
  parts: ControlParts,
  place: Place,
  transactionId: string,
  { amount, date }: { amount?: number | undefined; date?: Date | undefined },
): Promise<string | null> {
  return writeAbout(parts, place, transactionId, (ledger, entry, ids, today) => {
    if (entry.status !== "PENDING") return null;
    const change = { amount: amount ?? entry.amount, date: date ? dayOf(date) : today };
    return ids.transaction(ledger.post(entry, change).transaction);
  });
}

/** Changes a transaction, which keeps its id. Returns null if the transaction is unknown. */
export async function changeTransaction(
  parts: ControlParts,
  place: Place,
  transactionId: string,
  change: Partial<Pick<TransactionState, "amount" | "description" | "category" | "date">>,
): Promise<string | null> {
  return writeAbout(parts, place, transactionId, (ledger, entry) => {
    ledger.modify(entry, change);
    return transactionId;
  });
}

/** Removes a transaction. Returns null if the transaction is unknown. */
export async function removeTransaction(
  parts: ControlParts,
  place: Place,
  transactionId: string,
): Promise<string | null> {
  return writeAbout(parts, place, transactionId, (ledger, entry) => {
    ledger.remove(entry);
    return transactionId;
  });
}

/** Revokes the consent at the bank, as its customer could at any time. */
export async function revokeConsent(parts: ControlParts, place: Place): Promise<void> {
  await changeConsent(parts, place, { status: "REVOKED" }, "consent.revoked");
}

/** Expires the consent. */
export async function expireConsent(parts: ControlParts, place: Place): Promise<void> {
  await changeConsent(parts, place, { expiresAt: parts.clock.now() }, "consent.changed");
}

/** Makes the bank require a confirmation of the consent. */
export async function requireReauthorization(parts: ControlParts, place: Place): Promise<void> {
  const change = { status: "REAUTHORIZATION_REQUIRED" } as const;
  await changeConsent(parts, place, change, "consent.reauthorization_required");
}

/** Confirms the consent. A revoked or expired consent stays as it is; the customer has to give a new one. */
export async function repairConsent(parts: ControlParts, place: Place): Promise<void> {
  const { consent } = await load(place);
  const status = consent.status === "REVOKED" ? "REVOKED" : "AUTHORIZED";
  await changeConsent(parts, place, { status }, "consent.changed");
}

async function changeConsent(
  parts: ControlParts,
  place: Place,
  change: Parameters<typeof updateConsent>[2],
  event: SandboxEventType,
): Promise<void> {
  const { consent } = await load(place);
  await updateConsent(place.transaction, consent, change);
  if (place.notify) await enqueueSandboxEvent(parts, place.transaction, event, place);
}

/** Sets a fault for the customer of the consent. Replaces an earlier setting of the same fault. */
export async function setFault(
  place: Place,
  fault: FaultName,
  settings: { times: number | null; retryAfterSeconds: number | null; milliseconds: number | null },
): Promise<void> {
  const { customer } = await load(place);
  await putFault(place.transaction, customer, { fault, ...settings });
}

/** Clears all faults. */
export async function clearFaults(place: Place): Promise<void> {
  const { customer } = await load(place);
  await deleteFaults(place.transaction, customer);
}

async function load({ transaction, organizationId, consentId }: Place): Promise<FoundConsent> {
  const found = await findConsent(transaction, organizationId, consentId);
  if (found === undefined) throw new Error("The bank does not know the connection's consent");
  return found;
}

async function write(
  parts: ControlParts,
  place: Place,
  change: (
    ledger: Ledger,
    ids: ExternalIds,
    today: string,
    customer: CustomerKey,
  ) => Promise<string | null> | string | null,
): Promise<string | null> {
  const { consent, customer } = await load(place);
  const ids = externalIdsOf(consent.organizationId, consent.id);
  const today = dayOf(parts.clock.now());
  const result = await updateLedger(place.transaction, customer, today, (ledger) =>
    change(ledger, ids, today, customer),
  );
  if (result !== null && place.notify)
    await enqueueSandboxEvent(parts, place.transaction, "transactions.changed", place);
  return result;
}

function writeAbout(
  parts: ControlParts,
  place: Place,
  transactionId: string,
  change: (ledger: Ledger, entry: Entry, ids: ExternalIds, today: string) => string | null,
): Promise<string | null> {
  return write(parts, place, async (ledger, ids, today, customer) => {
    const number = ids.transactionOf(transactionId);
    const entry = number === null ? undefined : await findTransaction(place.transaction, customer, number);
    return entry === undefined ? null : change(ledger, entry, ids, today);
  });
}
