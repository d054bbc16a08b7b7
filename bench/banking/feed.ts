import type { AccountData, BankProvider, TransactionData } from "@purser/banking/ports";

const pageSize = 500;
const accountsOfConsent = 3;
const days = 730;
const lastDay = Date.parse("2026-03-01");
export const merchants = [
  "Corner Coffee",
  "City Transport",
  "Office Supplies Ltd",
  "Cloud Hosting",
  "Payroll",
  "Rent",
];

export const categories = [
  "FOOD_AND_DRINK",
  "TRANSPORTATION",
  "GENERAL_MERCHANDISE",
  "RENT_AND_UTILITIES",
  "INCOME",
  "TRAVEL",
  "ENTERTAINMENT",
  "BANK_FEES",
];

/**
 * A bank with this many transactions. It returns them at no cost in pages of 500, newest first, so only our side is
 * measured. Each user connects with a separate consent, which brings separate accounts.
 */
export function feedBank(transactions: number): BankProvider {
  const unsupported = () => Promise.reject(new Error("This bank has no such thing"));
  const institution = { id: "bench-bank", name: "Bench Bank", country: "GB", logoUrl: null };
  const expiresAt = null;
  return {
    name: "sandbox",
    unattendedReadsPerDay: null,
    feed: {
      kind: "cursor",
      isComplete: true,
      changes: async (_access, cursor) => {
        const start = Number(cursor ?? 0);
        const end = Math.min(start + pageSize, transactions);
        const added = Array.from({ length: end - start }, (_, index) =>
          transactionAt(start + index, transactions),
        );
        return { added, modified: [], removed: [], cursor: String(end), hasMore: end < transactions };
      },
    },
    institutions: async () => [institution],
    institution: async () => institution,
    createLink: unsupported,
    completeLink: unsupported,
    openConsent: async ({ consentId }) => ({
      consentId,
      token: "bench-token",
      institution,
      scopes: ["accounts", "transactions"],
      expiresAt,
      isLimit: true,
    }),
    consentStatus: async () => ({ status: "authorized", expiresAt }),
    accounts: async ({ consentId }) =>
      Array.from({ length: accountsOfConsent }, (_, index) => accountAt(consentId, index)),
    revoke: async () => undefined,
  };
}

function accountAt(consentId: string, index: number): AccountData {
  return {
    externalId: externalAccountId(index),
    name: `Account ${index}`,
    accountNumber: `1000000${index}`,
    sortCode: "040004",
    currency: "GBP",
    type: "CHECKING",
    balance: 1_000_00,
    availableBalance: null,
    identifiers: [`bench:${consentId}-${index}`],
  };
}

const externalAccountId = (index: number) => `account-${index}-${"x".repeat(28)}`;

/** Spreads the transactions of a history over its accounts and, evenly, over two years. */
export function transactionAt(index: number, transactions: number): TransactionData {
  const amount = 100 + ((index * 7919) % 99_900);
  const day = new Date(lastDay - Math.floor((index / transactions) * days) * 24 * 60 * 60 * 1000);
  return {
    accountId: externalAccountId(index % accountsOfConsent),
    // As long as Plaid's identifiers.
    externalId: `transaction-${String(index).padStart(25, "0")}`,
    pendingExternalId: null,
    status: "POSTED",
    amount,
    rawAmount: `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`,
    currency: "GBP",
    type: index % 200 === 0 ? "CREDIT" : "DEBIT",
    description: `${merchants[index % merchants.length]} ${index}`,
    date: day.toISOString().slice(0, 10),
    merchantName: null,
    category: categories[index % categories.length]!,
  };
}
