import { AmountError, isCurrency, minorUnits } from "@purser/core";
import {
  type AccountData,
  type AccountType,
  BankError,
  type ChangePage,
  type Institution,
  type TransactionData,
} from "@purser/banking/ports";
import type * as plaid from "./responses.ts";

/**
 * An account as we keep it; null where its currency is none of ISO 4217, such as an account of cryptocurrency. Its
 * transactions are left out likewise: there is no minor unit to count them in.
 */
export function accountFacts(account: plaid.Account, numbers: plaid.Numbers | null): AccountData | null {
  const { account_id: externalId, balances } = account;
  const currency = currencyOf(balances);
  if (currency === null) return null;
  const type = accountType(account);
  const { accountNumber, sortCode, identifiers } = numberFacts(externalId, numbers);
  const lasting = account.persistent_account_id;
  return {
    externalId,
    name: firstText(account.name, account.official_name, account.subtype, account.type),
    accountNumber,
    sortCode,
    currency,
    type,
    balance: balanceOf(balances, type, currency),
    availableBalance: balances.available === null ? null : amountOf(balances.available, currency),
    identifiers: lasting ? [...identifiers, `plaid:${lasting}`] : identifiers,
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

/** What the account is worth to its owner: Plaid counts what is owed on cards and loans as positive. */
function balanceOf(
  { current, available }: plaid.Account["balances"],
  type: AccountType,
  currency: string,
): number {
  if (type === "CREDIT") {
    // What is available on a card is what may still be borrowed: it cannot stand in for what is owed.
    if (current === null) throw new BankError("outage", "Plaid tells no balance of an account");
    return 0 - amountOf(current, currency);
  }
  const balance = current ?? available;
  if (balance === null) throw new BankError("outage", "Plaid tells no balance of an account");
  return amountOf(balance, currency);
}

type NumberFacts = Pick<AccountData, "accountNumber" | "sortCode" | "identifiers">;

function numberFacts(accountId: string, numbers: plaid.Numbers | null): NumberFacts {
  const isOf = (number: { account_id: string }) => number.account_id === accountId;
  const bacs = numbers?.bacs.find(isOf);
  // A tokenized number is not the account's own, and another one at every link.
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

/** A transaction as we keep it; null where its currency is none of ISO 4217. */
export function transactionFacts(transaction: plaid.Transaction): TransactionData | null {
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
    // Plaid counts what leaves the account. The text is asked, for a tenth of a penny is rounded to nothing.
    type: Number(rawAmount) > 0 ? "DEBIT" : "CREDIT",
    description: firstText(transaction.name, transaction.merchant_name),
    date: transaction.date,
    category: transaction.personal_finance_category?.primary ?? null,
  };
}

/** A page of the feed. Throws `not_ready` while Plaid has not read the bank yet, which looks like an empty end. */
export function changePage(changes: plaid.Changes): ChangePage {
  if (changes.next_cursor === "") {
    throw new BankError("not_ready", "Plaid has not read the transactions yet");
  }
  return {
    added: kept(changes.added),
    modified: kept(changes.modified),
    removed: changes.removed.map((removed) => ({
      accountId: removed.account_id,
      externalId: removed.transaction_id,
    })),
    cursor: changes.next_cursor,
    hasMore: changes.has_more,
  };
}

function kept(transactions: plaid.Transaction[]): TransactionData[] {
  return transactions.map(transactionFacts).filter((facts) => facts !== null);
}

/** An institution as we list it. One that is in several countries is shown in the first of these. */
export function institutionFacts(institution: plaid.Institution, countries: readonly string[]): Institution {
  const { institution_id: id, name, country_codes: its } = institution;
  const country = countries.find((code) => its.includes(code)) ?? its[0] ?? "";
  // Plaid gives logos as pictures, not as links.
  return { id, name, country, logoUrl: null };
}

/** What a consent allows. Accounts and balances come with every one; the rest is named after Plaid's products. */
export function scopesOf({ consented_products: consented, products }: plaid.Item): string[] {
  // Plaid names the consented ones only where it asked the person for each.
  const named = consented?.length ? consented : products;
  const allowed = named?.length ? named : ["transactions"];
  return [...new Set(["accounts", "balances", ...allowed.map((product) => scopes[product] ?? product)])];
}

const scopes: Readonly<Record<string, string>> = { auth: "account_numbers", balance: "balances" };

interface Currencies {
  iso_currency_code: string | null;
  unofficial_currency_code: string | null;
}

function currencyOf({ iso_currency_code: iso, unofficial_currency_code: unofficial }: Currencies) {
  if (iso === null && unofficial === null)
    throw new BankError("outage", "Plaid tells no currency of an amount");
  return iso !== null && isCurrency(iso) ? iso : null;
}

function amountOf(decimal: string, currency: string): number {
  try {
    return minorUnits(decimal, currency);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw new BankError("outage", `Plaid tells an amount that cannot be kept: ${error.message}`);
  }
}

function firstText(...texts: (string | null)[]): string {
  return texts.map((text) => text?.trim()).find(Boolean) ?? "";
}
