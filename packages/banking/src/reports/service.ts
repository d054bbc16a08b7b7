import { Problem, eachDay, reportDays } from "@purser/core";
import type { ListContext } from "@purser/organizations";
import type { z } from "zod";
import type { ReportBalances, ReportCashflow } from "./contract.ts";
import { closingBalances, periodsOf, withEmptyPeriods } from "./rules.ts";
import { listAccountNets, listCurrencies, sumPeriods } from "./store.ts";

/** Computes closing balances backwards from the present one, in minor units. Days after today are left out. */
export async function reportBalances(ctx: ListContext, input: z.output<typeof ReportBalances>) {
  const { teamId: organizationId, accountId } = input;
  const now = ctx.clock.now();
  const days = reportDays(input, ctx.organization.timeZone, now);
  // Without days the accounts are still listed.
  const period = days ?? { first: noDay, last: noDay };
  const nets = await listAccountNets(ctx.readDb, { organizationId, accountId, days: period });
  if (accountId !== undefined && nets.length === 0) throw new Problem("BANK_ACCOUNT_NOT_FOUND");
  const dates = days === null ? [] : eachDay(days);
  return [...Map.groupBy(nets, (net) => net.accountId)].map(([id, ofAccount]) => ({
    accountId: id,
    currency: ofAccount[0]!.currency,
    points: closingBalances(ofAccount, dates),
  }));
}

/** After every day of a bank. */
const noDay = "9999-12-31";

/**
 * Adds up posted transactions by period and currency, in minor units. Periods without money have zeros. A report that begins
 * after today is empty.
 */
export async function reportCashflow(ctx: ListContext, input: z.output<typeof ReportCashflow>) {
  const { teamId: organizationId, accountId, interval, groupBy } = input;
  const days = reportDays(input, ctx.organization.timeZone, ctx.clock.now());
  const currencies = await listCurrencies(ctx.readDb, { organizationId, accountId });
  if (accountId !== undefined && currencies.length === 0) throw new Problem("BANK_ACCOUNT_NOT_FOUND");
  if (days === null) return [];
  const isGrouped = groupBy === "category";
  const totals = await sumPeriods(ctx.readDb, { organizationId, accountId, days }, interval, isGrouped);
  return withEmptyPeriods(totals, currencies, periodsOf(days, interval), isGrouped);
}
