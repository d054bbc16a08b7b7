import type { ChangePage, CursorFeed, UnreadableItem } from "@purser/banking/ports";
import { hour, testClock } from "@purser/core/testing";
import { AccountSubtype, AccountType, TransactionsUpdateStatus } from "plaid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessTo, linkedItem, startPlaidBank } from "./fake/bank.ts";
import { type FakeItem, fakeAccount, fakeTransaction, postPending } from "./fake/items.ts";

let plaid: Awaited<ReturnType<typeof startPlaidBank>>;
beforeAll(async () => (plaid = await startPlaidBank(testClock())));
afterAll(async () => plaid.fake.close());

const never = new AbortController().signal;
const changes = async (item: FakeItem, cursor: string | null): Promise<ChangePage> =>
  (plaid.bank.feed as CursorFeed).changes(accessTo(item), cursor, never);

function addTransactions(item: FakeItem, ...ids: string[]): void {
  const transactions = ids.map((transaction_id) => fakeTransaction({ transaction_id }));
  item.changes.push(...transactions.map((transaction) => ({ kind: "added", transaction }) as const));
}

describe("plaidBank.institution", () => {
  it("finds an institution or throws institution_not_found", async () => {
    expect(await plaid.bank.institution("ins_1")).toMatchObject({ id: "ins_1", name: "Thames Bank" });
    await expect(plaid.bank.institution("ins_9")).rejects.toMatchObject({ kind: "institution_not_found" });
  });
});

describe("plaidBank.accounts", () => {
  it("reads every account with its numbers", async () => {
    const item = linkedItem(plaid.fake);
    item.accounts = [
      fakeAccount({}),
      fakeAccount({
        account_id: "acc-2",
        name: "Card",
        type: AccountType.Credit,
        subtype: AccountSubtype.CreditCard,
      }),
    ];
    item.numbers.bacs = [{ account_id: "acc-1", account: "31926819", sort_code: "601613" }];
    expect(await plaid.bank.accounts(accessTo(item))).toMatchObject([
      { externalId: "acc-1", accountNumber: "31926819", sortCode: "601613", balance: 11_000 },
      { externalId: "acc-2", accountNumber: null, type: "CREDIT", balance: -11_000 },
    ]);
  });

  it("reports an account in a currency outside ISO 4217", async () => {
    const item = linkedItem(plaid.fake);
    const balances = { iso_currency_code: null, unofficial_currency_code: "BTC" };
    item.accounts = [fakeAccount({}), fakeAccount({ account_id: "acc-2", balances })];
    const unreadable: UnreadableItem[] = [];
    const accounts = await plaid.bank.accounts(accessTo(item), (one) => unreadable.push(one));
    expect(accounts.map(({ externalId }) => externalId)).toEqual(["acc-1"]);
    expect(unreadable).toMatchObject([{ kind: "account", accountId: "acc-2", externalId: null }]);
  });

  it.each([
    "PRODUCTS_NOT_SUPPORTED",
    "PRODUCT_NOT_ENABLED",
    "NO_AUTH_ACCOUNTS",
    "INVALID_PRODUCT",
    "PRODUCT_NOT_READY",
    "ACCESS_NOT_GRANTED",
    "ADDITIONAL_CONSENT_REQUIRED",
  ])("returns accounts without numbers if they are refused: %s", async (code) => {
    plaid.fake.fail("/auth/get", { code });
    expect(await plaid.bank.accounts(accessTo(linkedItem(plaid.fake)))).toMatchObject([
      { externalId: "acc-1", accountNumber: null, identifiers: [] },
    ]);
  });

  it.each([
    ["INSTITUTION_DOWN", "outage"],
    ["RATE_LIMIT", "rate_limited"],
    ["ITEM_LOGIN_REQUIRED", "reauthorization_required"],
  ])("throws if numbers are temporarily unavailable: %s", async (code, kind) => {
    plaid.fake.fail("/auth/get", { code });
    await expect(plaid.bank.accounts(accessTo(linkedItem(plaid.fake)))).rejects.toMatchObject({ kind });
  });

  it("reads every digit that Plaid writes", async () => {
    const item = linkedItem(plaid.fake);
    item.accounts = [fakeAccount({ balances: { current: "90071992547409.905", available: "0.10" } })];
    // As a floating-point number it is 90071992547409.91, one penny more.
    expect(await plaid.bank.accounts(accessTo(item))).toMatchObject([
      { balance: 9_007_199_254_740_990, availableBalance: 10 },
    ]);
  });
});

describe("plaidBank.accounts without balances", () => {
  it("reads an account of which Plaid has no balance", async () => {
    const item = linkedItem(plaid.fake);
    item.accounts = [fakeAccount({ balances: { current: null, available: null } })];
    const withheldScopes = new Set(["balances"]);
    expect(await plaid.bank.accounts({ ...accessTo(item), withheldScopes })).toMatchObject([
      { externalId: "acc-1", balance: null, availableBalance: null },
    ]);
  });
});

describe("plaidBank.accounts without account_numbers", () => {
  it("does not read the numbers", async () => {
    const item = linkedItem(plaid.fake);
    item.numbers.bacs = [{ account_id: "acc-1", account: "12345678", sort_code: "010203" }];
    plaid.fake.requests.length = 0;
    const withheldScopes = new Set(["account_numbers"]);
    const [account] = await plaid.bank.accounts({ ...accessTo(item), withheldScopes });
    expect(account).toMatchObject({ accountNumber: null, identifiers: [] });
    expect(plaid.fake.requests.map(({ path }) => path)).toEqual(["/accounts/get"]);
  });
});

describe("plaidBank.feed", () => {
  it("has no limit for unattended reads", () => {
    expect(plaid.bank).toMatchObject({ unattendedReadsPerDay: null, feed: { kind: "cursor" } });
  });

  it("reads from the beginning, and later only the changes", async () => {
    const item = linkedItem(plaid.fake);
    addTransactions(item, "tx-1", "tx-2");
    const first = await changes(item, null);
    expect(first).toMatchObject({ added: [{ externalId: "tx-1" }, { externalId: "tx-2" }], hasMore: false });
    expect(plaid.fake.requests.at(-1)?.body).toEqual({ access_token: item.accessToken, count: 500 });
    expect(await changes(item, first.cursor)).toEqual({ ...first, added: [] });

    const transaction = fakeTransaction({ amount: "13.10" });
    item.changes.push({ kind: "modified", transaction }, { kind: "removed", transaction });
    expect(await changes(item, first.cursor)).toMatchObject({
      added: [],
      modified: [{ externalId: "tx-1", amount: 1310, rawAmount: "13.10" }],
      removed: [{ accountId: "acc-1", externalId: "tx-1" }],
    });
  });

  it("links a posted transaction to the pending one that it replaces", async () => {
    const item = linkedItem(plaid.fake);
    const pending = fakeTransaction({ transaction_id: "tx-pending", pending: true });
    item.changes.push({ kind: "added", transaction: pending });
    const { cursor } = await changes(item, null);
    postPending(item, pending, { transaction_id: "tx-posted", amount: "12.75" });
    expect(await changes(item, cursor)).toMatchObject({
      added: [{ externalId: "tx-posted", pendingExternalId: "tx-pending", status: "POSTED", amount: 1275 }],
      removed: [{ externalId: "tx-pending" }],
    });
  });

  it("reads pages, and throws mutated if the data changed between two of them", async () => {
    plaid.fake.pageSize = 2;
    const item = linkedItem(plaid.fake);
    addTransactions(item, "tx-1", "tx-2", "tx-3");
    const first = await changes(item, null);
    expect(first).toMatchObject({ added: [{}, {}], hasMore: true });
    expect(await changes(item, first.cursor)).toMatchObject({
      added: [{ externalId: "tx-3" }],
      hasMore: false,
    });

    addTransactions(item, "tx-4");
    await expect(changes(item, first.cursor)).rejects.toMatchObject({ kind: "mutated" });
    const again = await changes(item, null);
    expect(await changes(item, again.cursor)).toMatchObject({ added: [{}, {}], hasMore: false });
    plaid.fake.pageSize = 500;
  });

  it("throws not_ready before Plaid has read the bank, and calls sync, so Plaid sends a webhook later", async () => {
    const item = Object.assign(linkedItem(plaid.fake), { updateStatus: "NOT_READY" });
    await expect(changes(item, null)).rejects.toMatchObject({ kind: "not_ready" });
    expect(item.isSynchronized).toBe(true);
    item.updateStatus = TransactionsUpdateStatus.HistoricalUpdateComplete;
    expect(await changes(item, null)).toMatchObject({ added: [], hasMore: false });
  });

  it("says whether Plaid still adds earlier days, which it does on the same cursor", async () => {
    const item = Object.assign(linkedItem(plaid.fake), { updateStatus: "INITIAL_UPDATE_COMPLETE" });
    addTransactions(item, "tx-recent");
    const recent = await changes(item, null);
    expect(recent).toMatchObject({ added: [{ externalId: "tx-recent" }], isHistoryComplete: false });
    item.updateStatus = TransactionsUpdateStatus.HistoricalUpdateComplete;
    addTransactions(item, "tx-old");
    expect(await changes(item, recent.cursor)).toMatchObject({
      added: [{ externalId: "tx-old" }],
      isHistoryComplete: true,
    });
  });

  it("throws cursor_lost for a cursor of another item", async () => {
    const { cursor } = await changes(linkedItem(plaid.fake), null);
    await expect(changes(linkedItem(plaid.fake), cursor)).rejects.toMatchObject({ kind: "cursor_lost" });
  });

  it("reports transactions without a currency of ISO 4217", async () => {
    const item = linkedItem(plaid.fake);
    const transaction = fakeTransaction({ iso_currency_code: null, unofficial_currency_code: "ETH" });
    item.changes.push({ kind: "added", transaction });
    addTransactions(item, "tx-2");
    const unreadable: UnreadableItem[] = [];
    const feed = plaid.bank.feed as CursorFeed;
    const { added } = await feed.changes(accessTo(item), null, never, (one) => unreadable.push(one));
    expect(added.map(({ externalId }) => externalId)).toEqual(["tx-2"]);
    expect(unreadable).toMatchObject([{ kind: "transaction", accountId: "acc-1", externalId: "tx-1" }]);
  });

  it("stops when the signal aborts", async () => {
    plaid.fake.fail("/transactions/sync", "hang");
    const feed = plaid.bankWith({ timeoutMs: hour }).feed as CursorFeed;
    const page = feed.changes(accessTo(linkedItem(plaid.fake)), null, AbortSignal.timeout(10));
    await expect(page).rejects.toMatchObject({ kind: "outage" });
  });

  it("stops after the timeout", async () => {
    plaid.fake.fail("/transactions/sync", "hang");
    const feed = plaid.bankWith({ timeoutMs: 10 }).feed as CursorFeed;
    const page = feed.changes(accessTo(linkedItem(plaid.fake)), null, never);
    await expect(page).rejects.toMatchObject({ kind: "outage" });
  });

  it("throws for a response without data, and does not take it for the end", async () => {
    plaid.fake.fail("/transactions/sync", { status: 200, text: '{"next_cursor":"abc","has_more":false}' });
    await expect(changes(linkedItem(plaid.fake), null)).rejects.toMatchObject({ kind: "outage" });
  });
});
