import {
  type Access,
  type AccountData,
  BankError,
  type BankProvider,
  type ReportUnreadable,
  mapReadable,
} from "@purser/banking/ports";
import { Configuration, CountryCode, PlaidApi, PlaidEnvironments } from "plaid";
import type { z } from "zod";
import type { PlaidCall, PlaidContext } from "./context.ts";
import { exchangePlaidToken, openPlaidConsent, readPlaidConsentStatus, removePlaidItem } from "./consents.ts";
import { PlaidError, plaidError } from "./errors.ts";
import { plaidInstitutions } from "./institutions.ts";
import { createKeyCache } from "./keys.ts";
import { completePlaidLink, createPlaidLink } from "./links.ts";
import { accountNumbersScope, mapPlaidAccount, mapPlaidChanges, mapPlaidInstitution } from "./mapping.ts";
import { createPlaidRefresh } from "./refresh.ts";
import { type PlaidAccount, type PlaidNumbers, parseExactJson, responseSchemas } from "./responses.ts";
import type { PlaidConfig } from "./settings.ts";
import { plaidWebhooks } from "./webhooks.ts";

/**
 * Reads banks through Plaid. An item at Plaid is a consent. Plaid keeps a change feed for each item and sends webhooks
 * when it has new ones.
 */
export function plaidBank(config: PlaidConfig): BankProvider {
  const plaid = plaidContext(config);
  const { call } = plaid;
  const keys = createKeyCache(call);
  return {
    name: "plaid",
    unattendedReadsPerDay: null,
    feed: {
      kind: "cursor",
      // The feed starts at most two years before the link, and with about a month until Plaid has read the rest.
      isComplete: false,
      changes: async (access, cursor, signal, report) => {
        const request = { access_token: plaid.tokenOf(access), count: 500 };
        return mapPlaidChanges(
          await call("transactionsSync", cursor === null ? request : { ...request, cursor }, signal),
          report,
        );
      },
    },
    institutions: plaidInstitutions(plaid),
    institution: (id) => plaid.institution(id),
    createLink: (request) => createPlaidLink(plaid, request),
    completeLink: (request, state) => completePlaidLink(call, request, state),
    exchangeConsent: (reference) => exchangePlaidToken(plaid, reference),
    openConsent: (reference, token) => openPlaidConsent(plaid, reference, token),
    consentStatus: (access) => readPlaidConsentStatus(plaid, access),
    ...(config.refreshesOnRequest && { refresh: createPlaidRefresh(plaid) }),
    accounts: (access, report) => accounts(plaid, access, report),
    revoke: (access) => removePlaidItem(plaid, access),
    webhooks: plaidWebhooks(keys),
  };
}

function plaidContext(config: PlaidConfig): PlaidContext {
  const { clock, environment, webhookUrl, clientName, language, daysRequested } = config;
  const countryCodes = config.countryCodes.map(countryOf);
  const call = createPlaidClient(config);
  return {
    call,
    webhookUrl,
    clientName,
    language,
    daysRequested,
    countryCodes,
    now: () => clock.now(),
    institution: async (id) => {
      const request = { institution_id: id, country_codes: countryCodes };
      const { institution } = await call("institutionsGetById", request);
      return mapPlaidInstitution(institution, countryCodes);
    },
    tokenOf: ({ token }) => {
      if (token === null) throw new BankError("reauthorization_required", "The item has no token any more");
      // Plaid would answer INVALID_ACCESS_TOKEN, as it does for an ended consent.
      if (!token.startsWith(`access-${environment}-`)) {
        throw new BankError("outage", "The item's token belongs to another Plaid environment");
      }
      return token;
    },
  };
}

function createPlaidClient(config: PlaidConfig): PlaidCall {
  const { clientId, secret, environment, timeoutMs = 20_000 } = config;
  const basePath = config.basePath ?? PlaidEnvironments[environment];
  if (basePath === undefined) throw new Error(`Plaid has no environment ${environment}`);
  const baseOptions = {
    headers: { "PLAID-CLIENT-ID": clientId, "PLAID-SECRET": secret },
    transformResponse: [parseExactJson],
    // A redirect would send the credentials to another host.
    maxRedirects: 0,
  };
  const api = new PlaidApi(new Configuration({ basePath, baseOptions }));

  return async (operation, request, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const options = { signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
    const send = api[operation] as (request: unknown, options: object) => Promise<{ data: unknown }>;
    const { data } = await send.call(api, request, options).catch((error: unknown) => {
      throw plaidError(operation, error);
    });
    const response = responseSchemas[operation].safeParse(data);
    if (response.success) return response.data as z.infer<(typeof responseSchemas)[typeof operation]>;
    const invalid = response.error.issues.map(({ path, code }) => `${path.join(".")} ${code}`);
    throw new PlaidError("outage", `${operation} returned an invalid response: ${invalid.join(", ")}`);
  };
}

/** The settings hold the values of the SDK's enum. */
const countryOf = (code: `${CountryCode}`): CountryCode =>
  Object.values(CountryCode).find((known: string) => known === code)!;

async function accounts(
  plaid: PlaidContext,
  access: Access,
  report: ReportUnreadable | undefined,
): Promise<AccountData[]> {
  const request = { access_token: plaid.tokenOf(access) };
  const { accounts: listed } = await plaid.call("accountsGet", request);
  const { withheldScopes } = access;
  const numbers = withheldScopes?.has(accountNumbersScope) ? null : await readNumbers(plaid.call, request);
  const keyOf = ({ account_id: accountId }: PlaidAccount) =>
    ({ kind: "account", accountId, externalId: null }) as const;
  const map = (account: PlaidAccount) => mapPlaidAccount(account, numbers, withheldScopes);
  return mapReadable(listed, map, keyOf, report);
}

/** Reads the numbers of all accounts; null if the bank, the person or our contract with Plaid withholds them. */
async function readNumbers(call: PlaidCall, request: { access_token: string }): Promise<PlaidNumbers | null> {
  try {
    return (await call("authGet", request)).numbers;
  } catch (error) {
    if (error instanceof PlaidError && withholdsNumbers(error)) return null;
    throw error;
  }
}

function withholdsNumbers({ kind, code }: PlaidError): boolean {
  // The accounts were just read, so these codes are about the numbers only.
  const isRefused = code === "ACCESS_NOT_GRANTED" || code === "ADDITIONAL_CONSENT_REQUIRED";
  return isRefused || kind === "not_supported" || kind === "not_ready";
}
