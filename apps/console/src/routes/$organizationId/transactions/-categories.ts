import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "../../../data/purser.ts";

const days = 365;

/** The categories that the organization's transactions have had within a year, for a field that offers them. */
export function useCategories(teamId: string): string[] {
  const range = useMemo(() => {
    const to = new Date(new Date().toISOString().slice(0, 10));
    return { from: new Date(to.getTime() - days * 86_400_000), to };
  }, []);
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
