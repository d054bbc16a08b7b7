import type { BankConnectionHealth } from "@purser/client";

/** What comes first: the next confirmation of a consent, which a person gives without the bank, or its end. */
export function consentDate({ reconfirmBy, consentExpiresAt }: BankConnectionHealth) {
  return reconfirmBy !== null && reconfirmBy < consentExpiresAt
    ? { by: reconfirmBy, isConfirmation: true }
    : { by: consentExpiresAt, isConfirmation: false };
}
