import { type AccountData, type AccountType, type TransactionData, noBalances } from "@purser/banking/ports";
import { AmountError, isCurrency, minorUnits } from "@purser/core";
import type { Schemas } from "./api.ts";
import { unreadableError } from "./errors.ts";

type Account = Schemas["Account"];
type Transaction = Schemas["Transaction"];

const accountTypes: Readonly<Record<Schemas["AccountType"], AccountType>> = {
  CURRENT: "CHECKING",
  SALARY: "CHECKING",
  E_MONEY: "CHECKING",
  CASH_INCOME: "CHECKING",
  CASH_PAYMENT: "CHECKING",
  PREPAID_CARD: "CHECKING",
  SETTLEMENT: "CHECKING",
  CHARGES: "CHECKING",
  COMMISSION: "CHECKING",
  TAX: "CHECKING",
  NON_RESIDENT_EXTERNAL: "CHECKING",
  OTHER: "CHECKING",
  UNKNOWN: "CHECKING",
  SAVINGS: "SAVINGS",
  MONEY_MARKET: "SAVINGS",
  LIMITED_LIQUIDITY_SAVINGS_ACCOUNT: "SAVINGS",
  OVERNIGHT_DEPOSIT: "SAVINGS",
  CREDIT_CARD: "CREDIT",
  CHARGE_CARD: "CREDIT",
  LOAN: "CREDIT",
  MORTGAGE: "CREDIT",
  OVERDRAFT: "CREDIT",
  MARGINAL_LENDING: "CREDIT",
  CASH_TRADING: "INVESTMENT",
};

const bookedBalances = ["INTERIM_BOOKED", "CLOSING_BOOKED", "EXPECTED"] as const;
const availableBalances = ["INTERIM_AVAILABLE", "CLOSING_AVAILABLE"] as const;

/** Whether the account holds its balance. For some banks only `/accounts/{id}/balances` does. */
export function hasBalance(account: Account): boolean {
  const booked = balance(account, bookedBalances, firstCurrency(account));
  return booked !== undefined || typeof account.balance === "number";
}

/** Maps an account, without what the team withholds. Throws `outage` if a required field is missing or invalid. */
export function mapYapilyAccount(account: Account, withheldScopes?: ReadonlySet<string>): AccountData {
  if (!account.id) throw unreadableError("an account", "no id");
  const currency = currencyOf(account);
  const type = accountTypes[account.accountType ?? "UNKNOWN"] ?? "CHECKING";
  return {
    externalId: account.id,
    name: accountName(account),
    ...numbersOf(account),
    currency,
    type,
    ...(withheldScopes?.has("balances") ? noBalances : balancesOf(account, type, currency)),
  };
}

function balancesOf(account: Account, type: AccountType, currency: string): typeof noBalances {
  const booked = balance(account, bookedBalances, currency) ?? account.balance;
  if (typeof booked !== "number") throw unreadableError("an account", "no balance");
  const available = type === "CREDIT" ? undefined : balance(account, availableBalances, currency);
  const minorBalance = minor(booked, currency);
  return {
    // Some banks write debt as a positive amount.
    balance: type === "CREDIT" && minorBalance > 0 ? -minorBalance : minorBalance,
    availableBalance: available === undefined ? null : minor(available, currency),
  };
}

/** Maps a transaction. Throws `outage` if a required field is missing or invalid. */
export function mapYapilyTransaction(
  accountId: string,
  transaction: Transaction,
  timeZone: string,
): TransactionData {
  const { amount, currency } = transaction.transactionAmount ?? transaction;
  if (typeof amount !== "number") throw unreadableError("a transaction", "no amount");
  if (!currency || !isCurrency(currency)) throw unreadableError("a transaction", "no currency of ISO 4217");
  const { categorisation, transactionHash } = transaction.enrichment ?? {};
  return {
    accountId,
    externalId: firstText(transaction.id, transactionHash?.hash) ?? null,
    pendingExternalId: null,
    status: transaction.status === "PENDING" ? "PENDING" : "POSTED",
    amount: Math.abs(minor(amount, currency)),
    rawAmount: String(amount),
    currency,
    // A hold of 0 checks a card, and a payment may follow.
    type: amount > 0 ? "CREDIT" : "DEBIT",
    description: descriptionOf(transaction),
    merchantName: firstText(transaction.merchant?.merchantName) ?? null,
    date: bankDay(transaction, timeZone),
    category: firstText(...(categorisation?.categories ?? [])) ?? null,
  };
}

function currencyOf(account: Account): string {
  const code = firstCurrency(account);
  if (!code || !isCurrency(code)) throw unreadableError("an account", "no currency of ISO 4217");
  return code;
}

/** The currency of an account, or of its first balance if it has none. */
const firstCurrency = ({ currency, accountBalances }: Account): string | undefined =>
  currency ?? accountBalances?.find(({ balanceAmount }) => balanceAmount)?.balanceAmount?.currency;

/** Returns the first available of these balance types, in the currency of the account and without a credit line. */
function balance(
  { accountBalances }: Account,
  kinds: readonly Schemas["AccountBalanceType"][],
  currency: string | undefined,
): number | undefined {
  const usable = (accountBalances ?? []).filter(
    ({ balanceAmount, creditLineIncluded }) =>
      creditLineIncluded !== true && balanceAmount?.currency === currency,
  );
  return kinds.flatMap((kind) => usable.filter(({ type }) => type === kind))[0]?.balanceAmount?.amount;
}

/** Converts to minor units from the shortest decimal text of the number, because multiplying would be inexact. */
function minor(amount: number, currency: string): number {
  try {
    return minorUnits(String(amount), currency);
  } catch (error) {
    if (error instanceof AmountError) throw unreadableError("an amount", error.message);
    throw error;
  }
}

function accountName({ nickname, accountNames, description, type }: Account): string {
  return firstText(nickname, accountNames?.[0]?.name, description, type) ?? "Account";
}

/**
 * Returns complete numbers only, because some banks put masked numbers into these fields. Never reads card numbers (PAN).
 */
function numbersOf({
  accountIdentifications,
}: Account): Pick<AccountData, "accountNumber" | "sortCode" | "identifiers"> {
  const find = (kind: Schemas["AccountIdentificationType"], form: RegExp): string | null => {
    const texts = (accountIdentifications ?? []).filter(({ type }) => type === kind);
    return texts.map(({ identification }) => compact(identification)).find((text) => form.test(text)) ?? null;
  };
  const accountNumber = find("ACCOUNT_NUMBER", /^\d{6,34}$/);
  const sortCode = find("SORT_CODE", /^\d{6}$/);
  const iban = find("IBAN", /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/);
  return {
    // Outside the United Kingdom the IBAN is the account number.
    accountNumber: accountNumber ?? iban,
    sortCode,
    identifiers: [
      ...(accountNumber && sortCode ? [`bacs:${sortCode}:${accountNumber}`] : []),
      ...(iban ? [`iban:${iban}`] : []),
    ],
  };
}

/** Removes spaces and hyphens, and converts to upper case, so equal numbers have equal text. */
function compact(text: string): string {
  return text.replaceAll(/[\s-]/g, "").toUpperCase();
}

function descriptionOf({ description, transactionInformation, reference, merchant }: Transaction): string {
  const information = transactionInformation?.join(" ");
  return firstText(description, information, reference, merchant?.merchantName) ?? "";
}

/**
 * Returns the bank's calendar day. A time with an offset is the bank's own time, and its day is the one that is written.
 * A time in UTC is converted: at 22:00 UTC on June 1 it is June 2 at a German bank.
 */
function bankDay({ bookingDateTime, date, valueDateTime }: Transaction, timeZone: string): string {
  const text = firstText(bookingDateTime, date, valueDateTime) ?? "";
  const day = /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(text)?.[0];
  // One day that the database refuses would fail every sync. `Date` takes February 30 for March 2.
  if (day === undefined || !new Date(day).toJSON()?.startsWith(day))
    throw unreadableError("a transaction", "no date");
  const isUtc = text.endsWith("Z") || text.endsWith("+00:00");
  const instant = Date.parse(text);
  return isUtc && !Number.isNaN(instant) ? dayIn(timeZone, instant) : day;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of an instant in a time zone, as `YYYY-MM-DD`. */
function dayIn(timeZone: string, instant: number): string {
  let format = formats.get(timeZone);
  // Sweden writes days as ISO 8601 does.
  if (format === undefined) formats.set(timeZone, (format = new Intl.DateTimeFormat("sv-SE", { timeZone })));
  return format.format(instant);
}

function firstText(...texts: (string | null | undefined)[]): string | undefined {
  return texts.find((text) => text?.trim())?.trim();
}
