import { isDeepStrictEqual } from "node:util";
import { Problem, newId, invalidField } from "@purser/core";
import type { Transaction } from "@purser/db";
import { lockForOwner } from "@purser/organizations";
import { actorOf, audit, toPage, transactInOrganization } from "@purser/platform";
import type { z } from "zod";
import { findAccountOwner } from "../accounts/store/list.ts";
import { lockConnections } from "../connections/store.ts";
import type { BankingContext } from "../context.ts";
import { recordAccountEvents } from "../feed-events/service.ts";
import { type LedgerRow, type Reported, formerId } from "../syncs/rules/matching.ts";
import { ChangeCounter } from "../syncs/service/change-counter.ts";
import { findById, insertRows, updateRows } from "../syncs/store/ledger.ts";
import type { QuarantineRow } from "../syncs/store/quarantine.ts";
import type { ListQuarantine, ResolveQuarantine } from "./contract.ts";
import { findQuarantined, listQuarantineRows, lockQuarantineRow, resolveQuarantineRow } from "./store.ts";

export async function listQuarantinedData(ctx: BankingContext, input: z.output<typeof ListQuarantine>) {
  const { teamId: organizationId, after, limit } = input;
  const rows = toPage(ctx, limit, await listQuarantineRows(ctx.db, organizationId, after, limit + 1));
  const ids = rows.flatMap(({ transactionId }) => transactionId ?? []);
  const known = await findById(ctx.db, { organizationId }, ids);
  const byId = new Map(known.map((row) => [row.id, row]));
  return rows.map((row) => {
    const { id, connectionId, accountId, transactionId, externalId, reason, firstSeenAt, lastSeenAt } = row;
    const entry = { id, connectionId, accountId, transactionId, externalId, reason, firstSeenAt, lastSeenAt };
    const missing = byId.get(transactionId ?? "");
    const transaction = shownTransaction(row, missing);
    return {
      ...entry,
      transaction,
      problem: problemOf(row),
      canAccept: refuseAcceptance(row, missing) === null,
    };
  });
}

/** Returns why an entry cannot be accepted, or null. `row` is the transaction that it is about. */
function refuseAcceptance(
  { accountId, reason }: Pick<QuarantineRow, "accountId" | "reason">,
  row: LedgerRow | undefined,
): string | null {
  if (accountId === null || !acceptable.has(reason)) return "the bank's data is incomplete";
  const isGone = reason === "DIFFERENT_AMOUNT" && row?.status === "REMOVED";
  return isGone ? "the transaction was removed" : null;
}

/** An entry with any other reason, also one of a later version, has no transaction that could be written. */
const acceptable: ReadonlySet<string> = new Set(["DIFFERENT_AMOUNT", "MISSING_FROM_WINDOW"]);

function shownTransaction({ reason, report }: QuarantineRow, missing: LedgerRow | undefined) {
  if (reason === "DIFFERENT_AMOUNT") return contentOf(reportOf(report));
  return reason === "MISSING_FROM_WINDOW" && missing !== undefined
    ? contentOf({ ...missing, date: missing.transactionDate })
    : null;
}

const contentOf = ({
  amount,
  currency,
  type,
  description,
  date,
}: Pick<Reported, "amount" | "currency" | "type" | "description" | "date">) => ({
  amount,
  currency,
  type,
  description,
  transactionDate: new Date(date),
});

const reportOf = (report: string) => JSON.parse(report) as Reported;

function problemOf({ reason, report }: QuarantineRow): string | null {
  if (reason === "UNKNOWN_ACCOUNT")
    return "The bank lists transactions of this account, but not the account.";
  return reason === "UNREADABLE" ? (JSON.parse(report) as { problem: string }).problem : null;
}

/** Takes a quarantined transaction into the list, or leaves it out. Later syncs respect the decision. */
export function resolveQuarantined(ctx: BankingContext, input: z.output<typeof ResolveQuarantine>) {
  const { teamId, id, action } = input;
  return transactInOrganization(ctx, teamId, input, async (transaction) => {
    await lockForOwner(ctx, transaction, teamId);
    await lockWriters(transaction, teamId, id);
    const entry = await lockQuarantineRow(transaction, teamId, id);
    // Also if a sync has released it since.
    if (entry === undefined) throw new Problem("QUARANTINE_ENTRY_NOT_FOUND");
    const now = ctx.clock.now();
    const resolution = action === "accept" ? ("ACCEPTED" as const) : ("REJECTED" as const);
    const counter = new ChangeCounter();
    const transactionId =
      action === "accept" ? await accept(transaction, entry, counter, now) : entry.transactionId;
    await counter.write(transaction, teamId);
    await resolveQuarantineRow(transaction, entry, { resolution, resolvedAt: now, transactionId });
    audit(ctx, transaction, { organizationId: teamId, subject: id, details: { action } });
    const { changes } = counter;
    await recordAccountEvents(ctx, transaction, actorOf(ctx), { organizationId: teamId, changes });
  });
}

/**
 * Locks the connections whose syncs write to an entry or to its account: the one that reported it, and the one that has the
 * account now. A sync locks its connection before its entries, so they come first here too.
 */
async function lockWriters(transaction: Transaction, teamId: string, id: string): Promise<void> {
  const found = await findQuarantined(transaction, teamId, id);
  if (found === undefined) throw new Problem("QUARANTINE_ENTRY_NOT_FOUND");
  const { accountId, connectionId } = found;
  const owner = accountId === null ? undefined : await findAccountOwner(transaction, teamId, accountId);
  await lockConnections(transaction, teamId, [connectionId, owner?.connectionId ?? connectionId]);
}

/** Writes the entry's transaction to the ledger. Returns the id of its row. */
async function accept(
  transaction: Transaction,
  entry: QuarantineRow,
  counter: ChangeCounter,
  now: Date,
): Promise<string> {
  const { organizationId, accountId, connectionId, reason, report, transactionId } = entry;
  const ids = transactionId === null ? [] : [transactionId];
  const [row] = await findById(transaction, { organizationId }, ids);
  const refusal = refuseAcceptance(entry, row);
  if (accountId === null || refusal !== null) {
    const message = `Must be reject: ${refusal}`;
    throw invalidField("action", message);
  }
  const accepted = reason === "MISSING_FROM_WINDOW" ? { status: "POSTED" as const } : rowOf(reportOf(report));
  const { totals } = counter;
  if (row !== undefined) {
    const changed = { ...row, ...accepted };
    // The bank may have listed it as it is in the meantime.
    if (!isDeepStrictEqual(row, changed)) counter.count(row, changed);
    await updateRows(transaction, organizationId, [changed], { now, totals });
    return row.id;
  }
  // The bank uses the id for another transaction, so this one has none.
  const id = newId("btx", now);
  const inserted: LedgerRow = {
    ...rowOf(reportOf(report)),
    id,
    accountId,
    connectionId,
    externalId: formerId({ id }),
    idEpoch: 0,
  };
  counter.count(null, inserted);
  await insertRows(transaction, organizationId, [inserted], { now, totals });
  return id;
}

function rowOf(reported: Reported) {
  const { status, amount, rawAmount, currency, type, description, date, category } = reported;
  // Entries of the version before this field have none.
  const { merchantName = null } = reported as Partial<Reported>;
  return {
    status,
    amount,
    rawAmount,
    currency,
    type,
    description,
    merchantName,
    transactionDate: date,
    category,
  };
}
