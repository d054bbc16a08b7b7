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
        "Lists the organizations of a user with their members, newest first. Administrators can list those of any user.",
      access: "user",
      returns: "A page of the organizations, newest first, each with all its members.",
      errors: ["FORBIDDEN"],
    })
    .input(ListOrganizations.prefault({}))
    .output(z.array(OrganizationListItem))
    .query(({ ctx, input }) => listOrganizations(ctx, input)),

  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations/:id" },
      summary: "Returns an organization.",
      access: "member",
      returns: "The organization.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(TheOrganization)
    .output(Organization)
    .use(inOrganization("member", theOrganization))
    .query(({ ctx }) => ctx.organization),

  create: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/organizations", status: 201 },
      summary: "Creates an organization. The caller becomes its creator and first owner.",
      access: "user",
      returns: "The new organization, with the caller's membership as its owner.",
      errors: ["FORBIDDEN"],
    })
    .input(CreateOrganization)
    .output(CreatedOrganization)
    .mutation(({ ctx, input }) => createOrganization(ctx, input)),

  update: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/organizations/:id" },
      summary:
        "Updates the name or the avatar of an organization. An absent field does not change; a null avatarUrl clears it.",
      access: "owner",
      returns: "The organization after the change.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(UpdateOrganization)
    .output(Organization)
    .use(inOrganization("owner", theOrganization))
    .mutation(({ ctx, input }) => updateOrganization(ctx, input)),

  delete: userProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/organizations/:id" },
      summary: "Deletes an organization for all its members. Its ledgers and audit trail are kept.",
      access: "owner",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "ORGANIZATION_IN_USE", "PROVIDER_ERROR"],
    })
    .input(TheOrganization)
    .output(z.void())
    .use(inOrganization("owner", theOrganization))
    .mutation(({ ctx, input }) => deleteOrganization(ctx, input)),
};
