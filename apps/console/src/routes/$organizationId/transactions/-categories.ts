import { useQuery } from "@tanstack/react-query";
import { useToday } from "../../../data/organization.ts";
import { queries } from "../../../data/purser.ts";
import { rangeOfSpan, spanOfDays } from "../../../data/report-days.ts";

/** As many as a report covers at most, with today. */
const days = 730;

/** The categories that the organization's transactions have had within two years, for a field that offers them. */
export function useCategories(teamId: string): string[] {
  const range = rangeOfSpan(spanOfDays(useToday(), days));
  const { data = [] } = useQuery({
    ...queries.banking.reports.cashflow.queryOptions({
      teamId,
      ...range,
      interval: "month",
      groupBy: "category",
    }),
    select: (periods) => [...new Set(periods.flatMap(({ category }) => category ?? []))].toSorted(),
  });
  return data;
}
