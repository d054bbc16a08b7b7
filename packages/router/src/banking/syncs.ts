import { BankSync, ListSyncs, listSyncs } from "@purser/banking/syncs";
import { z } from "zod";
import { fromReplica, inOrganization, userProcedure } from "../trpc.ts";

export const syncs = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/banking/syncs" },
      summary: "Lists the syncs of a team's bank connections with their outcomes, newest first.",
      access: "member",
      returns: "A page of the syncs, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND", "CONNECTION_NOT_FOUND"],
    })
    .input(ListSyncs)
    .output(z.array(BankSync))
    .use(inOrganization("member"))
    .use(fromReplica)
    .query(({ ctx, input }) => listSyncs(ctx, input)),
};
