import { BankError, type HostedLink, type LinkRequest } from "@purser/banking/ports";
import { Products } from "plaid";
import type { PlaidCall, PlaidContext } from "./client.ts";
import type { LinkSession } from "./responses.ts";

/** The maximum of `days_requested`. It cannot be changed after the link. */
const historyDays = 730;

/** Creates a hosted link. Its state is the link token. */
export async function createPlaidLink(plaid: PlaidContext, request: LinkRequest): Promise<HostedLink> {
  const { organizationId, institutionId, returnUrl, renews } = request;
  const link = await plaid.call("linkTokenCreate", {
    // Plaid shows "This Application" instead of a longer name.
    client_name: plaid.clientName.slice(0, 30),
    language: "en",
    country_codes: plaid.countryCodes,
    user: { client_user_id: organizationId },
    hosted_link: { completion_redirect_uri: returnUrl },
    ...(renews
      ? { access_token: plaid.tokenOf(renews) }
      : {
          institution_id: institutionId,
          products: [Products.Transactions],
          // Account numbers, if the bank has them. In `products` they would exclude all other banks.
          required_if_supported_products: [Products.Auth],
          transactions: { days_requested: historyDays },
          webhook: webhookFor(plaid.webhookUrl, organizationId),
        }),
  });
  const { link_token: state, expiration: expiresAt, hosted_link_url: url } = link;
  if (url === null) throw new BankError("not_supported", "Hosted Link is not enabled at Plaid");
  return { url, expiresAt, state };
}

/** Returns the public token of a finished link. For a renewal, returns the id of the item, which does not change. */
export async function completePlaidLink(
  call: PlaidCall,
  request: LinkRequest,
  linkToken: string,
): Promise<string> {
  const { link_sessions: sessions } = await call("linkTokenGet", { link_token: linkToken });
  if (request.renews === null) return publicTokenOf(sessions ?? [], request.institutionId);
  // A finished renewal has no token. An abandoned one has also ended, but has an exit.
  if (!sessions?.some(({ finished_at: finished, exit }) => finished !== null && exit === null)) {
    throw new BankError("consent_not_found", "The link was not finished");
  }
  return request.renews.consentId;
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
  return publicTokenOf(sessions ?? [], institutionId);
}

function publicTokenOf(sessions: LinkSession[], institutionId: string): string {
  const results = sessions.flatMap((session) => session.results?.item_add_results ?? []);
  // The person can choose another bank than the requested one.
  const result = results.find(({ institution }) => institution?.institution_id === institutionId);
  if (result === undefined) throw new BankError("consent_not_found", "The link has no consent of this bank");
  return result.public_token;
}

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
