import {
  Id,
  bankAccountTypes,
  bankTransactionTypes,
  exampleIds,
  explained,
  explainedValues,
  page,
  sharedFields,
} from "@purser/core";
import { z } from "zod";
import { providerName, teamId } from "../contract.ts";

const BankAccountType = z.enum(bankAccountTypes).meta({
  id: "BankAccountType",
  ...explainedValues(bankAccountTypes, "The kind of account.", {
    CHECKING: "a current account.",
    SAVINGS: "a savings account.",
    CREDIT: "a credit card or loan. What is owed is a negative balance.",
    INVESTMENT: "an investment account.",
  }),
});

export const BankTransactionType = z.enum(bankTransactionTypes).meta({
  id: "BankTransactionType",
  ...explainedValues(bankTransactionTypes, "The direction of the money.", {
    CREDIT: "money into the account.",
    DEBIT: "money out of the account.",
  }),
  examples: ["DEBIT"],
});

/** Explains what bank accounts and transactions have wherever they are shown. */
export const bankFields = {
  accountName: explained("The account's name at the bank.", "Business Current Account"),
  accountNumber: explained(
    "The full account number, or the IBAN where the bank has no other number. Never masked. Null if the bank does not provide it.",
    "31926819",
  ),
  transactionId: explained(
    "The bank transaction's id. A pending transaction keeps it when it is posted.",
    exampleIds.btx,
  ),
  amount: explained("In minor units of `currency`, 0 or more. `type` is the direction.", 4900),
  description: explained("What the bank writes about the transaction.", "CLOUDSTACK HOSTING 4821"),
  transactionDate: explained(
    "The bank's calendar day of the transaction, at 00:00 UTC. It is never shifted to another time zone.",
    new Date("2026-03-02T00:00:00.000Z"),
  ),
};

export const BankAccount = z
  .object({
    id: z.string().meta(sharedFields.accountId),
    connectionId: z.string().meta(sharedFields.connectionId),
    accountName: z.string().meta(bankFields.accountName),
    accountNumber: z.string().nullable().meta(bankFields.accountNumber),
    sortCode: z
      .string()
      .nullable()
      .meta(explained("The sort code of a British account, six digits. Null for other accounts.", "040077")),
    currency: z.string().meta(sharedFields.currency),
    type: BankAccountType,
    balance: z
      .int()
      .meta(
        explained(
          "What the account is worth to its owner, in minor units of `currency`. Debt is negative.",
          184_250,
        ),
      ),
    availableBalance: z
      .int()
      .nullable()
      .meta(
        explained(
          "What the owner can spend now, in minor units of `currency`, without an overdraft or another credit line. Null for a `CREDIT` account, and if the bank does not provide it.",
          179_350,
        ),
      ),
    isListed: z
      .boolean()
      // Absent in events and outputs of idempotency keys that an earlier version stored.
      .default(true)
      .meta(
        explained(
          "Whether the bank still lists the account, as far as it was read. False for an account that the person closed or no longer shares: its balance is the last known one.",
          true,
        ),
      ),
    connection: z
      .object({
        id: z.string().meta(sharedFields.connectionId),
        provider: z.string().meta(providerName),
        status: z.string().meta(explained("The connection's status: `ACTIVE` or `DISCONNECTED`.", "ACTIVE")),
      })
      .meta(explained("The connection that reads the account.")),
  })
  .meta({ id: "BankAccount", description: "An account at a bank, as the last sync found it." });

export const RecentTransaction = z
  .object({
    id: z.string().meta(bankFields.transactionId),
    amount: z.int().meta(bankFields.amount),
    currency: z.string().meta(sharedFields.currency),
    description: z.string().meta(bankFields.description),
    transactionDate: z.date().meta(bankFields.transactionDate),
    type: BankTransactionType,
    category: z
      .string()
      .nullable()
      .meta(
        explained(
          "The category that an owner gave the transaction, or else that of the bank or its provider. Each provider has its own names. Null if there is none.",
          "SOFTWARE",
        ),
      ),
  })
  .meta({ id: "RecentBankTransaction", description: "A posted transaction of a bank account." });

export const BankAccountDetails = BankAccount.extend({
  transactionCount: z.int().meta(explained("The number of posted transactions, without pending ones.", 1284)),
  recentTransactions: z
    .array(RecentTransaction)
    .meta(explained("The ten newest posted transactions, newest first.")),
}).meta({ id: "BankAccountDetails", description: "A bank account with its newest transactions." });

export const ListAccounts = z.strictObject({
  teamId,
  connectionId: Id.meta({
    ...sharedFields.connectionId,
    description: "Only accounts of this bank connection. If absent, of all.",
  }).optional(),
  mergeableAccountId: Id.meta({
    ...sharedFields.accountId,
    description: "Only accounts that this account can be merged into with `banking.accounts.merge`.",
  }).optional(),
  ...page("bac"),
});

export const GetAccount = z.strictObject({ teamId, accountId: Id.meta(sharedFields.accountId) });

export const MergeAccounts = z.strictObject({
  teamId,
  accountId: Id.meta({ ...sharedFields.accountId, description: "The account that ends." }),
  intoAccountId: Id.meta(
    explained(
      "The account that continues, with its id and its connection. It has the same currency.",
      "bac_01kkfm1c20e2s9wq4mhz7b6t5n",
    ),
  ),
});
