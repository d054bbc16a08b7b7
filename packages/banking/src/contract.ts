import { bankProviderNames, text } from "@purser/core";
import { z } from "zod";

/** The provider through which the bank is reached. */
export const BankProviderName = z.enum(bankProviderNames).meta({ id: "BankProviderName" });

/** An institution's id at its provider. */
export const InstitutionId = text(255).min(1);
