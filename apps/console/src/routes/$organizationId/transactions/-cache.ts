import type { BankTransaction } from "@purser/client";
import type { QueryClient } from "@tanstack/react-query";
import { queries } from "../../../data/purser.ts";
import { withTransaction } from "./-cached-data.ts";

const { get, list } = queries.banking.transactions;

/** The transaction as every page shows it now, if one has read it. */
export const shownTransaction = (client: QueryClient, teamId: string, transactionId: string) =>
  client.getQueryData<BankTransaction>(get.queryKey({ teamId, transactionId }));

/** Shows a changed transaction everywhere, without reading anything again. */
export function replaceTransaction(client: QueryClient, teamId: string, changed: BankTransaction): void {
  client.setQueryData(get.queryKey({ teamId, transactionId: changed.id }), changed);
  client.setQueriesData<unknown>({ queryKey: list.queryKey() }, (data: unknown) =>
    withTransaction(data, changed),
  );
}
