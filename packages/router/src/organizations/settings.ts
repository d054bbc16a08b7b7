import {
  GetSettings,
  OrganizationSettings,
  UpdateSettings,
  updateSettings,
} from "@purser/organizations/settings";
import { theOrganization } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

export const settings = {
  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations/:id/settings" },
      summary: "Returns the settings of an organization.",
      access: "member",
      returns: "The settings.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(GetSettings)
    .output(OrganizationSettings)
    .use(inOrganization("member", theOrganization))
    .query(({ ctx }) => ctx.organization),

  update: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/organizations/:id/settings" },
      summary:
        "Updates the settings of an organization. The time zone determines when its days, weeks and months start. With partialApprovals, a purchase beyond a limit is approved for what is left of it.",
      access: "owner",
      returns: "The settings after the change.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(UpdateSettings)
    .output(OrganizationSettings)
    .use(inOrganization("owner", theOrganization))
    .mutation(({ ctx, input }) => updateSettings(ctx, input)),
};
