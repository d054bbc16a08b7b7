import { BankError, type Institution, type InstitutionSearch } from "@purser/banking/ports";
import { foldText, hasWordsOf, unknownCountry } from "@purser/core";
import type { Schemas } from "./api.ts";
import type { YapilyClient } from "./client.ts";
import { unreadableError } from "./errors.ts";

type Listed = Schemas["Institution"] & {
  id: string;
  /** Its names, folded for searches. */
  searched: string[];
};

/** The institutions of the application. Yapily returns all of them in one response. */
export interface InstitutionDirectory {
  search(search: InstitutionSearch): Promise<Institution[]>;
  /** Throws `institution_not_found`. */
  find(id: string): Promise<Institution>;
  /**
   * The time zone of an institution's days; UTC if its country is not known. `country` decides about one that is in several, or is
   * no longer listed.
   */
  timeZone(id: string, country: string | undefined): Promise<string>;
  /** The features of an institution. Throws `institution_not_found`. */
  features(id: string): Promise<readonly Schemas["Feature"][]>;
}

/** The list is long, and changes a few times per week. */
const cacheMs = 10 * 60_000;

/** Compares faster than `localeCompare`, which matters for thousands of institutions. */
const byName = new Intl.Collator("en");

/** The time zones in which the banks of these countries book, by ISO 3166-1 alpha-2. */
const timeZones: Readonly<Record<string, string>> = {
  AT: "Europe/Vienna",
  BE: "Europe/Brussels",
  BG: "Europe/Sofia",
  CH: "Europe/Zurich",
  CY: "Asia/Nicosia",
  CZ: "Europe/Prague",
  DE: "Europe/Berlin",
  DK: "Europe/Copenhagen",
  EE: "Europe/Tallinn",
  ES: "Europe/Madrid",
  FI: "Europe/Helsinki",
  FR: "Europe/Paris",
  GB: "Europe/London",
  GR: "Europe/Athens",
  HR: "Europe/Zagreb",
  HU: "Europe/Budapest",
  IE: "Europe/Dublin",
  IS: "Atlantic/Reykjavik",
  IT: "Europe/Rome",
  LI: "Europe/Vaduz",
  LT: "Europe/Vilnius",
  LU: "Europe/Luxembourg",
  LV: "Europe/Riga",
  MT: "Europe/Malta",
  NL: "Europe/Amsterdam",
  NO: "Europe/Oslo",
  PL: "Europe/Warsaw",
  PT: "Europe/Lisbon",
  RO: "Europe/Bucharest",
  SE: "Europe/Stockholm",
  SI: "Europe/Ljubljana",
  SK: "Europe/Bratislava",
};

export function institutionDirectory(yapily: YapilyClient): InstitutionDirectory {
  let cached: { list: Promise<Map<string, Listed>>; until: number } | undefined;

  /** Concurrent callers share one request. A failure is not cached. */
  function list(): Promise<Map<string, Listed>> {
    const now = yapily.clock.now().getTime();
    if (cached !== undefined && now < cached.until) return cached.list;
    const fetched = { list: fetchAll(yapily), until: now + cacheMs };
    cached = fetched;
    fetched.list.catch(() => {
      if (cached === fetched) cached = undefined;
    });
    return fetched.list;
  }

  async function listed(id: string): Promise<Listed> {
    const found = (await list()).get(id);
    if (found === undefined) throw new BankError("institution_not_found", "Yapily: no such institution");
    return found;
  }

  return {
    async search({ query = "", country }) {
      const sought = foldText(query).trim();
      return [...(await list()).values()]
        .filter(({ features }) => offersAccounts(features ?? []))
        .filter((bank) => country === undefined || countries(bank).includes(country))
        .filter(({ searched }) => searched.some((name) => hasWordsOf(name, sought)))
        .toSorted((a, b) => rank(a, sought) - rank(b, sought) || byName.compare(nameOf(a), nameOf(b)))
        .map((bank) => ({ ...institution(bank), ...(country !== undefined && { country }) }));
    },
    find: async (id) => institution(await listed(id)),
    timeZone: async (id, country = "") => {
      const bank = (await list()).get(id);
      const [first = country, ...others] = bank ? countries(bank) : [];
      return timeZones[others.includes(country) ? country : first] ?? "Etc/UTC";
    },
    features: async (id) => (await listed(id)).features ?? [],
  };
}

/** Whether a person can share accounts and transactions of this bank on its page. Many banks only support payments. */
export function offersAccounts(features: readonly Schemas["Feature"][]): boolean {
  const accounts: Schemas["Feature"][] = ["ACCOUNTS", "ACCOUNTS_WITHOUT_BALANCE"];
  return (
    features.includes("INITIATE_ACCOUNT_REQUEST") &&
    features.includes("ACCOUNT_TRANSACTIONS") &&
    accounts.some((feature) => features.includes(feature))
  );
}

async function fetchAll(yapily: YapilyClient): Promise<Map<string, Listed>> {
  const name = "GET /institutions";
  const { data } = await yapily.call(name, (api, signal) => api.GET("/institutions", { signal }));
  if (!Array.isArray(data)) throw unreadableError(name, "no array");
  return new Map(
    data.flatMap(({ id, ...bank }) => {
      const searched = [bank.name, bank.fullName].map((text) => foldText(text ?? ""));
      return id ? [[id, { ...bank, id, searched }]] : [];
    }),
  );
}

function institution(bank: Listed): Institution {
  const logo = ["logo", "icon"].map((type) => bank.media?.find((media) => media.type === type)?.source);
  return {
    id: bank.id,
    name: nameOf(bank),
    country: countries(bank)[0] ?? unknownCountry,
    logoUrl: logo.find((source) => source?.startsWith("https://")) ?? null,
  };
}

const nameOf = ({ name, fullName, id }: Listed): string => name ?? fullName ?? id;

function countries({ countries: list }: Listed): string[] {
  return (list ?? []).flatMap(({ countryCode2 }) => (countryCode2 ? [countryCode2.toUpperCase()] : []));
}

/** Names that begin with the query come first. */
function rank({ searched }: Listed, sought: string): number {
  return searched.some((name) => name.startsWith(sought)) ? 0 : 1;
}
