import { AuditEntry, ListAudit, listAudit } from "@purser/organizations/audit";
import { z } from "zod";
import { theOrganization } from "../resource.ts";
import { fromReplica, inOrganization, userProcedure } from "../trpc.ts";

export const audit = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations/:id/audit" },
      summary: "Lists the audit trail of an organization, newest first.",
      access: "owner",
      returns: "A page of the audit entries, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(ListAudit)
    .output(z.array(AuditEntry))
    .use(inOrganization("owner", theOrganization))
    .use(fromReplica)
    .query(({ ctx, input }) => listAudit(ctx, input)),
};
