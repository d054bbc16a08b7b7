import { AmountError, isCurrency, minorUnits } from "@purser/core";
import type { AccountData, AccountType, TransactionData } from "@purser/banking/ports";
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

/** Whether the account tells its balance. Some banks do so only when asked for each account's balances. */
export function hasBalance(account: Account): boolean {
  return balance(account, bookedBalances) !== undefined || typeof account.balance === "number";
}

/** An account as the port has it. Throws `outage` where what must be there is missing or makes no sense. */
export function mapYapilyAccount(account: Account): AccountData {
  if (!account.id) throw unreadableError("an account", "no id");
  const currency = currencyOf(account);
  const type = accountTypes[account.accountType ?? "UNKNOWN"] ?? "CHECKING";
  const booked = balance(account, bookedBalances) ?? account.balance;
  if (typeof booked !== "number") throw unreadableError("an account", "no balance");
  const available = balance(account, availableBalances);
  const minorBalance = minor(booked, currency);
  return {
    externalId: account.id,
    name: accountName(account),
    ...numbersOf(account),
    currency,
    type,
    // Banks do not agree on the sign of what is owed: some write it as a plain number.
    balance: type === "CREDIT" && minorBalance > 0 ? -minorBalance : minorBalance,
    availableBalance: available === undefined ? null : minor(available, currency),
  };
}

/** A transaction as the port has it. Throws `outage` like {@link mapYapilyAccount}. */
export function mapYapilyTransaction(accountId: string, transaction: Transaction): TransactionData {
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
    type: amount < 0 ? "DEBIT" : "CREDIT",
    description: descriptionOf(transaction),
    date: bankDay(transaction),
    category: firstText(...(categorisation?.categories ?? [])) ?? null,
  };
}

function currencyOf({ currency, accountBalances }: Account): string {
  const code =
    currency ?? accountBalances?.find(({ balanceAmount }) => balanceAmount)?.balanceAmount?.currency;
  if (!code || !isCurrency(code)) throw unreadableError("an account", "no currency of ISO 4217");
  return code;
}

/** The first of these kinds that the bank gives in the account's currency, and that counts no borrowed money. */
function balance(account: Account, kinds: readonly Schemas["AccountBalanceType"][]): number | undefined {
  const usable = (account.accountBalances ?? []).filter(
    ({ balanceAmount, creditLineIncluded }) =>
      creditLineIncluded !== true && (!account.currency || balanceAmount?.currency === account.currency),
  );
  return kinds.flatMap((kind) => usable.filter(({ type }) => type === kind))[0]?.balanceAmount?.amount;
}

/** Whole minor units, by way of the number's shortest decimal text: a sum of floats would drift. */
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
 * Only what is a number in full: banks also put masks into these fields. A card's number (PAN) is nobody's business
 * and is left alone.
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
    // Outside the United Kingdom the IBAN is the account's number.
    accountNumber: accountNumber ?? iban,
    sortCode,
    identifiers: [
      ...(accountNumber && sortCode ? [`bacs:${sortCode}:${accountNumber}`] : []),
      ...(iban ? [`iban:${iban}`] : []),
    ],
  };
}

/** As numbers are compared: upper case, without the spaces and hyphens they are printed with. */
function compact(text: string): string {
  return text.replaceAll(/[\s-]/g, "").toUpperCase();
}

function descriptionOf({ description, transactionInformation, reference, merchant }: Transaction): string {
  const information = transactionInformation?.join(" ");
  return firstText(description, information, reference, merchant?.merchantName) ?? "";
}

/** Cut from the text as it stands: to read it as an instant would move it into another day. */
function bankDay({ bookingDateTime, date, valueDateTime }: Transaction): string {
  const text = firstText(bookingDateTime, date, valueDateTime) ?? "";
  const day = /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(text)?.[0];
  if (day === undefined) throw unreadableError("a transaction", "no date");
  return day;
}

function firstText(...texts: (string | null | undefined)[]): string | undefined {
  return texts.find((text) => text?.trim())?.trim();
}
