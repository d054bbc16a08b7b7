import {
  type AccountBase,
  type AccountBalance,
  AccountSubtype,
  AccountType,
  type Item,
  type NumbersACH,
  type NumbersBACS,
  type NumbersEFT,
  type NumbersInternational,
  Products,
  type RemovedTransaction,
  type Transaction,
  TransactionPaymentChannelEnum,
  type TransactionsSyncResponse,
  TransactionsUpdateStatus,
} from "plaid";
import { PlaidRefusal, refusalBody } from "./refusals.ts";

/** Replaces properties of an SDK type. */
export type With<T, Own> = Omit<T, keyof Own> & Own;

/** Amounts are text here. The server writes them as JSON numbers with the same digits. */
type Balances = With<
  Pick<AccountBalance, "iso_currency_code" | "unofficial_currency_code">,
  Record<"current" | "available" | "limit", string | null>
>;

export type FakeAccount = With<AccountBase, { balances: Balances }>;

export interface FakeNumbers {
  ach: NumbersACH[];
  bacs: NumbersBACS[];
  eft: NumbersEFT[];
  international: NumbersInternational[];
}

/** `name` is a legacy field at Plaid, and the only description that is always present. */
export type FakePlaidTransaction = With<Transaction, { amount: string; name: string }>;

type Change =
  | { kind: "added" | "modified"; transaction: FakePlaidTransaction }
  | { kind: "removed"; transaction: RemovedTransaction };

export interface FakeItem {
  itemId: string;
  accessToken: string;
  institutionId: string;
  institutionName: string | null;
  webhook: string | null;
  /** The `error_code` of the item. */
  error: string | null;
  expires: string | null;
  /** When Plaid last read the bank's transactions; null before. */
  bankReadAt: string | null;
  products: Products[];
  consentedProducts: Products[] | undefined;
  accounts: FakeAccount[];
  numbers: FakeNumbers;
  /** Whether Plaid has read the transactions of the bank: none, those of about 30 days, or all. */
  updateStatus: TransactionsUpdateStatus;
  /** Whether `/transactions/sync` was called. Plaid sends webhooks only after the first call. */
  isSynchronized: boolean;
  changes: Change[];
  /** Changes at the bank that Plaid has not read yet. */
  unreadChanges: Change[];
}

export function newItem(itemId: string, institutionId: string, webhook: string | null): FakeItem {
  return {
    itemId,
    accessToken: `access-sandbox-${itemId}`,
    institutionId,
    institutionName: null,
    webhook,
    error: null,
    expires: null,
    bankReadAt: null,
    products: [Products.Transactions, Products.Auth],
    consentedProducts: undefined,
    accounts: [fakeAccount({})],
    numbers: { ach: [], bacs: [], eft: [], international: [] },
    updateStatus: TransactionsUpdateStatus.HistoricalUpdateComplete,
    isSynchronized: false,
    changes: [],
    unreadChanges: [],
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
    type: AccountType.Depository,
    subtype: AccountSubtype.Checking,
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
    datetime: null,
    authorized_datetime: null,
    payment_channel: TransactionPaymentChannelEnum.InStore,
    transaction_code: null,
    account_owner: null,
    location: {
      address: null,
      city: null,
      region: null,
      postal_code: null,
      country: null,
      lat: null,
      lon: null,
      store_number: null,
    },
    payment_meta: {
      reference_number: null,
      ppd_id: null,
      payee: null,
      by_order_of: null,
      payer: null,
      payment_method: null,
      payment_processor: null,
      reason: null,
    },
    ...transaction,
  };
}

/** The item as `/item/get` returns it. */
export function shownItem(item: FakeItem): Omit<Item, "auth_method" | "update_type"> {
  return {
    item_id: item.itemId,
    institution_id: item.institutionId,
    institution_name: item.institutionName,
    webhook: item.webhook,
    error: item.error === null ? null : refusalBody(new PlaidRefusal(item.error), "").body,
    available_products: [Products.Balance],
    billed_products: item.products,
    products: item.products,
    ...(item.consentedProducts && { consented_products: item.consentedProducts }),
    consent_expiration_time: item.expires,
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
export function readChanges(item: FakeItem, cursor: string, count: number): FakeChanges {
  item.isSynchronized = true;
  if (item.updateStatus === TransactionsUpdateStatus.NotReady) return page([], "", false, item.updateStatus);
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

type FakeChanges = With<
  Omit<TransactionsSyncResponse, "request_id">,
  { accounts: FakeAccount[]; added: FakePlaidTransaction[]; modified: FakePlaidTransaction[] }
>;

function page(
  changes: Change[],
  next_cursor: string,
  has_more: boolean,
  status: TransactionsUpdateStatus,
): FakeChanges {
  const written = (wanted: "added" | "modified") =>
    changes.flatMap((change) => (change.kind === wanted ? [change.transaction] : []));
  const removed = changes.flatMap((change) => (change.kind === "removed" ? [change.transaction] : []));
  return {
    transactions_update_status: status,
    accounts: [],
    added: written("added"),
    modified: written("modified"),
    removed: removed.map(({ transaction_id, account_id }) => ({ transaction_id, account_id })),
    next_cursor,
    has_more,
  };
}
