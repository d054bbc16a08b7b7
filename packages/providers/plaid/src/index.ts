import { CountryCode, Products } from "plaid";
import {
  type Access,
  type AccountData,
  BankError,
  type BankProvider,
  type Institution,
  type InstitutionSearch,
} from "@purser/banking/ports";
import type { Numbers } from "./responses.ts";
import { type ApiCall, type Plaid, plaidClient } from "./client.ts";
import { openConsent, revoke, readConsentStatus } from "./consent.ts";
import { PlaidError } from "./errors.ts";
import { verificationKeys } from "./keys.ts";
import { completeLink, createLink } from "./link.ts";
import { accountFacts, changePage, institutionFacts } from "./mapping.ts";
import type { PlaidConfig } from "./settings.ts";
import { plaidWebhooks } from "./webhooks.ts";

/** Banks through Plaid: an item is a consent, and keeps a feed of changes. */
export function plaidBank(config: PlaidConfig): BankProvider {
  const plaid = shared(config);
  const { ask } = plaid;
  const keys = verificationKeys(ask);
  return {
    name: "plaid",
    unattendedReadsPerDay: null,
    feed: {
      kind: "cursor",
      // Of the time before the link it has two years at most, and a month until the rest is read.
      isComplete: false,
      changes: async (access, cursor, signal) => {
        const request = { access_token: plaid.tokenOf(access), count: 500 };
        return changePage(
          await ask("transactionsSync", cursor === null ? request : { ...request, cursor }, signal),
        );
      },
    },
    institutions: (search) => institutions(plaid, search),
    institution: (id) => plaid.institution(id),
    createLink: (request) => createLink(plaid, request),
    completeLink: (request, state) => completeLink(ask, request, state),
    openConsent: (reference) => openConsent(plaid, reference),
    standing: (access) => readConsentStatus(plaid, access),
    accounts: (access) => accounts(plaid, access),
    revoke: (access) => revoke(plaid, access),
    webhooks: plaidWebhooks(keys),
  };
}

function shared(config: PlaidConfig): Plaid {
  const { clock, environment, webhookUrl } = config;
  const { clientName = "Purser", retryPauseMs = 500 } = config;
  const countryCodes = (config.countryCodes ?? ["GB"]).map(countryOf);
  const ask = plaidClient(config);
  return {
    ask,
    webhookUrl,
    clientName,
    countryCodes,
    retryPauseMs,
    now: () => clock.now(),
    institution: async (id) => {
      const request = { institution_id: id, country_codes: countryCodes };
      const { institution } = await ask("institutionsGetById", request);
      return institutionFacts(institution, countryCodes);
    },
    tokenOf: ({ token }) => {
      if (token === null) throw new BankError("reauthorization_required", "The item's token was erased");
      // Plaid would call the token invalid, which is how it speaks of consents that have ended.
      if (!token.startsWith(`access-${environment}-`)) {
        throw new BankError("outage", "The item's token is of another environment of Plaid's");
      }
      return token;
    },
  };
}

function countryOf(code: string): CountryCode {
  const country = Object.values(CountryCode).find((known: string) => known === code);
  if (country === undefined) throw new Error(`Plaid has no banks in ${code}`);
  return country;
}

async function institutions(plaid: Plaid, { query, country }: InstitutionSearch): Promise<Institution[]> {
  // Elsewhere nothing can be linked, and Plaid would refuse the search.
  const countries = plaid.countryCodes.filter((code: string) => country === undefined || code === country);
  if (countries.length === 0) return [];
  const places = { country_codes: countries };
  const products = [Products.Transactions];
  const name = query?.trim();
  const { institutions: found } = name
    ? await plaid.ask("institutionsSearch", { query: name, products, ...places })
    : await plaid.ask("institutionsGet", { count: 100, offset: 0, options: { products }, ...places });
  return found.slice(0, 100).map((institution) => institutionFacts(institution, countries));
}

async function accounts(plaid: Plaid, access: Access): Promise<AccountData[]> {
  const request = { access_token: plaid.tokenOf(access) };
  const { accounts: listed } = await plaid.ask("accountsGet", request);
  const numbers = await numbersOf(plaid.ask, request);
  return listed.map((account) => accountFacts(account, numbers)).filter((facts) => facts !== null);
}

/** The numbers of all accounts; null where the bank, the person or our contract with Plaid keeps them from us. */
async function numbersOf(ask: ApiCall, request: { access_token: string }): Promise<Numbers | null> {
  try {
    return (await ask("authGet", request)).numbers;
  } catch (error) {
    if (error instanceof PlaidError && withoutNumbers(error)) return null;
    throw error;
  }
}

function withoutNumbers({ kind, code }: PlaidError): boolean {
  // The accounts were just read: what is refused here is the numbers alone.
  const isRefused = code === "ACCESS_NOT_GRANTED" || code === "ADDITIONAL_CONSENT_REQUIRED";
  return isRefused || kind === "not_supported" || kind === "not_ready";
}
