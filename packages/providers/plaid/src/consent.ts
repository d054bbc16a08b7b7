import { setTimeout as pause } from "node:timers/promises";
import {
  type Access,
  BankError,
  type ConsentReference,
  type Grant,
  type ConsentStatus,
} from "@purser/banking/ports";
import type { Plaid } from "./client.ts";
import type { Item } from "./responses.ts";
import { PlaidError, isEnd, kindOf } from "./errors.ts";
import { organizationOf, publicTokenOfLink } from "./link.ts";
import { scopesOf } from "./mapping.ts";

/**
 * Exchanges a public token for its item. That works once: what needs no item is asked before, what fails in passing
 * is tried again, and an item that cannot be taken is removed, for nobody would ever have its token again.
 */
export async function openConsent(plaid: Plaid, reference: ConsentReference): Promise<Grant> {
  const publicToken = await publicTokenOf(plaid, reference);
  const institution = await plaid.institution(reference.institutionId);
  const exchanged = await plaid.ask("itemPublicTokenExchange", { public_token: publicToken });
  const { access_token: token } = exchanged;
  try {
    const { item } = await persistently(plaid, () => plaid.ask("itemGet", { access_token: token }));
    refuseForeign(item, reference);
    const found = standingOf(item, plaid.now());
    if (found.status !== "authorized") {
      throw new BankError("reauthorization_required", "The item has to be linked again");
    }
    const { item_id: consentId } = item;
    const { expiresAt } = found;
    return { consentId, token, institution, scopes: scopesOf(item), expiresAt, isLimit: true };
  } catch (error) {
    // Whether this succeeds or not, the refusal above is what there is to say.
    await plaid.ask("itemRemove", { access_token: token }).catch(() => undefined);
    throw error;
  }
}

async function publicTokenOf(plaid: Plaid, reference: ConsentReference): Promise<string> {
  const { consentId } = reference;
  if (!/^[\w-]+$/.test(consentId)) throw new BankError("invalid_consent_id", "No token of Plaid's looks so");
  if (consentId.startsWith("public-")) return consentId;
  if (consentId.startsWith("link-")) return publicTokenOfLink(plaid.ask, consentId, reference);
  // An item's id is no secret: who has only that has nothing.
  throw new BankError("consent_not_found", "It is neither a public token nor a link's");
}

function refuseForeign(item: Item, { organizationId, institutionId }: ConsentReference): void {
  if (organizationOf(item.webhook) !== organizationId) {
    throw new BankError("consent_not_found", "The item was linked for another team");
  }
  if (item.institution_id !== institutionId) {
    throw new BankError("consent_not_found", "The item belongs to another institution");
  }
}

/** How a consent stands. An item that is gone is revoked; one whose bank is down stands as before. */
export async function readConsentStatus(plaid: Plaid, access: Access): Promise<ConsentStatus> {
  try {
    const { item } = await plaid.ask("itemGet", { access_token: plaid.tokenOf(access) });
    return standingOf(item, plaid.now());
  } catch (error) {
    if (error instanceof PlaidError && isEnd(error.code)) return { status: "revoked" };
    if (error instanceof PlaidError && error.kind === "reauthorization_required") {
      return { status: "reauthorization_required" };
    }
    throw error;
  }
}

function standingOf({ error, consent_expiration_time: expiry }: Item, now: Date): ConsentStatus {
  if (error && isEnd(error.error_code)) return { status: "revoked" };
  const isPast = expiry !== null && expiry <= now;
  if (isPast || (error && kindOf(error.error_code) === "reauthorization_required")) {
    return { status: "reauthorization_required" };
  }
  return { status: "authorized", expiresAt: expiry };
}

/** Removes the item. One that is gone already is what was wanted. */
export async function revoke(plaid: Plaid, access: Access): Promise<void> {
  try {
    await plaid.ask("itemRemove", { access_token: plaid.tokenOf(access) });
  } catch (error) {
    if (!(error instanceof PlaidError && isEnd(error.code))) throw error;
  }
}

const attempts = 3;

async function persistently<T>({ retryPauseMs }: Plaid, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isPassing =
        error instanceof BankError && (error.kind === "outage" || error.kind === "rate_limited");
      if (!isPassing || attempt === attempts) throw error;
      await pause(retryPauseMs * attempt);
    }
  }
}
