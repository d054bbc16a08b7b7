import {
  Amount,
  Id,
  Instant,
  InstantUntil,
  bankTransactionStatuses,
  explained,
  explainedValues,
  page,
  sharedFields,
  text,
  wordsOf,
} from "@purser/core";
import { z } from "zod";
import { BankTransactionType, RecentTransaction, bankFields } from "../accounts/contract.ts";
import { providerName, teamId } from "../contract.ts";

const statusTexts = {
  POSTED: "posted by the bank.",
  PENDING: "not posted yet. Amount, day and description may still change.",
};

const noteText = explained(
  "A person's note, in 1 to 1000 characters. Null if there is none. No sync changes it.",
  "Invoice 2026-031, approved by the owner",
);

export const BankTransaction = RecentTransaction.extend({
  status: z.enum(bankTransactionStatuses).meta({
    id: "BankTransactionStatus",
    ...explainedValues(bankTransactionStatuses, "Whether the bank has posted the transaction.", statusTexts),
  }),
  merchantName: z
    .string()
    .nullable()
    .meta(
      explained(
        "The merchant's name, where the bank or its provider reports it separately from the description. Null otherwise.",
        "Cloudstack",
      ),
    ),
  note: z.string().nullable().meta(noteText),
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
}).meta({ id: "BankTransaction", description: "A transaction of a bank account, with its account." });

const listedStatuses = [...bankTransactionStatuses, "ALL"] as const;

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
    status: z
      .enum(listedStatuses)
      .default("POSTED")
      .meta(
        explainedValues(listedStatuses, "Only transactions with this `status`.", {
          ...statusTexts,
          ALL: "posted and pending ones.",
        }),
      ),
    query: text(200)
      .refine((query) => wordsOf(query).length > 0, { error: "Must contain a word" })
      .meta(
        explained(
          "Only transactions of which the description or the merchant name has, for each word of this text, a word that begins with it. Upper and lower case are the same, and so are letters with and without accents.",
          "cloud host",
        ),
      )
      .optional(),
    minAmount: Amount.min(0)
      .meta(explained("Only amounts from this one on, itself included, in minor units.", 1000))
      .optional(),
    maxAmount: Amount.min(0)
      .meta(explained("Only amounts up to this one, itself included, in minor units.", 50_000))
      .optional(),
    ...page("btx"),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["from"], error: "Must not be after to" })
  .refine(({ minAmount = 0, maxAmount = Infinity }) => minAmount <= maxAmount, {
    path: ["minAmount"],
    error: "Must not be over maxAmount",
  });

const transactionId = Id.meta(bankFields.transactionId);

export const GetTransaction = z.strictObject({ teamId, transactionId });

export const UpdateTransaction = z.strictObject({
  teamId,
  transactionId,
  category: text(255)
    .trim()
    .min(1)
    .nullable()
    .meta(
      explained(
        "The category to show instead of the bank's, in 1 to 255 characters. Null shows the bank's again. If absent, it stays.",
        "MARKETING",
      ),
    )
    .optional(),
  note: text(1000)
    .trim()
    .min(1)
    .nullable()
    .meta({
      ...noteText,
      description: "The note, in 1 to 1000 characters. Null removes it. If absent, it stays.",
    })
    .optional(),
});
