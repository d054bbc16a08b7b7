import {
  ListQuarantine,
  QuarantinedBankData,
  ResolveQuarantine,
  findQuarantined,
  listQuarantinedData,
  resolveQuarantined,
} from "@purser/banking/quarantine";
import { z } from "zod";
import { inField, naming } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

/** The entry that the input names as `id`. */
const theEntry = inField("id", "QUARANTINE_ENTRY_NOT_FOUND", findQuarantined);

export const quarantine = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/quarantine" },
      summary:
        "Lists the bank data that needs a decision, newest first: transactions that contradict the ledger, booked transactions that the bank no longer lists, and data that cannot be read.",
      access: "owner",
      returns: "A page of the entries that are not resolved, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(ListQuarantine)
    .output(z.array(QuarantinedBankData))
    .use(inOrganization("owner"))
    .query(({ ctx, input }) => listQuarantinedData(ctx, input)),

  resolve: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/banking/quarantine/:id/resolve" },
      summary:
        "Resolves an entry of the quarantine: `accept` takes its transaction into the list, `reject` leaves it out. The decision holds until the bank reports something else.",
      access: "owner",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "QUARANTINE_ENTRY_NOT_FOUND"],
    })
    .input(ResolveQuarantine)
    .output(z.void())
    .use(inOrganization("owner", naming(theEntry)))
    .mutation(({ ctx, input }) => resolveQuarantined(ctx, input)),
};
