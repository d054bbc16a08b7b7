import { BankError, type HostedLink, type LinkRequest } from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import type { YapilyClient } from "./client.ts";
import {
  consentNotFound,
  requireOwnConsent,
  readYapilyConsent,
  stageOf,
  type OwnConsent,
} from "./consents.ts";
import { type ErrorKinds, unreadableError } from "./errors.ts";
import { type InstitutionDirectory, offersAccounts } from "./institutions.ts";

/** What is asked for, as far as the bank has it: Yapily refuses a request for more. */
const wantedFeatures: readonly Schemas["Feature"][] = [
  "ACCOUNTS",
  "ACCOUNT",
  "ACCOUNTS_WITHOUT_BALANCE",
  "ACCOUNT_WITHOUT_BALANCE",
  "ACCOUNT_BALANCES",
  "ACCOUNT_TRANSACTIONS",
  "ACCOUNT_TRANSACTIONS_WITH_MERCHANT",
];

/** Yapily does not say how long its page waits. UK banks give half an hour. */
const linkLifetimeMs = 30 * 60_000;

/**
 * See {@link BankProvider.createLink}. A renewal keeps the consent, its id and its token; the person then comes back
 * to the address of the consent's first link, because Yapily takes no other. Where the bank cannot renew, the link
 * is for a new consent.
 */
export async function createYapilyLink(
  yapily: YapilyClient,
  directory: InstitutionDirectory,
  request: LinkRequest,
): Promise<HostedLink> {
  const features = await directory.features(request.institutionId);
  if (!offersAccounts(features)) throw new BankError("not_supported", "Yapily: the bank shares no accounts");
  const made = (await renewal(yapily, request)) ?? (await newConsent(yapily, request, features));
  // Some banks want the person's credentials in a form of ours, or an app's approval: they give no page.
  if (!made.authorisationUrl) throw new BankError("not_supported", "Yapily: the bank has no page for this");
  if (!made.id) throw unreadableError("the account-auth-request", "no id");
  return {
    url: made.authorisationUrl,
    expiresAt: new Date(yapily.clock.now().getTime() + linkLifetimeMs),
    state: made.id,
  };
}

type Made = Schemas["AccountAuthorisationResponse"];

/** No end is asked for: with one, a person could never renew the consent. */
async function newConsent(
  yapily: YapilyClient,
  request: LinkRequest,
  features: readonly Schemas["Feature"][],
): Promise<Made> {
  const name = "POST /account-auth-requests";
  const body = {
    applicationUserId: request.organizationId,
    institutionId: request.institutionId,
    callback: request.returnUrl,
    oneTimeToken: true,
    accountRequest: { featureScope: wantedFeatures.filter((feature) => features.includes(feature)) },
  };
  const { data } = await yapily.call(name, (api, signal) =>
    api.POST("/account-auth-requests", { body, signal }),
  );
  if (!data) throw unreadableError(name, "no data");
  return data;
}

/** How Yapily and banks say that they will not renew a consent. */
const unrenewable: ErrorKinds = Object.fromEntries(
  [400, 401, 403, 404, 405, 409, 410, 422, 501].map((status) => [status, "not_supported"]),
);

async function renewal(yapily: YapilyClient, { renews }: LinkRequest): Promise<Made | null> {
  if (!renews?.token) return null;
  const header = { consent: renews.token };
  try {
    const { data } = await yapily.call(
      "PATCH /account-auth-requests",
      (api, signal) => api.PATCH("/account-auth-requests", { params: { header }, signal }),
      { refusals: unrenewable },
    );
    return data?.id === renews.consentId && data.authorisationUrl ? data : null;
  } catch (error) {
    if (error instanceof BankError && error.kind === "not_supported") return null;
    throw error;
  }
}

/**
 * See {@link BankProvider.completeLink}. The browser that comes back must bring what only the one that was at the
 * bank was given: otherwise somebody could have another person sign in at the bank, and keep what they gave.
 *
 * @param state The id of the consent that the link was made for
 */
export async function completeYapilyLink(
  yapily: YapilyClient,
  request: LinkRequest,
  state: string,
  query: URLSearchParams,
): Promise<string> {
  const error = query.get("error");
  if (error !== null) throw consentNotFound(`the bank sent "${/^[\w-]{1,60}/.exec(error)?.[0] ?? ""}" back`);
  const oneTimeToken = query.get("one-time-token") ?? query.get("oneTimeToken");
  const consent = oneTimeToken
    ? await exchanged(yapily, request, state, oneTimeToken)
    : await presented(yapily, request, state, query.getAll("consent"));
  const stage = stageOf(consent, yapily.clock.now());
  if (stage !== "in_force") throw consentNotFound(`it is ${stage}`);
  return consent.id;
}

/** Used up, expired and made-up tokens are all refused in one of these ways. */
const unusable: ErrorKinds = Object.fromEntries(
  [400, 403, 404, 409, 410, 422].map((status) => [status, "consent_not_found"]),
);

async function exchanged(
  yapily: YapilyClient,
  { organizationId, institutionId }: LinkRequest,
  consentId: string,
  oneTimeToken: string,
): Promise<OwnConsent> {
  const consent = await yapily.call(
    "POST /consent-one-time-token",
    (api, signal) => api.POST("/consent-one-time-token", { body: { oneTimeToken }, signal }),
    { refusals: unusable },
  );
  return requireOwnConsent(consent, { organizationId, institutionId, consentId });
}

/** Without one-time tokens the consents' own tokens come back: several where a bank makes one for each card. */
async function presented(
  yapily: YapilyClient,
  { organizationId, institutionId }: LinkRequest,
  consentId: string,
  tokens: string[],
): Promise<OwnConsent> {
  if (tokens.length === 0) throw consentNotFound("the return brought none");
  const consent = await readYapilyConsent(yapily, { organizationId, institutionId, consentId });
  if (!consent.consentToken || !tokens.includes(consent.consentToken)) {
    throw consentNotFound("the return brought another");
  }
  return consent;
}
