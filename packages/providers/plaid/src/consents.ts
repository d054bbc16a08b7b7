import {
  type Access,
  BankError,
  type ConsentReference,
  type ConsentStatus,
  type ExchangedConsent,
  type Grant,
  type Institution,
} from "@purser/banking/ports";
import { unknownCountry } from "@purser/core";
import type { PlaidContext } from "./context.ts";
import { PlaidError, endsConsent, isItemDeleted, isUnnamedInstitution, plaidErrorKind } from "./errors.ts";
import { organizationOf, publicTokenOfLink, webhookFor } from "./links.ts";
import { scopesOf } from "./mapping.ts";
import type { PlaidItem } from "./responses.ts";

/** Exchanges a public token, or the token of a finished link, for an item. Plaid exchanges a public token only once. */
export async function exchangePlaidToken(
  plaid: PlaidContext,
  reference: ConsentReference,
): Promise<ExchangedConsent> {
  const publicToken = await publicTokenOf(plaid, reference);
  const exchanged = await plaid.call("itemPublicTokenExchange", { public_token: publicToken });
  return { consentId: exchanged.item_id, token: exchanged.access_token };
}

async function publicTokenOf(plaid: PlaidContext, reference: ConsentReference): Promise<string> {
  const { consentId } = reference;
  if (!/^[\w-]+$/.test(consentId)) throw new BankError("invalid_consent_id", "Not the form of a Plaid token");
  if (consentId.startsWith("public-")) return consentId;
  if (consentId.startsWith("link-")) return publicTokenOfLink(plaid.call, consentId, reference);
  // The id of an item is not secret, so it proves nothing.
  throw new BankError("consent_not_found", "Neither a public token nor a link token");
}

/** Opens the item that {@link exchangePlaidToken} returned. */
export async function openPlaidConsent(
  plaid: PlaidContext,
  reference: ConsentReference,
  token?: string,
): Promise<Grant> {
  if (token === undefined) throw new BankError("consent_not_found", "An item is opened with its token only");
  const { item } = await plaid.call("itemGet", { access_token: token });
  const institution = await institutionOf(plaid, item, reference.institutionId);
  requireOwnItem(item, reference);
  const consent = consentStatusOf(item, plaid.now());
  if (consent.status !== "authorized") {
    throw new BankError("reauthorization_required", "The item has to be linked again");
  }
  const { item_id: consentId } = item;
  return {
    consentId,
    token,
    institution,
    scopes: scopesOf(item),
    expiresAt: consent.expiresAt,
    isLimit: true,
  };
}

/** The institution where a person has linked an item. Plaid may no longer name it, but the item does. */
async function institutionOf(plaid: PlaidContext, item: PlaidItem, id: string): Promise<Institution> {
  try {
    return await plaid.institution(id);
  } catch (error) {
    const { institution_id: linked, institution_name: name } = item;
    if (linked !== id || !name || !isUnnamedInstitution(error)) throw error;
    return { id, name, country: unknownCountry, logoUrl: null };
  }
}

function requireOwnItem(item: PlaidItem, { organizationId, institutionId }: ConsentReference): void {
  if (organizationOf(item.webhook) !== organizationId) {
    throw new BankError("consent_not_found", "The item was linked for another team");
  }
  if (item.institution_id !== institutionId) {
    throw new BankError("consent_not_found", "The item belongs to another institution");
  }
}

/** Reads the status of a consent. A deleted item is revoked. An item whose bank is down keeps its status. */
export async function readPlaidConsentStatus(plaid: PlaidContext, access: Access): Promise<ConsentStatus> {
  try {
    const { item, status } = await plaid.call("itemGet", { access_token: plaid.tokenOf(access) });
    const consent = consentStatusOf(item, plaid.now());
    if (consent.status !== "authorized") return consent;
    await updateItemWebhook(plaid, access, item);
    return { ...consent, bankReadAt: status?.transactions?.last_successful_update ?? null };
  } catch (error) {
    if (error instanceof PlaidError && isItemDeleted(error.code)) return { status: "revoked" };
    if (error instanceof PlaidError && error.kind === "reauthorization_required") {
      return { status: "reauthorization_required" };
    }
    throw error;
  }
}

/**
 * Has Plaid send the item's webhooks to the present address of the service: an item keeps that of its link. A failure does not
 * prevent the reading; the next one tries again.
 */
async function updateItemWebhook(
  plaid: PlaidContext,
  access: Access,
  { webhook: current }: PlaidItem,
): Promise<void> {
  const webhook = webhookFor(plaid.webhookUrl, access.organizationId);
  if (current === webhook || organizationOf(current) !== access.organizationId) return;
  const request = { access_token: plaid.tokenOf(access), webhook };
  await plaid.call("itemWebhookUpdate", request).catch((error: unknown) => {
    if (!(error instanceof PlaidError)) throw error;
  });
}

function consentStatusOf({ error, consent_expiration_time: expiry }: PlaidItem, now: Date): ConsentStatus {
  if (error && isItemDeleted(error.error_code)) return { status: "revoked" };
  const isPast = expiry !== null && expiry <= now;
  if (isPast || (error && plaidErrorKind(error.error_code) === "reauthorization_required")) {
    return { status: "reauthorization_required" };
  }
  return { status: "authorized", expiresAt: expiry };
}

/**
 * Implements {@link BankProvider.revoke}. INVALID_ACCESS_TOKEN is also what Plaid answers to other credentials than those with
 * which the item was linked.
 */
export async function removePlaidItem(plaid: PlaidContext, access: Access): Promise<void> {
  try {
    await plaid.call("itemRemove", { access_token: plaid.tokenOf(access) });
  } catch (error) {
    const code = error instanceof PlaidError ? error.code : null;
    if (code === "INVALID_ACCESS_TOKEN")
      throw new BankError("consent_not_found", "Plaid finds no item of this token", { cause: error });
    if (!endsConsent(code)) throw error;
  }
}
