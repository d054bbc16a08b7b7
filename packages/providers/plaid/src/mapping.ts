import {
  type AccountData,
  type AccountType,
  BankError,
  type ChangePage,
  type Institution,
  type TransactionData,
} from "@purser/banking/ports";
import { AmountError, isCurrency, minorUnits } from "@purser/core";
import type * as plaid from "./responses.ts";

/**
 * Maps an account; null if its currency is not in ISO 4217, such as a cryptocurrency, which has no minor unit. Its
 * transactions are omitted too.
 */
export function mapPlaidAccount(account: plaid.Account, numbers: plaid.Numbers | null): AccountData | null {
  const { account_id: externalId, balances } = account;
  const currency = currencyOf(balances);
  if (currency === null) return null;
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
    balance: balanceOf(balances, type, currency),
    availableBalance: balances.available === null ? null : amountOf(balances.available, currency),
    identifiers: persistentId ? [...identifiers, `plaid:${persistentId}`] : identifiers,
  };
}

function accountType({ type, subtype }: plaid.Account): AccountType {
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

/** Returns the balance from the owner's view. Plaid writes debt on cards and loans as a positive amount. */
function balanceOf(
  { current, available }: plaid.Account["balances"],
  type: AccountType,
  currency: string,
): number {
  if (type === "CREDIT") {
    // The available amount of a card is the unused credit, which says nothing about the debt.
    if (current === null) throw new BankError("outage", "Plaid sent an account with no balance");
    return 0 - amountOf(current, currency);
  }
  const balance = current ?? available;
  if (balance === null) throw new BankError("outage", "Plaid sent an account with no balance");
  return amountOf(balance, currency);
}

type AccountNumbers = Pick<AccountData, "accountNumber" | "sortCode" | "identifiers">;

function accountNumbers(accountId: string, numbers: plaid.Numbers | null): AccountNumbers {
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

/** Maps a transaction; null if its currency is not in ISO 4217. */
export function mapPlaidTransaction(transaction: plaid.Transaction): TransactionData | null {
  const currency = currencyOf(transaction);
  if (currency === null) return null;
  const { amount: rawAmount } = transaction;
  return {
    accountId: transaction.account_id,
    externalId: transaction.transaction_id,
    pendingExternalId: transaction.pending_transaction_id,
    status: transaction.pending ? "PENDING" : "POSTED",
    amount: Math.abs(amountOf(rawAmount, currency)),
    rawAmount,
    currency,
    // Plaid writes money out as a positive amount. The raw amount decides, because 0.001 rounds to zero.
    type: Number(rawAmount) > 0 ? "DEBIT" : "CREDIT",
    description: firstText(transaction.name, transaction.merchant_name),
    date: transaction.date,
    category: transaction.personal_finance_category?.primary ?? null,
  };
}

/** Maps a page of the feed. Throws `not_ready` for an empty cursor, which Plaid sends until it has read the bank. */
export function mapPlaidChanges(changes: plaid.Changes): ChangePage {
  if (changes.next_cursor === "") {
    throw new BankError("not_ready", "Plaid has not read the transactions yet");
  }
  return {
    added: mapTransactions(changes.added),
    modified: mapTransactions(changes.modified),
    removed: changes.removed.map((removed) => ({
      accountId: removed.account_id,
      externalId: removed.transaction_id,
    })),
    cursor: changes.next_cursor,
    hasMore: changes.has_more,
  };
}

function mapTransactions(transactions: plaid.Transaction[]): TransactionData[] {
  return transactions.map(mapPlaidTransaction).filter((data) => data !== null);
}

/** Maps an institution. Its country is the first of `countries` that it is in. */
export function mapPlaidInstitution(
  institution: plaid.Institution,
  countries: readonly string[],
): Institution {
  const { institution_id: id, name, country_codes: available } = institution;
  const country = countries.find((code) => available.includes(code)) ?? available[0] ?? "";
  // Plaid sends logos as image data, not as URLs.
  return { id, name, country, logoUrl: null };
}

/** Returns the scopes of a consent. Each includes accounts and balances. Others are named after Plaid's products. */
export function scopesOf({ consented_products: consented, products }: plaid.Item): string[] {
  // `consented_products` is set only if Plaid asked the person for each product.
  const granted = consented?.length ? consented : products;
  const allowed = granted?.length ? granted : ["transactions"];
  return [...new Set(["accounts", "balances", ...allowed.map((product) => scopes[product] ?? product)])];
}

const scopes: Readonly<Record<string, string>> = { auth: "account_numbers", balance: "balances" };

interface Currencies {
  iso_currency_code: string | null;
  unofficial_currency_code: string | null;
}

function currencyOf({ iso_currency_code: iso, unofficial_currency_code: unofficial }: Currencies) {
  if (iso === null && unofficial === null)
    throw new BankError("outage", "Plaid sent an amount with no currency");
  return iso !== null && isCurrency(iso) ? iso : null;
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
