import {
  BankBalances,
  BankCashflow,
  ReportBalances,
  ReportCashflow,
  reportBalances,
  reportCashflow,
} from "@purser/banking/reports";
import { z } from "zod";
import { checkRange, fromReplica, inOrganization, userProcedure } from "../trpc.ts";

export const reports = {
  balances: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/reports/balances" },
      summary: "Reports the closing balance of each of a team's bank accounts on each day.",
      access: "member",
      returns: "The accounts, newest first, each with its balances, oldest first.",
      errors: ["ORGANIZATION_NOT_FOUND", "BANK_ACCOUNT_NOT_FOUND", "SUM_TOO_LARGE"],
    })
    .input(ReportBalances)
    .output(z.array(BankBalances))
    .use(checkRange)
    .use(inOrganization("member"))
    .use(fromReplica)
    .query(({ ctx, input }) => reportBalances(ctx, input)),

  cashflow: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/reports/cashflow" },
      summary:
        "Reports the money in and out of a team's bank accounts by day, week or month. A transfer between two of these accounts counts twice: as money out of the one, and as money in for the other. With `groupBy` you can skip a category of transfers, which is not exact: a bank also puts payments of other people in it, and a transfer to savings or investments in another. Accounts of all types count, so a refund or a payment to a credit card is money in. Currencies are not converted.",
      access: "member",
      returns:
        "The periods of each currency and, with `groupBy`, of each category that has money in the report, oldest period first. A currency without money has zeros, with `groupBy` under `category` null.",
      errors: ["ORGANIZATION_NOT_FOUND", "BANK_ACCOUNT_NOT_FOUND", "SUM_TOO_LARGE"],
    })
    .input(ReportCashflow)
    .output(z.array(BankCashflow))
    .use(checkRange)
    .use(inOrganization("member"))
    .use(fromReplica)
    .query(({ ctx, input }) => reportCashflow(ctx, input)),
};
