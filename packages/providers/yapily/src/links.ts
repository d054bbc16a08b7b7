import { addMs } from "@purser/core";
import {
  BankError,
  type ConsentReference,
  type HostedLink,
  type LinkRequest,
  type LinkResult,
} from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import type { YapilyClient } from "./client.ts";
import {
  type OwnConsent,
  consentNotFound,
  notAuthorized,
  readYapilyConsent,
  requireOwnConsent,
  stageOf,
  wantedFeatures,
} from "./consents.ts";
import { type ErrorKinds, unreadableError } from "./errors.ts";
import { type InstitutionDirectory, offersAccounts } from "./institutions.ts";

/** Yapily does not document how long its page is valid. UK banks allow half an hour. */
const linkLifetimeMs = 30 * 60_000;

/**
 * Implements {@link BankProvider.createLink}. The renewal of an expired consent keeps the consent, its id and its token. The
 * person then returns to the URL of the consent's first link, because Yapily accepts no other for a renewal. If the consent
 * is in force or the bank cannot renew it, the link is for a new consent.
 */
export async function createYapilyLink(
  yapily: YapilyClient,
  directory: InstitutionDirectory,
  request: LinkRequest,
): Promise<HostedLink> {
  const { institutionId } = request;
  if (institutionId === null) throw new BankError("not_supported", "Yapily: a link is for one institution");
  const link =
    (await renewConsent(yapily, request)) ??
    (await newConsent(yapily, directory, { ...request, institutionId }));
  // Some banks have no page: they need the person's credentials in our form, or the approval in an app.
  if (!link.authorisationUrl) throw new BankError("not_supported", "Yapily: the bank has no page for this");
  if (!link.id) throw unreadableError("the account-auth-request", "no id");
  return {
    url: link.authorisationUrl,
    expiresAt: addMs(yapily.clock.now(), linkLifetimeMs),
    state: link.id,
  };
}

type Authorization = Schemas["AccountAuthorisationResponse"];

/**
 * Requests a consent with the features that the bank has: Yapily refuses a request for others. The request has no
 * `expiresAt`, because a consent with one cannot be renewed.
 */
async function newConsent(
  yapily: YapilyClient,
  directory: InstitutionDirectory,
  request: LinkRequest & { institutionId: string },
): Promise<Authorization> {
  const features = await directory.features(request.institutionId);
  if (!offersAccounts(features)) throw new BankError("not_supported", "Yapily: the bank shares no accounts");
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

/** The statuses with which Yapily and banks refuse to renew a consent. */
const renewalErrorKinds: ErrorKinds = Object.fromEntries(
  [400, 401, 403, 404, 405, 409, 410, 422, 501].map((status) => [status, "not_supported"]),
);

/** Renews a consent that has expired. Returns null if that is not possible: then the person gives a new one. */
async function renewConsent(yapily: YapilyClient, { renews }: LinkRequest): Promise<Authorization | null> {
  if (!renews?.token) return null;
  const header = { consent: renews.token };
  try {
    // Nobody can read a consent between the request to renew it and the person's agreement. So one in force is replaced.
    const consent = await readYapilyConsent(yapily, renews);
    if (stageOf(consent, yapily.clock.now()) !== "expired") return null;
    const { data } = await yapily.call(
      "PATCH /account-auth-requests",
      (api, signal) => api.PATCH("/account-auth-requests", { params: { header }, signal }),
      { errorKinds: renewalErrorKinds },
    );
    return data?.id === renews.consentId && data.authorisationUrl ? data : null;
  } catch (error) {
    if (BankError.is(error, "not_supported", "consent_not_found")) return null;
    throw error;
  }
}

/**
 * Implements {@link BankProvider.completeLink}. The returning browser must present a token that only the browser at the
 * bank has received. Otherwise an attacker could send another person to the bank, and complete the link in the
 * attacker's own browser.
 *
 * @param state The id of the consent that the link was created for
 */
export async function completeYapilyLink(
  yapily: YapilyClient,
  request: LinkRequest,
  state: string,
  query: URLSearchParams,
): Promise<LinkResult> {
  const reference = consentOf(request, state);
  const error = query.get("error");
  if (error !== null) throw returnedError(error, query.get("error-source"));
  const oneTimeToken = query.get("one-time-token") ?? query.get("oneTimeToken");
  const consent = oneTimeToken
    ? await exchangeToken(yapily, reference, oneTimeToken)
    : await checkPresentedToken(yapily, reference, query.getAll("consent"));
  const stage = stageOf(consent, yapily.clock.now());
  if (stage !== "active") throw notAuthorized(stage);
  return { consentId: consent.id, institutionId: reference.institutionId };
}

function returnedError(error: string, source: string | null): BankError {
  const message = `the bank returned the error "${/^[\w-]{1,60}/.exec(error)?.[0] ?? ""}"`;
  const isRefused = error === "access_denied" || source === "user";
  return isRefused
    ? consentNotFound(message)
    : new BankError("authorization_failed", `Yapily, the consent: ${message}`);
}

/** The consent that a link was created for. */
function consentOf({ organizationId, institutionId }: LinkRequest, consentId: string): ConsentReference {
  if (institutionId === null) throw consentNotFound("the link has no institution");
  return { organizationId, institutionId, consentId };
}

/** The statuses with which Yapily refuses used, expired and invented tokens. */
const tokenErrorKinds: ErrorKinds = Object.fromEntries(
  [400, 403, 404, 409, 410, 422].map((status) => [status, "consent_not_found"]),
);

async function exchangeToken(
  yapily: YapilyClient,
  reference: ConsentReference,
  oneTimeToken: string,
): Promise<OwnConsent> {
  const consent = await yapily.call(
    "POST /consent-one-time-token",
    (api, signal) => api.POST("/consent-one-time-token", { body: { oneTimeToken }, signal }),
    { errorKinds: tokenErrorKinds },
  );
  return requireOwnConsent(consent, reference);
}

/** Without one-time tokens the query holds consent tokens: several if the bank creates a consent per card. */
async function checkPresentedToken(
  yapily: YapilyClient,
  reference: ConsentReference,
  tokens: string[],
): Promise<OwnConsent> {
  if (tokens.length === 0) throw consentNotFound("the return has no token");
  const consent = await readYapilyConsent(yapily, reference);
  if (!consent.consentToken || !tokens.includes(consent.consentToken)) {
    throw consentNotFound("the return has another token");
  }
  return consent;
}
