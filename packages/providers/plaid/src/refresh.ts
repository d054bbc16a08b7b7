import type { Access } from "@purser/banking/ports";
import { dayMs } from "@purser/core";
import type { PlaidContext } from "./context.ts";
import { PlaidError } from "./errors.ts";

/** How long a refusal is remembered: the operator may enable the add-on meanwhile. */
const refusedMs = dayMs;

/**
 * Makes Plaid read the bank of an item immediately. Otherwise Plaid reads it "one or more times per day". The endpoint is an
 * add-on with its own fee, "typically less than 10 seconds, but occasionally up to 30 seconds or more", and not supported
 * for every item. Source: `transactionsRefresh` of the SDK.
 *
 * A refusal is no error. It is remembered for a day, without another request for the item.
 */
export function createPlaidRefresh({ call, now, tokenOf }: Pick<PlaidContext, "call" | "now" | "tokenOf">) {
  const refusedUntil = new Map<string, number>();
  return async (access: Access): Promise<void> => {
    const time = now().getTime();
    for (const [consentId, until] of refusedUntil) if (until <= time) refusedUntil.delete(consentId);
    if (refusedUntil.has(access.consentId)) return;
    try {
      await call("transactionsRefresh", { access_token: tokenOf(access) });
    } catch (error) {
      if (!(error instanceof PlaidError) || error.kind !== "not_supported") throw error;
      refusedUntil.set(access.consentId, time + refusedMs);
    }
  };
}
