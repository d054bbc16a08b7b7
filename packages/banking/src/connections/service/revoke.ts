import type { BankingPlatform } from "../../context.ts";
import type { Revocation } from "../../job-definitions.ts";
import { BankError } from "../../ports.ts";
import { findConsent } from "../store.ts";

/** Revokes a consent at the bank, unless it was given again meanwhile. */
export async function revokeAtBank(
  { db, banks }: BankingPlatform,
  { provider, access }: Revocation,
): Promise<void> {
  const { organizationId, consentId } = access;
  const consent = await findConsent(db, organizationId, provider, { id: consentId, hashes: [] });
  if (consent?.status === "AUTHORIZED") return;
  const bank = await banks.at(provider);
  try {
    await bank.revoke(access);
  } catch (error) {
    // The consent has already ended there.
    const isOver =
      error instanceof BankError && ["consent_not_found", "reauthorization_required"].includes(error.kind);
    if (!isOver) throw error;
  }
}
