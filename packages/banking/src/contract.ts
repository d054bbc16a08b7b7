import { Id, bankProviderNames, explained, openText, sharedFields, text, anyOf } from "@purser/core";
import { z } from "zod";

const provider = `The provider through which the bank is read: ${anyOf(bankProviderNames)}. The sandbox has fictional banks. A provider that is not configured is refused with \`PROVIDER_NOT_CONFIGURED\`.`;

export const BankProviderName = z
  .enum(bankProviderNames)
  .meta({ id: "BankProviderName", ...explained(provider, "sandbox") });

export const institutionId = explained(
  "The bank: its id at the provider, as `banking.institutions.list` shows it.",
  "sandbox-bank",
);

/** An institution's id at its provider. */
export const InstitutionId = text(255).min(1).meta(institutionId);

/** The consent ids that the sandbox takes. */
export const sandboxConsentId = /^[A-Za-z0-9_-]{1,255}$/;

export const providerName = explained(`The name of the provider: ${anyOf(bankProviderNames)}.`, "sandbox");

export const teamId = Id.meta(sharedFields.teamId);

const syncErrorCodes = [
  "PROVIDER_ERROR",
  "CONSENT_EXPIRED",
  "REAUTHORIZATION_REQUIRED",
  "CONNECTION_DISCONNECTED",
  "INTERRUPTED",
] as const;

/** Why a sync failed. Any code of the API may occur; these do. */
export const BankSyncErrorCode = openText(syncErrorCodes).meta({
  id: "BankSyncErrorCode",
  ...explained(
    "Why a sync failed: an error code of the API, or `INTERRUPTED` if the process ended. More codes may be added.",
    "PROVIDER_ERROR",
  ),
});
