import {
  type Access,
  BankError,
  type HostedLink,
  type LinkRequest,
  type LinkResult,
} from "@purser/banking/ports";
import { CountryCode, type LinkTokenCreateRequest, Products } from "plaid";
import type { PlaidCall, PlaidContext } from "./context.ts";
import { isUnnamedInstitution } from "./errors.ts";
import type { PlaidLinkSession } from "./responses.ts";

/** Creates a hosted link. Its state is the link token. */
export async function createPlaidLink(plaid: PlaidContext, request: LinkRequest): Promise<HostedLink> {
  const link = (await renewItem(plaid, request)) ?? (await addItem(plaid, request));
  const { link_token: state, expiration: expiresAt, hosted_link_url: url } = link;
  if (url === null) throw new BankError("not_supported", "Hosted Link is not enabled at Plaid");
  return { url, expiresAt, state };
}

/**
 * Opens update mode for the item. Returns null if there is none to renew, and if Plaid refuses, as it may for an item whose
 * permission the person revoked: "create a fresh Link token". Source: `UserPermissionRevokedWebhook` of the SDK.
 */
async function renewItem(plaid: PlaidContext, request: LinkRequest) {
  const { renews } = request;
  if (renews === null) return null;
  try {
    return await requestLinkToken(plaid, request, {
      access_token: plaid.tokenOf(renews),
      ...(await accountSelection(plaid, renews)),
    });
  } catch (error) {
    if (BankError.is(error, "reauthorization_required")) return null;
    throw error;
  }
}

/**
 * Plaid preselects the bank, but the person may choose another. They choose it anyway if Plaid no longer names it: the bank of a
 * connection may have moved to another institution since.
 */
async function addItem(plaid: PlaidContext, request: LinkRequest) {
  const { organizationId, institutionId } = request;
  const mode = {
    products: [Products.Transactions],
    // Account numbers, if the bank has them. In `products` they would exclude all other banks.
    required_if_supported_products: [Products.Auth],
    transactions: { days_requested: plaid.daysRequested },
    webhook: webhookFor(plaid.webhookUrl, organizationId),
  };
  if (institutionId === null) return requestLinkToken(plaid, request, mode);
  try {
    return await requestLinkToken(plaid, request, { institution_id: institutionId, ...mode });
  } catch (error) {
    if (!request.continuesConnection || !isUnnamedInstitution(error)) throw error;
    return requestLinkToken(plaid, request, mode);
  }
}

function requestLinkToken(
  { call, clientName, language, countryCodes }: PlaidContext,
  { organizationId, returnUrl }: LinkRequest,
  mode: Partial<LinkTokenCreateRequest>,
) {
  return call("linkTokenCreate", {
    client_name: clientName,
    language,
    country_codes: countryCodes,
    user: { client_user_id: organizationId },
    hosted_link: { completion_redirect_uri: returnUrl },
    ...mode,
  });
}

/**
 * Lets the person add accounts to the item. Plaid offers that in the United States and Canada; where the bank has no selection
 * of its own, only on request. Without it, an account that the person opens later could never be added. The renewal
 * needs the item's token alone, so it also works if Plaid no longer names the institution: after a migration of the bank, or
 * once `PLAID_COUNTRIES` lacks its country.
 */
async function accountSelection(plaid: PlaidContext, { institutionId }: Access) {
  try {
    const { country } = await plaid.institution(institutionId);
    return selectableCountries.has(country) ? { update: { account_selection_enabled: true } } : {};
  } catch (error) {
    if (BankError.is(error, "institution_not_found", "not_supported")) return {};
    throw error;
  }
}

const selectableCountries: ReadonlySet<string> = new Set([CountryCode.Us, CountryCode.Ca]);

/**
 * Returns the public token of a finished link and the bank that the person chose. A renewal without a token returns the
 * item, which does not change.
 */
export async function completePlaidLink(
  call: PlaidCall,
  { renews, institutionId: requested }: LinkRequest,
  linkToken: string,
): Promise<LinkResult> {
  const { link_sessions: sessions } = await call("linkTokenGet", { link_token: linkToken });
  const [result] = resultsOf(sessions ?? []);
  const institutionId = result?.institution?.institution_id ?? requested;
  if (result !== undefined && institutionId !== null)
    return { consentId: result.public_token, institutionId };
  // An abandoned session has also ended, but has an exit.
  const isFinished = sessions?.some(({ finished_at: finished, exit }) => finished !== null && exit === null);
  if (renews === null || !isFinished) throw new BankError("consent_not_found", "The link was not finished");
  return { consentId: renews.consentId, institutionId: renews.institutionId };
}

/** Returns the public token of a hosted link that this team has finished. */
export async function publicTokenOfLink(
  call: PlaidCall,
  linkToken: string,
  { organizationId, institutionId }: { organizationId: string; institutionId: string },
): Promise<string> {
  const { link_sessions: sessions, metadata } = await call("linkTokenGet", { link_token: linkToken });
  if (organizationOf(metadata.webhook) !== organizationId) {
    throw new BankError("consent_not_found", "The link was made for another team");
  }
  const results = resultsOf(sessions ?? []);
  const result = results.find(({ institution }) => institution?.institution_id === institutionId);
  if (result === undefined) throw new BankError("consent_not_found", "The link has no consent of this bank");
  return result.public_token;
}

/** The items that the person added, the newest session first. */
const resultsOf = (sessions: PlaidLinkSession[]) =>
  sessions.toReversed().flatMap(({ results }) => results?.item_add_results ?? []);

const parameter = "organizationId";

/**
 * Returns the webhook URL with the team in its query. `/item/get` returns neither the user nor the link of an item, but
 * its webhook URL. Only our API key can set that URL, so it proves which team the item belongs to.
 */
export function webhookFor(webhookUrl: string, organizationId: string): string {
  const url = new URL(webhookUrl);
  url.searchParams.set(parameter, organizationId);
  return url.href;
}

/** Returns the team of an item or a link; null if it was not created here. */
export function organizationOf(webhook: string | null): string | null {
  return URL.parse(webhook ?? "")?.searchParams.get(parameter) ?? null;
}
