import type { BankTransaction } from "@purser/client";

/** Replaces a transaction in what a query of the list holds: its items, or a page of them. */
export function withTransaction(data: unknown, changed: BankTransaction): unknown {
  if (Array.isArray(data))
    return (data as BankTransaction[]).map((item) => (item.id === changed.id ? changed : item));
  const page = data as { items?: BankTransaction[] } | undefined;
  return page?.items === undefined ? data : { ...page, items: withTransaction(page.items, changed) };
}
