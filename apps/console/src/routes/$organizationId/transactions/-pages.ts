import type { BankTransaction, BankingTransactionsListInput, ListPage } from "@purser/client";
import { useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { failedQuery } from "../../../data/failed-query.ts";
import { purser, queries } from "../../../data/purser.ts";
import { newChain, pageSize, rowsOfPages, withPage } from "./-page-chain.ts";

/** How many rows before they come into view they are read. */
const ahead = 150;
/** How long a page is kept that has left the view. It bounds the memory of a list of a million rows. */
const keptMs = 20_000;

/** Reads the pages around the rows in view, and only those. */
export function useTransactionPages(
  input: BankingTransactionsListInput,
  view: { first: number; last: number },
) {
  const [chain, setChain] = useState(newChain);
  const from = Math.max(0, Math.floor((view.first - ahead / 2) / pageSize));
  const to = Math.min(chain.cursors.length - 1, Math.floor((view.last + ahead) / pageSize));
  const start = Math.min(from, to);
  const indexes = Array.from({ length: to - start + 1 }, (_, offset) => start + offset);
  const pages = useQueries({
    queries: indexes.map((index) => pageOptions(input, chain.cursors[index] ?? null)),
  });
  const read = pages.map(({ data }) => data);
  // After every rendering, as any of the pages may have changed. A chain that stays the same renders nothing again.
  useEffect(() => {
    setChain((known) =>
      read.reduce((next, page, offset) => (page ? withPage(next, start + offset, page) : next), known),
    );
  });
  const failed = failedQuery(...pages);
  return {
    count: rowsOfPages(chain),
    total: chain.total,
    isEmpty: chain.total === 0,
    rowAt: (index: number): BankTransaction | undefined =>
      read[Math.floor(index / pageSize) - start]?.items[index % pageSize],
    error: failed?.error ?? null,
    /** Begins again, because a cursor is void once its transaction is gone. */
    retry: () => {
      setChain(newChain);
      for (const page of pages) void page.refetch();
    },
  };
}

function pageOptions(input: BankingTransactionsListInput, after: string | null) {
  const own = { ...input, limit: pageSize, ...(after !== null && { after }) };
  return {
    // Apart from the same query without its cursor, whose data has another shape.
    queryKey: [...queries.banking.transactions.list.queryKey(own), "page"],
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<ListPage<BankTransaction>> =>
      purser.banking.transactions.list.page(own, { signal }),
    gcTime: keptMs,
  };
}
