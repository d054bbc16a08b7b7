import { Products } from "plaid";
import { BankError, type HostedLink, type LinkRequest } from "@purser/banking/ports";
import type { LinkSession } from "./responses.ts";
import type { ApiCall, Plaid } from "./client.ts";

/** The longest that Plaid reads back, given once: it cannot be changed for an item. */
const historyDays = 730;

/** Makes a hosted link. What it needs to be completed is its link token. */
export async function createLink(plaid: Plaid, request: LinkRequest): Promise<HostedLink> {
  const { organizationId, institutionId, returnUrl, renews } = request;
  const link = await plaid.ask("linkTokenCreate", {
    // Plaid shows "This Application" instead of a longer one.
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
          // Account numbers, where the bank has them; as a product that is asked for they would hide other banks.
          required_if_supported_products: [Products.Auth],
          transactions: { days_requested: historyDays },
          webhook: webhookFor(plaid.webhookUrl, organizationId),
        }),
  });
  const { link_token: state, expiration: expiresAt, hosted_link_url: url } = link;
  if (url === null) throw new BankError("not_supported", "Hosted Link is not enabled at Plaid");
  return { url, expiresAt, state };
}

/** The public token that a finished link brought; for a renewed consent the item's id, which stays as it is. */
export async function completeLink(ask: ApiCall, request: LinkRequest, linkToken: string): Promise<string> {
  const { link_sessions: sessions } = await ask("linkTokenGet", { link_token: linkToken });
  if (request.renews === null) return publicTokenOf(sessions ?? [], request.institutionId);
  // A renewal gives no token. One that was broken off has ended, too, but tells of an exit.
  if (!sessions?.some(({ finished_at: finished, exit }) => finished !== null && exit === null)) {
    throw new BankError("consent_not_found", "The link was not finished");
  }
  return request.renews.consentId;
}

/** The public token of a hosted link that this team has finished. */
export async function publicTokenOfLink(
  ask: ApiCall,
  linkToken: string,
  { organizationId, institutionId }: { organizationId: string; institutionId: string },
): Promise<string> {
  const { link_sessions: sessions, metadata } = await ask("linkTokenGet", { link_token: linkToken });
  if (organizationOf(metadata.webhook) !== organizationId) {
    throw new BankError("consent_not_found", "The link was made for another team");
  }
  return publicTokenOf(sessions ?? [], institutionId);
}

function publicTokenOf(sessions: LinkSession[], institutionId: string): string {
  const results = sessions.flatMap((session) => session.results?.item_add_results ?? []);
  // A person may have chosen another bank than the one they set out for.
  const result = results.find(({ institution }) => institution?.institution_id === institutionId);
  if (result === undefined)
    throw new BankError("consent_not_found", "The link brought no consent of this bank");
  return result.public_token;
}

const parameter = "organizationId";

/**
 * The address of webhooks, naming the team. Plaid tells of an item neither the user nor the link that it was made
 * with, but the address of its webhooks; only who has our secret can set that, so it tells whose the item is.
 */
export function webhookFor(webhookUrl: string, organizationId: string): string {
  const url = new URL(webhookUrl);
  url.searchParams.set(parameter, organizationId);
  return url.href;
}

/** The team that an item or a link was made for; null for one that was not made here. */
export function organizationOf(webhook: string | null): string | null {
  return URL.parse(webhook ?? "")?.searchParams.get(parameter) ?? null;
}
