import { BankError, type Institution, type InstitutionSearch } from "@purser/banking/ports";
import { type CountryCode, Products } from "plaid";
import type { PlaidContext } from "./context.ts";
import { mapPlaidInstitution } from "./mapping.ts";

const products = [Products.Transactions];

/** The most that Plaid returns at once. */
const pageSize = 500;

/** How long a list is kept. The next page of a caller then costs one request, and not all earlier ones again. */
const cacheMs = 10 * 60_000;

/** Bounds the work for one list. Plaid knows about 12,000 institutions. */
const maxLength = 20_000;

/** What was read of the list of some countries so far. */
interface ReadList {
  /** By id: an institution moves in Plaid's list when others are added before it. */
  found: Map<string, Institution>;
  offset: number;
  isComplete: boolean;
  until: number;
  /** The request that is under way. */
  reading: Promise<void> | undefined;
}

/** Searches the institutions of the configured countries. */
export function plaidInstitutions(plaid: PlaidContext) {
  const readAtLeast = createListReader(plaid);
  return async ({ query, country, atLeast = 1 }: InstitutionSearch): Promise<Institution[]> => {
    // Plaid refuses a search without countries.
    const countries = plaid.countryCodes.filter((code: string) => country === undefined || code === country);
    if (countries.length === 0) return [];
    const name = query?.trim();
    if (!name) return readAtLeast(countries, atLeast);
    const request = { query: name, products, country_codes: countries };
    const { institutions } = await plaid.call("institutionsSearch", request);
    return institutions.map((institution) => mapPlaidInstitution(institution, countries));
  };
}

/** Reads the list of all institutions of some countries, page by page, as far as a caller needs it. */
function createListReader(plaid: PlaidContext) {
  const lists = new Map<string, ReadList>();

  function listOf(countries: CountryCode[]): ReadList {
    const key = countries.join(" ");
    const now = plaid.now().getTime();
    const known = lists.get(key);
    if (known !== undefined && now < known.until) return known;
    const until = now + cacheMs;
    const list: ReadList = { found: new Map(), offset: 0, isComplete: false, until, reading: undefined };
    lists.set(key, list);
    return list;
  }

  async function readPage(list: ReadList, countries: CountryCode[]): Promise<void> {
    const range = { count: pageSize, offset: list.offset };
    const request = { ...range, options: { products }, country_codes: countries };
    const { institutions, total } = await plaid.call("institutionsGet", request);
    for (const institution of institutions)
      list.found.set(institution.institution_id, mapPlaidInstitution(institution, countries));
    // A page may have fewer, even none, because Plaid leaves out institutions without the products after it has counted.
    list.offset += pageSize;
    list.isComplete = list.offset >= total;
  }

  return async (countries: CountryCode[], rows: number): Promise<Institution[]> => {
    const list = listOf(countries);
    while (list.found.size < rows && !list.isComplete) {
      if (list.offset >= maxLength) throw new BankError("outage", "Plaid's list of institutions has no end");
      // Concurrent callers share the request.
      list.reading ??= readPage(list, countries).finally(() => {
        list.reading = undefined;
      });
      await list.reading;
    }
    return [...list.found.values()];
  };
}
