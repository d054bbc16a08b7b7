import { readBaseUrl } from "./base-url.ts";
import { type CsvInputs, csvPaths } from "./generated/csv-lists.ts";
import { queryOf } from "./query-of.ts";

/**
 * Returns the address of a list as a CSV file, to its last item: for a link that a signed-in person follows, or for a program
 * that reads it with `fetch` and its own credential, such as the header `x-api-key`. `limit` and `after` do not apply.
 *
 * ```ts
 * const href = csvUrl("https://purser.example.com", "banking.transactions.list", { teamId, type: "DEBIT" });
 * ```
 *
 * @throws {TypeError} If `baseUrl` is not the address of a server.
 */
export function csvUrl<Name extends keyof CsvInputs>(
  baseUrl: string | URL,
  list: Name,
  input: CsvInputs[Name],
): string {
  const query = queryOf({ ...input, limit: undefined, after: undefined });
  return `${readBaseUrl(baseUrl)}${csvPaths[list]}.csv${query}`;
}
