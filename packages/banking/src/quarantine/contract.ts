import { Id, bankQuarantineReasons, bankTransactionTypes, page } from "@purser/core";
import { z } from "zod";

const QuarantineReason = z.enum(bankQuarantineReasons).meta({ id: "BankQuarantineReason" });

export const QuarantinedBankData = z
  .object({
    id: z.string(),
    connectionId: z.string(),
    /** Null if the bank names no account that we know. */
    accountId: z.string().nullable(),
    /** The transaction that the entry contradicts, or that is missing at the bank. */
    transactionId: z.string().nullable(),
    /** The bank's id. */
    externalId: z.string(),
    reason: QuarantineReason,
    /** The transaction in question: as the bank reports it or, if it is missing there, as it was. */
    transaction: z
      .object({
        amount: z.int(),
        currency: z.string(),
        type: z.enum(bankTransactionTypes),
        description: z.string(),
        transactionDate: z.date(),
      })
      .nullable(),
    /** What cannot be read. */
    problem: z.string().nullable(),
    firstSeenAt: z.date(),
    lastSeenAt: z.date(),
  })
  .meta({ id: "QuarantinedBankData" });

export const ListQuarantine = z.strictObject({ teamId: Id, ...page("bqu") });

export const ResolveQuarantine = z.strictObject({
  teamId: Id,
  id: Id,
  /** `accept` takes the transaction into the list; `reject` leaves it out. */
  action: z.enum(["accept", "reject"]),
});
