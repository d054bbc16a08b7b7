import type { AccountData, TransactionData, UnreadableItem } from "../../ports.ts";

/** Removes from an account's texts what PostgreSQL cannot store. Those that are sealed need none of it. */
export function cleanAccount(account: AccountData): AccountData {
  const { externalId, name, sortCode } = account;
  return {
    ...account,
    externalId: cleanAccountId(externalId),
    name: cleanText(name),
    sortCode: sortCode === null ? null : cleanText(sortCode),
  };
}

/** Removes from a transaction's texts what PostgreSQL and JSON cannot store. */
export function cleanTransaction(transaction: TransactionData): TransactionData {
  const { accountId, externalId, pendingExternalId, description, category } = transaction;
  // A page that the previous version of the service staged has none.
  const { merchantName = null } = transaction as Partial<TransactionData>;
  const clean = (text: string | null) => (text === null ? null : cleanText(text));
  return {
    ...transaction,
    accountId: cleanAccountId(accountId),
    externalId: cleanExternalId(externalId),
    pendingExternalId: cleanExternalId(pendingExternalId),
    description: cleanText(description),
    merchantName: clean(merchantName)?.trim() || null,
    category: clean(category),
  };
}

/** Cleans the ids of an item that cannot be read like those of one that can. */
export function cleanUnreadable(item: UnreadableItem): UnreadableItem {
  const { accountId, externalId, problem } = item;
  return {
    ...item,
    accountId: accountId === null ? null : cleanAccountId(accountId),
    externalId: cleanExternalId(externalId),
    problem: cleanText(problem),
  };
}

/** An external id as the ledger stores it; null if the bank gives none. */
export const cleanExternalId = (externalId: string | null): string | null =>
  (externalId !== null && cleanText(externalId).trim()) || null;

/** A bank's id of an account. It is neither trimmed nor shortened, because accounts are known by it as it is. */
export const cleanAccountId = (accountId: string): string => accountId.replaceAll("\0", "").toWellFormed();

/** A bank's text without U+0000 and unpaired surrogates, at most 1,000 characters long. */
function cleanText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed().slice(0, 1000).toWellFormed();
}
