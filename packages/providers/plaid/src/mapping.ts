import {
  type AccountData,
  type AccountType,
  BankError,
  type ChangePage,
  type Institution,
  type ReportUnreadable,
  type TransactionData,
  mapReadable,
  noBalances,
} from "@purser/banking/ports";
import { AmountError, isCurrency, minorUnits, unknownCountry } from "@purser/core";
import { z } from "zod";
import type {
  PlaidAccount,
  PlaidChanges,
  PlaidInstitution,
  PlaidItem,
  PlaidNumbers,
  PlaidTransaction,
} from "./responses.ts";

/** Maps an account, without what the team withholds. Throws `outage` if a required field is missing or invalid. */
export function mapPlaidAccount(
  account: PlaidAccount,
  numbers: PlaidNumbers | null,
  withheldScopes?: ReadonlySet<string>,
): AccountData {
  const { account_id: externalId, balances } = account;
  const currency = currencyOf(balances, "an account");
  const type = accountType(account);
  const { accountNumber, sortCode, identifiers } = accountNumbers(externalId, numbers);
  const persistentId = account.persistent_account_id;
  return {
    externalId,
    name: firstText(account.name, account.official_name, account.subtype, account.type),
    accountNumber,
    sortCode,
    currency,
    type,
    ...(withheldScopes?.has("balances") ? noBalances : balancesOf(balances, type, currency)),
    // Plaid omits them from the feed. Source: `TransactionsSyncResponse.accounts` of the SDK.
    listsTransactions: type !== "INVESTMENT",
    identifiers: persistentId ? [...identifiers, `plaid:${persistentId}`] : identifiers,
  };
}

function accountType({ type, subtype }: PlaidAccount): AccountType {
  switch (type) {
    case "credit":
    case "loan":
      return "CREDIT";
    case "investment":
    case "brokerage":
      return "INVESTMENT";
    default:
      return subtype !== null && savings.has(subtype) ? "SAVINGS" : "CHECKING";
  }
}

const savings = new Set(["cd", "money market", "savings"]);

function balancesOf(
  balances: PlaidAccount["balances"],
  type: AccountType,
  currency: string,
): typeof noBalances {
  const { available } = balances;
  return {
    balance: balanceOf(balances, type, currency),
    // The available amount of a card is its unused credit.
    availableBalance: available === null || type === "CREDIT" ? null : amountOf(available, currency),
  };
}

/** Returns the balance from the owner's view. Plaid writes debt on cards and loans as a positive amount. */
function balanceOf(
  { current, available }: PlaidAccount["balances"],
  type: AccountType,
  currency: string,
): number {
  if (type === "CREDIT") {
    // The unused credit says nothing about the debt.
    if (current === null) throw new BankError("outage", "Plaid sent an account with no balance");
    return 0 - amountOf(current, currency);
  }
  const balance = current ?? available;
  if (balance === null) throw new BankError("outage", "Plaid sent an account with no balance");
  return amountOf(balance, currency);
}

type AccountNumbers = Pick<AccountData, "accountNumber" | "sortCode" | "identifiers">;

function accountNumbers(accountId: string, numbers: PlaidNumbers | null): AccountNumbers {
  const isOf = (number: { account_id: string }) => number.account_id === accountId;
  const bacs = numbers?.bacs.find(isOf);
  // A tokenized number is not the number of the account, and differs for every link.
  const ach = numbers?.ach.find((number) => isOf(number) && number.is_tokenized_account_number !== true);
  const eft = numbers?.eft.find(isOf);
  const iban = numbers?.international.find(isOf)?.iban.replaceAll(" ", "");
  return {
    accountNumber: bacs?.account ?? ach?.account ?? eft?.account ?? iban ?? null,
    sortCode: bacs?.sort_code ?? null,
    identifiers: [
      ...(bacs ? [`bacs:${bacs.sort_code}:${bacs.account}`] : []),
      ...(ach ? [`ach:${ach.routing}:${ach.account}`] : []),
      ...(eft ? [`eft:${eft.institution}:${eft.branch}:${eft.account}`] : []),
      ...(iban ? [`iban:${iban}`] : []),
    ],
  };
}

/** Maps a transaction. Throws `outage` if a required field is missing or invalid. */
export function mapPlaidTransaction(transaction: PlaidTransaction): TransactionData {
  const currency = currencyOf(transaction, "a transaction");
  const { amount: rawAmount } = transaction;
  const date = z.iso.date().safeParse(transaction.date).data;
  if (date === undefined) throw new BankError("outage", "Plaid sent a transaction with no day");
  return {
    accountId: transaction.account_id,
    externalId: transaction.transaction_id,
    pendingExternalId: transaction.pending_transaction_id,
    status: transaction.pending ? "PENDING" : "POSTED",
    amount: Math.abs(amountOf(rawAmount, currency)),
    rawAmount,
    currency,
    // Plaid writes money out as a positive amount. The raw amount decides, because 0.001 rounds to zero. A hold of 0
    // checks a card, and a payment may follow.
    type: Number(rawAmount) < 0 ? "CREDIT" : "DEBIT",
    description: firstText(transaction.name, transaction.merchant_name),
    merchantName: transaction.merchant_name ?? null,
    date,
    category: transaction.personal_finance_category?.primary ?? null,
  };
}

/** Maps a page of the feed. Throws `not_ready` for an empty cursor, which Plaid sends until it has read the bank. */
export function mapPlaidChanges(changes: PlaidChanges, report?: ReportUnreadable): ChangePage {
  if (changes.next_cursor === "") {
    throw new BankError("not_ready", "Plaid has not read the transactions yet");
  }
  return {
    added: mapTransactions(changes.added, report),
    modified: mapTransactions(changes.modified, report),
    removed: changes.removed.map((removed) => ({
      accountId: removed.account_id,
      externalId: removed.transaction_id,
    })),
    cursor: changes.next_cursor,
    hasMore: changes.has_more,
    // The feed begins with about 30 days. Plaid adds the earlier ones later, to the same cursor. A status that Plaid could
    // not fetch says nothing, and the next sync asks again.
    isHistoryComplete: changes.transactions_update_status === "HISTORICAL_UPDATE_COMPLETE",
  };
}

function mapTransactions(
  transactions: PlaidTransaction[],
  report: ReportUnreadable | undefined,
): TransactionData[] {
  const keyOf = ({ account_id, transaction_id }: PlaidTransaction) =>
    ({ kind: "transaction", accountId: account_id, externalId: transaction_id }) as const;
  return mapReadable(transactions, mapPlaidTransaction, keyOf, report);
}

/** Maps an institution. Its country is the first of `countries` that it is in. */
export function mapPlaidInstitution(
  institution: PlaidInstitution,
  countries: readonly string[],
): Institution {
  const { institution_id: id, name, country_codes: available } = institution;
  const country = countries.find((code) => available.includes(code)) ?? available[0] ?? unknownCountry;
  // Plaid sends logos as image data, not as URLs.
  return { id, name, country, logoUrl: null };
}

/** Returns the scopes of a consent. Each includes accounts and balances. Others are named after Plaid's products. */
export function scopesOf({ consented_products: consented, products }: PlaidItem): string[] {
  // `consented_products` is set only if the person agreed to each product on Plaid's page.
  const granted = consented?.length ? consented : products;
  const allowed = granted?.length ? granted : ["transactions"];
  return [...new Set(["accounts", "balances", ...allowed.map((product) => scopes[product] ?? product)])];
}

/** The scope of `/auth/get`. */
export const accountNumbersScope = "account_numbers";

const scopes: Readonly<Record<string, string>> = { auth: accountNumbersScope, balance: "balances" };

/** A currency outside ISO 4217, such as a cryptocurrency, has no minor unit. */
function currencyOf({ iso_currency_code: code }: { iso_currency_code: string | null }, what: string): string {
  if (code === null || !isCurrency(code))
    throw new BankError("outage", `Plaid sent ${what} with no currency of ISO 4217`);
  return code;
}

function amountOf(decimal: string, currency: string): number {
  try {
    return minorUnits(decimal, currency);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw new BankError("outage", `Plaid sent an invalid amount: ${error.message}`);
  }
}

function firstText(...texts: (string | null)[]): string {
  return texts.map((text) => text?.trim()).find(Boolean) ?? "";
}
