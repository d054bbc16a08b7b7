import { explained, pageAfterProviderId, text } from "@purser/core";
import { z } from "zod";
import { BankProviderName, institutionId, providerName } from "../contract.ts";

const country = explained(
  "The bank's country: ISO 3166-1 alpha-2, upper case. `ZZ` if the provider names none.",
  "GB",
);

export const BankInstitution = z
  .object({
    id: z.string().meta({
      ...institutionId,
      description: "The bank's id at the provider. It is the `providerId` of links and connections.",
    }),
    provider: z.string().meta(providerName),
    name: z.string().meta(explained("The bank's name.", "Sandbox Bank")),
    country: z.string().meta(country),
    logoUrl: z
      .string()
      .nullable()
      .meta(
        explained(
          "The address of the bank's logo. Null if the provider has none.",
          "https://bank.example/logo.png",
        ),
      ),
  })
  .meta({ id: "Institution", description: "A bank that a provider can read." });

export const ListInstitutions = z.strictObject({
  provider: BankProviderName.meta({
    ...providerName,
    description: "Only banks of this provider. If absent, of all configured providers.",
  }).optional(),
  query: text(200)
    .trim()
    .meta(explained("Words of the bank's name, up to 200 characters. If absent, all banks.", "sandbox"))
    .optional(),
  country: text(2)
    .regex(/^[A-Za-z]{2}$/, { error: "Must be an ISO 3166-1 alpha-2 code" })
    .toUpperCase()
    .meta(explained("Only banks of this country: ISO 3166-1 alpha-2, in any case. If absent, of all.", "GB"))
    .optional(),
  ...pageAfterProviderId(text(255), "sandbox-bank"),
});
