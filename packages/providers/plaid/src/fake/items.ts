import type {
  AccountBalance,
  AccountBase,
  NumbersACH,
  NumbersBACS,
  NumbersEFT,
  NumbersInternational,
  PersonalFinanceCategory,
  RemovedTransaction,
  Transaction,
} from "plaid";
import { PlaidRefusal, refusalBody } from "./refusals.ts";

/** Replaces properties of an SDK type. */
type With<T, Own> = Omit<T, keyof Own> & Own;

/** Amounts are text here. The server writes them as JSON numbers with the same digits. */
type Balances = With<
  Pick<AccountBalance, "iso_currency_code" | "unofficial_currency_code">,
  Record<"current" | "available" | "limit", string | null>
>;

/** The SDK lists all types and subtypes, and requires a name. The adapter accepts unknown and missing ones. */
export type FakeAccount = With<
  Pick<AccountBase, "account_id" | "official_name" | "mask" | "persistent_account_id">,
  { name: string | null; type: string; subtype: string | null; balances: Balances }
>;

export interface FakeNumbers {
  ach: Omit<NumbersACH, "wire_routing">[];
  bacs: NumbersBACS[];
  eft: NumbersEFT[];
  international: NumbersInternational[];
}

export type FakePlaidTransaction = With<
  Pick<
    Transaction,
    | ("transaction_id" | "account_id" | "iso_currency_code" | "unofficial_currency_code" | "date")
    | ("authorized_date" | "pending" | "pending_transaction_id")
  >,
  {
    amount: string;
    /** A legacy field at Plaid, and the only description that is always present. */
    name: string;
    merchant_name: string | null;
    personal_finance_category: PersonalFinanceCategory | null;
  }
>;

type Change =
  | { kind: "added" | "modified"; transaction: FakePlaidTransaction }
  | { kind: "removed"; transaction: RemovedTransaction };

export interface FakeItem {
  itemId: string;
  accessToken: string;
  institutionId: string;
  webhook: string | null;
  /** The `error_code` of the item. */
  error: string | null;
  expires: string | null;
  products: string[];
  consentedProducts: string[] | undefined;
  accounts: FakeAccount[];
  numbers: FakeNumbers;
  /** Whether Plaid has read the transactions of the bank: none, those of about 30 days, or all. */
  updateStatus: "NOT_READY" | "INITIAL_UPDATE_COMPLETE" | "HISTORICAL_UPDATE_COMPLETE";
  /** Whether `/transactions/sync` was called. Plaid sends webhooks only after the first call. */
  isSynchronized: boolean;
  changes: Change[];
}

export function newItem(itemId: string, institutionId: string, webhook: string | null): FakeItem {
  return {
    itemId,
    accessToken: `access-sandbox-${itemId}`,
    institutionId,
    webhook,
    error: null,
    expires: null,
    products: ["transactions", "auth"],
    consentedProducts: undefined,
    accounts: [fakeAccount({})],
    numbers: { ach: [], bacs: [], eft: [], international: [] },
    updateStatus: "HISTORICAL_UPDATE_COMPLETE",
    isSynchronized: false,
    changes: [],
  };
}

export function fakeAccount({
  balances,
  ...account
}: Partial<Omit<FakeAccount, "balances">> & { balances?: Partial<FakeAccount["balances"]> }): FakeAccount {
  return {
    account_id: "acc-1",
    name: "Current Account",
    official_name: "Plaid Gold Current Account",
    mask: "0000",
    type: "depository",
    subtype: "checking",
    ...account,
    balances: {
      current: "110",
      available: "100",
      limit: null,
      iso_currency_code: "GBP",
      unofficial_currency_code: null,
      ...balances,
    },
  };
}

export function fakeTransaction(transaction: Partial<FakePlaidTransaction>): FakePlaidTransaction {
  return {
    transaction_id: "tx-1",
    account_id: "acc-1",
    amount: "12.50",
    iso_currency_code: "GBP",
    unofficial_currency_code: null,
    date: "2026-03-01",
    authorized_date: "2026-02-27",
    name: "COFFEE 0301 LONDON",
    merchant_name: "Coffee",
    pending: false,
    pending_transaction_id: null,
    personal_finance_category: { primary: "FOOD_AND_DRINK", detailed: "FOOD_AND_DRINK_COFFEE" },
    ...transaction,
  };
}

/** The item as `/item/get` returns it. */
export function shownItem(item: FakeItem): object {
  return {
    item_id: item.itemId,
    institution_id: item.institutionId,
    institution_name: null,
    webhook: item.webhook,
    auth_method: null,
    error: item.error === null ? null : refusalBody(new PlaidRefusal(item.error), "").body,
    available_products: ["balance"],
    billed_products: item.products,
    products: item.products,
    ...(item.consentedProducts && { consented_products: item.consentedProducts }),
    consent_expiration_time: item.expires,
    update_type: "background",
  };
}

/** Posts a pending transaction: removes it, and adds it under another id. */
export function postPending(
  item: FakeItem,
  pending: FakePlaidTransaction,
  posted: Partial<FakePlaidTransaction>,
): void {
  const transaction = {
    ...pending,
    pending: false,
    pending_transaction_id: pending.transaction_id,
    ...posted,
  };
  item.changes.push({ kind: "added", transaction }, { kind: "removed", transaction: pending });
}

/**
 * Returns a page of changes. A cursor between two pages holds the number of changes, which detects a change in between,
 * as Plaid does. The cursor after the last page is valid for all later changes.
 */
export function readChanges(item: FakeItem, cursor: string, count: number): object {
  item.isSynchronized = true;
  if (item.updateStatus === "NOT_READY") return page([], "", false, item.updateStatus);
  const [from, total] = readCursor(item, cursor);
  if (total !== null && total !== item.changes.length) {
    throw new PlaidRefusal("TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION");
  }
  const changes = item.changes.slice(from, from + count);
  const next = from + changes.length;
  const hasMore = next < item.changes.length;
  const nextCursor = [item.itemId, next, ...(hasMore ? [item.changes.length] : [])].join(" ");
  return page(changes, Buffer.from(nextCursor).toString("base64"), hasMore, item.updateStatus);
}

function readCursor(item: FakeItem, cursor: string): [from: number, total: number | null] {
  if (cursor === "") return [0, null];
  const [itemId, from, total] = Buffer.from(cursor, "base64").toString().split(" ");
  if (itemId !== item.itemId)
    throw new PlaidRefusal("INVALID_FIELD", "cursor not associated with access_token");
  return [Number(from), total === undefined ? null : Number(total)];
}

function page(changes: Change[], next_cursor: string, has_more: boolean, status: string): object {
  const ofKind = (kind: string) =>
    changes.filter((change) => change.kind === kind).map(({ transaction }) => transaction);
  const removed = ofKind("removed").map(({ transaction_id, account_id }) => ({ transaction_id, account_id }));
  return {
    transactions_update_status: status,
    accounts: [],
    added: ofKind("added"),
    modified: ofKind("modified"),
    removed,
    next_cursor,
    has_more,
  };
}
