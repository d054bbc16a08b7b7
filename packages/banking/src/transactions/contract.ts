import { Id, Instant, InstantUntil, explained, page, sharedFields, text } from "@purser/core";
import { z } from "zod";
import { BankTransactionType, RecentTransaction, bankFields } from "../accounts/contract.ts";
import { providerName, teamId } from "../contract.ts";

export const BankTransaction = RecentTransaction.extend({
  accountId: z.string().meta(sharedFields.accountId),
  account: z
    .object({
      id: z.string().meta(sharedFields.accountId),
      accountName: z.string().meta(bankFields.accountName),
      accountNumber: z.string().nullable().meta(bankFields.accountNumber),
      connection: z
        .object({
          id: z.string().meta(sharedFields.connectionId),
          provider: z.string().meta(providerName),
        })
        .meta(explained("The connection that reads the account.")),
    })
    .meta(explained("The account of the transaction.")),
}).meta({ id: "BankTransaction", description: "A booked transaction of a bank account, with its account." });

export const ListTransactions = z
  .strictObject({
    teamId,
    accountId: Id.meta({
      ...sharedFields.accountId,
      description: "Only transactions of this bank account. If absent, of all.",
    }).optional(),
    connectionId: Id.meta({
      ...sharedFields.connectionId,
      description: "Only transactions of this bank connection's accounts. If absent, of all.",
    }).optional(),
    from: Instant.meta({
      ...sharedFields.from,
      description: "Only transactions with a `transactionDate` from this time on, itself included.",
    }).optional(),
    to: InstantUntil.meta({
      ...sharedFields.to,
      description: "Only transactions with a `transactionDate` up to this time, itself included.",
    }).optional(),
    type: BankTransactionType.meta({
      description: "Only money in (`CREDIT`) or money out (`DEBIT`). If absent, both.",
    }).optional(),
    category: text(255)
      .meta(explained("Only transactions with exactly this `category`.", "SOFTWARE"))
      .optional(),
    ...page("btx"),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["from"], error: "Must not be after to" });
