import {
  Id,
  bankQuarantineReasons,
  exampleIds,
  explained,
  explainedValues,
  openText,
  page,
  sharedFields,
} from "@purser/core";
import { z } from "zod";
import { BankTransactionType, bankFields } from "../accounts/contract.ts";
import { teamId } from "../contract.ts";

const QuarantineReason = openText(bankQuarantineReasons).meta({
  id: "BankQuarantineReason",
  ...explainedValues(bankQuarantineReasons, "Why the data needs a decision. More reasons may be added.", {
    DIFFERENT_AMOUNT: "a posted transaction came again with another amount, direction or currency.",
    MISSING_FROM_WINDOW:
      "the bank no longer lists a posted transaction on its day, or has not listed it since the account was linked again.",
    UNREADABLE:
      "an account or a transaction has no readable amount, currency or day, or the bank refuses the transactions of an account.",
    UNKNOWN_ACCOUNT: "a transaction belongs to an account that the bank does not list.",
  }),
});

const entryId = explained("The id of the entry in the quarantine.", exampleIds.bqu);

export const QuarantinedBankData = z
  .object({
    id: z.string().meta(entryId),
    connectionId: z.string().meta(sharedFields.connectionId),
    accountId: z
      .string()
      .nullable()
      .meta({
        ...sharedFields.accountId,
        description: "The bank account's id. Null if the bank names no known account.",
      }),
    transactionId: z
      .string()
      .nullable()
      .meta({
        ...bankFields.transactionId,
        description:
          "The bank transaction that the entry contradicts, or that is missing at the bank. Null if there is none.",
      }),
    externalId: z
      .string()
      .meta(
        explained("The bank's id of the transaction or account.", "txn-5b1c0f7a9e3d4826a1f0c2d4e6b8a790"),
      ),
    reason: QuarantineReason,
    transaction: z
      .object({
        amount: z.int().meta(bankFields.amount),
        currency: z.string().meta(sharedFields.currency),
        type: BankTransactionType,
        description: z.string().meta(bankFields.description),
        transactionDate: z.date().meta(bankFields.transactionDate),
      })
      .nullable()
      .meta(
        explained(
          "The transaction as the bank reports it now or, if it is missing there, as it was. Null if it cannot be read.",
        ),
      ),
    problem: z
      .string()
      .nullable()
      .meta(
        explained(
          "What cannot be read, as a sentence. Null for a readable transaction.",
          "The transaction has no currency",
        ),
      ),
    canAccept: z
      .boolean()
      .meta(
        explained(
          "Whether the transaction can be accepted. What cannot be read, or is about a transaction that was removed, can only be rejected.",
          true,
        ),
      ),
    firstSeenAt: z
      .date()
      .meta(explained("When a sync found it first.", new Date("2026-03-12T06:00:00.000Z"))),
    lastSeenAt: z.date().meta(explained("When a sync found it last.", new Date("2026-03-14T06:00:00.000Z"))),
  })
  .meta({ id: "QuarantinedBankData", description: "Bank data that an owner has to accept or reject." });

export const ListQuarantine = z.strictObject({ teamId, ...page("bqu") });

const resolutions = ["accept", "reject"] as const;

export const ResolveQuarantine = z.strictObject({
  teamId,
  id: Id.meta(entryId),
  action: z.enum(resolutions).meta(
    explainedValues(
      resolutions,
      "What to do with the transaction. Data that cannot be read can only be rejected.",
      {
        accept:
          "takes the transaction into the list as the bank reports it; a missing one comes back as it was.",
        reject: "leaves it out, also when the bank reports the same again.",
      },
    ),
  ),
});
