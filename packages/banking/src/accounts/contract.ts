import { Id, bankAccountTypes, bankTransactionTypes, page } from "@purser/core";
import { z } from "zod";

const BankAccountType = z.enum(bankAccountTypes).meta({ id: "BankAccountType" });

export const BankTransactionType = z.enum(bankTransactionTypes).meta({ id: "BankTransactionType" });

export const BankAccount = z
  .object({
    id: z.string(),
    connectionId: z.string(),
    accountName: z.string(),
    accountNumber: z.string().nullable(),
    sortCode: z.string().nullable(),
    currency: z.string(),
    type: BankAccountType,
    balance: z.int(),
    availableBalance: z.int().nullable(),
    connection: z.object({ id: z.string(), provider: z.string(), status: z.string() }),
  })
  .meta({ id: "BankAccount" });

export const RecentTransaction = z
  .object({
    id: z.string(),
    amount: z.int(),
    currency: z.string(),
    description: z.string(),
    transactionDate: z.date(),
    type: BankTransactionType,
    category: z.string().nullable(),
  })
  .meta({ id: "RecentBankTransaction" });

export const BankAccountDetails = BankAccount.extend({
  transactionCount: z.int(),
  recentTransactions: z.array(RecentTransaction),
}).meta({ id: "BankAccountDetails" });

export const ListAccounts = z.strictObject({ teamId: Id, connectionId: Id.optional(), ...page("bac") });

export const GetAccount = z.strictObject({ teamId: Id, accountId: Id });

export const MergeAccounts = z.strictObject({
  teamId: Id,
  /** The account that ends. */
  accountId: Id,
  /** The account that continues, with its id and its connection. */
  intoAccountId: Id,
});
