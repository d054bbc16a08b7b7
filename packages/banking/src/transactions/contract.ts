import { Id, Instant, InstantUntil, page, text } from "@purser/core";
import { z } from "zod";
import { BankTransactionType, RecentTransaction } from "../accounts/contract.ts";

export const BankTransaction = RecentTransaction.extend({
  accountId: z.string(),
  account: z.object({
    id: z.string(),
    accountName: z.string(),
    accountNumber: z.string().nullable(),
    connection: z.object({ id: z.string(), provider: z.string() }),
  }),
}).meta({ id: "BankTransaction" });

export const ListTransactions = z
  .strictObject({
    teamId: Id,
    accountId: Id.optional(),
    connectionId: Id.optional(),
    from: Instant.optional(),
    to: InstantUntil.optional(),
    type: BankTransactionType.optional(),
    category: text(255).optional(),
    ...page("btx"),
  })
  .refine(({ from, to }) => !from || !to || from <= to, { path: ["from"], error: "Must not be after to" });
