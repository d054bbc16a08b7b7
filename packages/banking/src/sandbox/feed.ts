import { currencyExponent } from "@purser/core";
import {
  type Access,
  type AccountData,
  BankError,
  type ChangePage,
  type CursorFeed,
  type TransactionData,
  type WindowFeed,
} from "../ports.ts";
import { type AccountPlan, numberOf, accountPlansOf } from "./accounts.ts";
import type { Entry } from "./ledger.ts";
import { merchantNameIn } from "./merchants.ts";
import { type BankParts, type Session, openSession } from "./session.ts";
import { listSandboxBalances, listEntries, listCurrentEntries } from "./store/ledger.ts";

/** See `BankProvider.accounts`. */
export async function readAccounts(parts: BankParts, access: Access): Promise<AccountData[]> {
  const session = await openSession(parts, access);
  if (await session.consumeFault("accounts_outage"))
    throw new BankError("outage", "The bank returns no accounts");
  const balances = await listSandboxBalances(parts.db, session.customer);
  return accountPlansOf(session.institution)
    .filter((plan) => isChosen(session, plan.account))
    .map((plan) => {
      const { booked = 0, pending = 0 } = balances.find(({ account }) => account === plan.account) ?? {};
      return {
        externalId: session.ids.account(plan.account),
        name: plan.name,
        ...numberOf(session.institution, session.customer.name, plan),
        currency: plan.currency,
        type: plan.type,
        balance: booked,
        availableBalance: availableOf(plan, booked, pending),
      };
    });
}

/** Pending debits reduce the available balance; pending credits and credit limits do not raise it. */
function availableOf({ type }: AccountPlan, booked: number, pending: number): number | null {
  return type === "CHECKING" || type === "SAVINGS" ? booked + Math.min(0, pending) : null;
}

/** Reads the bank's change feed from a position. The cursor is that position, plus a marker between two pages. */
export function cursorFeed(parts: BankParts, pageSize: number): CursorFeed {
  return {
    kind: "cursor",
    isComplete: true,
    async changes(access, cursor, signal) {
      const session = await openSession(parts, access, signal);
      const position = await positionOf(session, cursor);
      if (await session.consumeFault("not_ready"))
        throw new BankError("not_ready", "The history is not complete yet");
      if (!session.consent.scopes.includes("transactions")) {
        return { added: [], modified: [], removed: [], cursor: "0", hasMore: false };
      }
      const rows = await listEntries(parts.db, session.customer, {
        after: position,
        rows: pageSize + 1,
        chosen: session.consent.accounts,
      });
      const page = rows.slice(0, pageSize);
      // A change between two pages needs at least two pages.
      const hasMore =
        rows.length > pageSize || (!isBetweenPages(cursor) && session.hasFault("mutation_during_pagination"));
      const next = page.at(-1)?.number ?? position;
      return { ...(await pageOf(session, page)), cursor: `${next}${hasMore ? between : ""}`, hasMore };
    },
  };
}

const between = "+";
const isBetweenPages = (cursor: string | null) => cursor?.endsWith(between) ?? false;

async function positionOf(session: Session, cursor: string | null): Promise<number> {
  if (cursor === null) return 0;
  if (await session.consumeFault("cursor_lost"))
    throw new BankError("cursor_lost", "The cursor is no longer valid");
  const [, digits] = /^(\d{1,9})\+?$/.exec(cursor) ?? [];
  const position = Number(digits ?? Number.NaN);
  if (!(position <= session.customer.lastNumber)) throw new BankError("cursor_lost", "The cursor is unknown");
  if (isBetweenPages(cursor) && (await session.consumeFault("mutation_during_pagination"))) {
    throw new BankError("mutated", "The data changed between two pages");
  }
  return position;
}

/** Folds the entries of a page: one change per transaction. */
async function pageOf(
  session: Session,
  entries: readonly Entry[],
): Promise<Pick<ChangePage, "added" | "modified" | "removed">> {
  const added: TransactionData[] = [];
  const modified: TransactionData[] = [];
  const removed: ChangePage["removed"] = [];
  for (const [first, ...later] of Map.groupBy(entries, ({ transaction }) => transaction).values()) {
    const last = later.at(-1) ?? first!;
    const isNew = first!.kind === "ADDED";
    const item = toTransactionData(session, last);
    if (last.kind !== "REMOVED") (isNew ? added : modified).push(item);
    else if (!isNew) removed.push({ accountId: item.accountId, externalId: item.externalId! });
  }
  return { added: await withDataFaults(session, added), modified, removed };
}

/** All transactions of an account since a day, for a bank without a change feed. */
export function windowFeed(parts: BankParts, pageSize: number): WindowFeed {
  return {
    kind: "window",
    historyDays: 730,
    async *transactions(access, accountId, from, signal) {
      const session = await openSession(parts, access, signal);
      const account = session.ids.accountOf(accountId);
      if (account === null || !isChosen(session, account)) {
        throw new BankError("outage", "The bank knows no such account");
      }
      if (!session.consent.scopes.includes("transactions")) return;
      const entries = await listCurrentEntries(parts.db, session.customer, account, from);
      for (let start = 0; start < entries.length; start += pageSize) {
        signal.throwIfAborted();
        const page = entries.slice(start, start + pageSize).map((entry) => toTransactionData(session, entry));
        yield await withDataFaults(session, page);
      }
    },
  };
}

/** Applies the data faults to a list. A fault is used up only if the list has data that it can change. */
async function withDataFaults(session: Session, items: TransactionData[]): Promise<TransactionData[]> {
  const [first] = items;
  if (first === undefined) return items;
  let listed = items;
  if (await session.consumeFault("repeated_ids")) listed = [...listed, ...items.slice(0, 3)];
  if (await session.consumeFault("reused_ids")) {
    const amount = first.amount + 1234;
    const other = {
      ...first,
      amount,
      rawAmount: decimal({ ...first, amount }),
      description: "ANOTHER PAYMENT",
    };
    listed = [...listed, other];
  }
  if (await session.consumeFault("blank_ids")) listed = listed.map((item) => ({ ...item, externalId: "" }));
  return listed;
}

function toTransactionData({ ids, institution }: Session, entry: Entry): TransactionData {
  const { currency } = accountPlansOf(institution)[entry.account]!;
  const { account, transaction, replaces, status, amount, type, description, category, date } = entry;
  return {
    accountId: ids.account(account),
    externalId: ids.transaction(transaction),
    pendingExternalId: replaces === null ? null : ids.transaction(replaces),
    status,
    amount,
    currency,
    type,
    description,
    merchantName: merchantNameIn(institution.country, description),
    category,
    date,
    rawAmount: decimal({ amount, currency, type }),
  };
}

/** Formats an amount as this bank does: in major units, outgoing amounts negative. */
function decimal({ amount, currency, type }: Pick<TransactionData, "amount" | "currency" | "type">): string {
  const exponent = currencyExponent(currency);
  const digits = String(amount).padStart(exponent + 1, "0");
  const whole = digits.slice(0, digits.length - exponent);
  const fraction = exponent === 0 ? "" : `.${digits.slice(-exponent)}`;
  return `${type === "DEBIT" ? "-" : ""}${whole}${fraction}`;
}

const isChosen = ({ consent }: Session, account: number) => consent.accounts?.includes(account) ?? true;
