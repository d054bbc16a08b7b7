import { BankInstitution, ListInstitutions, listInstitutions } from "@purser/banking/institutions";
import { z } from "zod";
import { userProcedure } from "../trpc.ts";

export const institutions = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/institutions" },
      summary: "Searches the banks of all configured providers, or of one, best match first.",
      access: "signedIn",
      returns: "A page of the banks, best match first.",
      errors: ["PROVIDER_NOT_CONFIGURED", "PROVIDER_ERROR"],
    })
    .input(ListInstitutions.prefault({}))
    .output(z.array(BankInstitution))
    .query(({ ctx, input }) => listInstitutions(ctx, input)),
};
