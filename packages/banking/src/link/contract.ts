import { Id, WebUrl } from "@purser/core";
import { z } from "zod";
import { BankProviderName, InstitutionId } from "../contract.ts";

export const BankLink = z.object({ url: z.string(), expiresAt: z.date() }).meta({ id: "BankLink" });

export const CreateLink = z
  .strictObject({
    teamId: Id,
    provider: BankProviderName.optional(),
    providerId: InstitutionId.optional(),
    connectionId: Id.optional(),
    redirectUrl: WebUrl.optional(),
  })
  .refine((input) => [input.provider, input.providerId, input.connectionId].some(Boolean), {
    path: ["providerId"],
    error: "Name the institution, the provider where the user chooses it, or the connection to renew",
  });
