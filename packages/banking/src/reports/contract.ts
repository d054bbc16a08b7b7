import {
  Amount,
  Id,
  explained,
  explainedValues,
  isRange,
  notARange,
  reportRange,
  sharedFields,
} from "@purser/core";
import { z } from "zod";
import { teamId } from "../contract.ts";

const accountId = Id.meta({
  ...sharedFields.accountId,
  description: "Only this bank account. If absent, all of the team.",
}).optional();

export const ReportBalances = z
  .strictObject({ teamId, accountId, ...reportRange })
  .refine(isRange, notARange);

export const BankBalances = z
  .object({
    accountId: z.string().meta(sharedFields.accountId),
    currency: z.string().meta(sharedFields.currency),
    points: z
      .array(
        z
          .object({
            date: z.string().meta(explained("The day, as `YYYY-MM-DD`.", "2026-03-02")),
            balance: Amount.meta(
              explained(
                "What the account was worth to its owner at the end of the day, in minor units of its currency. Debt is negative.",
                125_000,
              ),
            ),
          })
          .meta(explained("The balance of one day.")),
      )
      .meta(
        explained(
          "Each day of the report, oldest first. A day before the first transaction that the bank has shown has the balance before that transaction. While the bank has yet to add earlier days, the points begin on the day before the account's first transaction, and an account without one has none. Empty while the balance and the transactions are not of the same reading of the bank: because the team withholds one of them, the bank sends no balance, or its provider lists no transactions of such an account.",
        ),
      ),
  })
  .meta({
    id: "BankBalances",
    description:
      "The closing balances of a bank account by day, computed backwards from its present balance and its posted transactions.",
  });

const intervals = ["day", "week", "month"] as const;
export type CashflowInterval = (typeof intervals)[number];

export const ReportCashflow = z
  .strictObject({
    teamId,
    accountId,
    ...reportRange,
    interval: z.enum(intervals).meta(
      explainedValues(intervals, "The length of a period.", {
        day: "a calendar day.",
        week: "a week from Monday.",
        month: "a calendar month.",
      }),
    ),
    groupBy: z
      .literal("category")
      .meta(explained("`category` splits each period by the category of the transactions.", "category"))
      .optional(),
  })
  .refine(isRange, notARange);

export const BankCashflow = z
  .object({
    currency: z.string().meta(sharedFields.currency),
    start: z
      .string()
      .meta(
        explained(
          "The first day of the period, as `YYYY-MM-DD`. It may be before `from`: only days within `from` and `to` count.",
          "2026-03-02",
        ),
      ),
    moneyIn: Amount.meta(explained("The sum of the money in, in minor units. 0 or more.", 420_000)),
    moneyOut: Amount.meta(explained("The sum of the money out, in minor units. 0 or more.", 133_750)),
    category: z
      .string()
      .nullable()
      .optional()
      .meta(
        explained(
          "The category of the transactions: your own, or else the bank's. Null for those without one. Absent unless `groupBy` is `category`.",
          "SOFTWARE",
        ),
      ),
  })
  .meta({
    id: "BankCashflow",
    description:
      "Money in and out of bank accounts in one period and one currency, by their posted transactions, transfers between these accounts included. Periods without transactions have zeros.",
  });
