import { Id, WebUrl, explained, sharedFields } from "@purser/core";
import { z } from "zod";
import { BankProviderName, InstitutionId, teamId } from "../contract.ts";

export const BankLink = z
  .object({
    url: z
      .string()
      .meta(
        explained(
          "The page to open in the person's browser. Treat it as a secret.",
          "https://bank.example/consent/1f0c2d4e",
        ),
      ),
    expiresAt: z
      .date()
      .meta(explained("Until when the page can be opened.", new Date("2026-03-02T09:45:00.000Z"))),
  })
  .meta({ id: "BankLink", description: "A page on which a person gives or renews a consent." });

export const CreateLink = z
  .strictObject({
    teamId,
    provider: BankProviderName.meta({
      description:
        "The provider through which the bank is read. By default that of the connection, otherwise `sandbox` where it is on, or else the only provider that is configured.",
    }).optional(),
    providerId: InstitutionId.meta({
      description:
        "The bank: its id at the provider. If absent, that of the connection, or the person chooses the bank on the provider's page.",
    }).optional(),
    connectionId: Id.meta({
      ...sharedFields.connectionId,
      description:
        "The bank connection whose consent the person renews. If absent, the link gives a new consent.",
    }).optional(),
    redirectUrl: WebUrl.meta(sharedFields.redirectUrl).optional(),
  })
  .refine((input) => [input.provider, input.providerId, input.connectionId].some(Boolean), {
    path: ["providerId"],
    error: "Name the institution, the provider where the user chooses it, or the connection to renew",
  });
