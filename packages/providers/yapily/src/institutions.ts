import { BankError, type Institution, type InstitutionSearch } from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import type { YapilyClient } from "./client.ts";
import { unreadableError } from "./errors.ts";

type Listed = Schemas["Institution"] & { id: string };

/** The institutions of the application. Yapily gives them all at once, or none. */
export interface InstitutionDirectory {
  search(search: InstitutionSearch): Promise<Institution[]>;
  /** Throws `institution_not_found`. */
  find(id: string): Promise<Institution>;
  /** What an institution can do. Throws `institution_not_found`. */
  features(id: string): Promise<readonly Schemas["Feature"][]>;
}

/** The list is long and changes a few times a week. */
const keptMs = 10 * 60_000;
const mostResults = 100;

export function institutionDirectory(yapily: YapilyClient): InstitutionDirectory {
  let kept: { list: Promise<Map<string, Listed>>; until: number } | undefined;

  /** Everybody who asks while the list is on its way waits for the same answer; a failure is not kept. */
  function list(): Promise<Map<string, Listed>> {
    const now = yapily.clock.now().getTime();
    if (kept !== undefined && now < kept.until) return kept.list;
    const fetched = { list: fetchAll(yapily), until: now + keptMs };
    kept = fetched;
    fetched.list.catch(() => {
      if (kept === fetched) kept = undefined;
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
      const sought = query.trim().toLowerCase();
      return [...(await list()).values()]
        .filter(({ features }) => offersAccounts(features ?? []))
        .filter((bank) => country === undefined || countries(bank).includes(country))
        .filter((bank) => names(bank).some((name) => name.includes(sought)))
        .map((bank) => ({ ...institution(bank), ...(country !== undefined && { country }) }))
        .toSorted((a, b) => rank(a, sought) - rank(b, sought) || a.name.localeCompare(b.name, "en"))
        .slice(0, mostResults);
    },
    find: async (id) => institution(await listed(id)),
    features: async (id) => (await listed(id)).features ?? [],
  };
}

/** Whether a person can be sent to this bank to share accounts and transactions. Many only take payments. */
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
  if (!Array.isArray(data)) throw unreadableError(name, "no list");
  return new Map(data.flatMap((bank) => (bank.id ? [[bank.id, { ...bank, id: bank.id }]] : [])));
}

function institution(bank: Listed): Institution {
  const logo = ["logo", "icon"].map((type) => bank.media?.find((media) => media.type === type)?.source);
  return {
    id: bank.id,
    name: bank.name ?? bank.fullName ?? bank.id,
    // ZZ is ISO 3166's code for a country that is not known.
    country: countries(bank)[0] ?? "ZZ",
    logoUrl: logo.find((source) => source?.startsWith("https://")) ?? null,
  };
}

function countries({ countries: list }: Listed): string[] {
  return (list ?? []).flatMap(({ countryCode2 }) => (countryCode2 ? [countryCode2.toUpperCase()] : []));
}

function names({ name, fullName }: Listed): string[] {
  return [name ?? "", fullName ?? ""].map((text) => text.toLowerCase());
}

/** Names that begin with what is sought come first. */
function rank({ name }: Institution, sought: string): number {
  return name.toLowerCase().startsWith(sought) ? 0 : 1;
}
