import { findMembershipById } from "@purser/organizations";
import {
  ListMembers,
  MemberListItem,
  RemoveMember,
  UpdateRole,
  listMembers,
  removeMember,
  updateRole,
} from "@purser/organizations/members";
import { z } from "zod";
import { ofResource } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

const ofMembership = <Field extends string>(field: Field) =>
  ofResource(field, "MEMBERSHIP_NOT_FOUND", findMembershipById);

export const members = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations/:organizationId/members" },
      summary: "Lists the members of an organization, newest first.",
      access: "member",
      returns: "A page of the members, newest first, each with their user.",
      errors: ["ORGANIZATION_NOT_FOUND"],
    })
    .input(ListMembers)
    .output(z.array(MemberListItem))
    .use(inOrganization("member"))
    .query(({ ctx, input }) => listMembers(ctx, input)),

  // Open to members, because a member may leave. The use case refuses the removal of others.
  remove: userProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/organizations/members/:membershipId" },
      summary: "Removes a member. Owners can remove other members; a member can only leave.",
      access: "ownerOrSelf",
      errors: ["MEMBERSHIP_NOT_FOUND", "FORBIDDEN", "OWNER_CANNOT_LEAVE", "CREATOR_PROTECTED"],
    })
    .input(RemoveMember)
    .output(z.void())
    .use(inOrganization("member", ofMembership("membershipId")))
    .mutation(({ ctx, input }) => removeMember(ctx, input)),

  updateRole: userProcedure
    .meta({
      rest: { method: "PATCH", path: "/api/organizations/members/:id" },
      summary: "Changes the role of a member.",
      access: "owner",
      errors: ["MEMBERSHIP_NOT_FOUND", "FORBIDDEN", "CREATOR_PROTECTED", "LAST_OWNER"],
    })
    .input(UpdateRole)
    .output(z.void())
    .use(inOrganization("owner", ofMembership("id")))
    .mutation(({ ctx, input }) => updateRole(ctx, input)),
};
