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
  .refine(({ providerId, connectionId }) => providerId !== undefined || connectionId !== undefined, {
    path: ["providerId"],
    error: "Name the institution, or the connection whose consent is to be renewed",
  });
