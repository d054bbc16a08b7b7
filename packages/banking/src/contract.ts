import { Id, bankProviderNames, explained, sharedFields, text, anyOf } from "@purser/core";
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

export const providerName = explained(`The name of the provider: ${anyOf(bankProviderNames)}.`, "sandbox");

export const teamId = Id.meta(sharedFields.teamId);
