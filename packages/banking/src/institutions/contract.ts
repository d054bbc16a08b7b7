import { pageAfterProviderId, text } from "@purser/core";
import { z } from "zod";
import { BankProviderName } from "../contract.ts";

export const BankInstitution = z
  .object({
    id: z.string(),
    provider: z.string(),
    name: z.string(),
    country: z.string(),
    logoUrl: z.string().nullable(),
  })
  .meta({ id: "Institution" });

export const ListInstitutions = z.strictObject({
  provider: BankProviderName.default("sandbox"),
  query: text(200).trim().optional(),
  country: text(2)
    .regex(/^[A-Za-z]{2}$/, { error: "Must be an ISO 3166-1 alpha-2 code" })
    .toUpperCase()
    .optional(),
  ...pageAfterProviderId(text(255), "sandbox-bank"),
});
