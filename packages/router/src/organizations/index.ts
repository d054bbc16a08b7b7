import {
  CreateOrganization,
  CreatedOrganization,
  ListOrganizations,
  Organization,
  OrganizationListItem,
  TheOrganization,
  UpdateOrganization,
  createOrganization,
  deleteOrganization,
  listOrganizations,
  updateOrganization,
} from "@purser/organizations";
import { z } from "zod";
import { theOrganization } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

export const organizations = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations" },
      summary:
        "Lists the organizations that a user belongs to, newest first, each with its members. Administrators may name any user.",
      errors: ["FORBIDDEN"],
    })
    .input(ListOrganizations)
    .output(z.array(OrganizationListItem))
    .query(({ ctx, input }) => listOrganizations(ctx, input)),

  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations/:id" },
      summary: "Reads an organization.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(TheOrganization)
    .output(Organization)
    .use(inOrganization("member", theOrganization))
    .query(({ ctx }) => ctx.organization),

  create: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/organizations", status: 201 },
      summary: "Creates an organization; the caller becomes its creator and first owner.",
    })
    .input(CreateOrganization)
    .output(CreatedOrganization)
    .mutation(({ ctx, input }) => createOrganization(ctx, input)),

  update: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/organizations/:id" },
      summary:
        "Changes the name or the avatar of an organization. An absent field stays as it is; a null avatarUrl clears it.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(UpdateOrganization)
    .output(Organization)
    .use(inOrganization("owner", theOrganization))
    .mutation(({ ctx, input }) => updateOrganization(ctx, input)),

  delete: userProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/organizations/:id" },
      summary: "Deletes an organization for everybody in it. Its ledgers and audit trail stay on record.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "ORGANIZATION_IN_USE"],
    })
    .input(TheOrganization)
    .output(z.void())
    .use(inOrganization("owner", theOrganization))
    .mutation(({ ctx, input }) => deleteOrganization(ctx, input)),
};
