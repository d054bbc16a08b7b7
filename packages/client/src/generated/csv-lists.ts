// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

import type * as Purser from "./purser-client.ts";

/** The REST addresses of the lists that the server also writes as CSV. */
export const csvPaths = {
  "cards.transactions.list": "/api/cards/transactions",
  "banking.transactions.list": "/api/banking/transactions",
} as const;

/** The inputs of these lists. */
export interface CsvInputs {
  "cards.transactions.list": Purser.CardsTransactionsListInput;
  "banking.transactions.list": Purser.BankingTransactionsListInput;
}
