import {
  AcceptedInvitation,
  CreateInvitation,
  Invitation,
  InvitationWithOrganization,
  ListInvitations,
  RevokeInvitation,
  InvitationById,
  acceptInvitation,
  createInvitation,
  findInvitation,
  getInvitation,
  listInvitations,
  revokeInvitation,
} from "@purser/organizations/invitations";
import { z } from "zod";
import { ofResource } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

const ofInvitation = ofResource("invitationId", "INVITATION_NOT_FOUND", findInvitation);

export const invitations = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations/:organizationId/invitations" },
      summary: "Lists the open and expired invitations of an organization, newest first.",
      access: "owner",
      returns: "A page of the invitations, newest first. Accepted and revoked ones are gone.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(ListInvitations)
    .output(z.array(Invitation))
    .use(inOrganization("owner"))
    .query(({ ctx, input }) => listInvitations(ctx, input)),

  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations/invitations/:id" },
      summary: "Returns an invitation to the invited person and to owners. Other callers get null.",
      access: "signedIn",
      returns: "The invitation with the name of its organization, or null if there is none for the caller.",
    })
    .input(InvitationById)
    .output(InvitationWithOrganization.nullable())
    .query(({ ctx, input }) => getInvitation(ctx, input)),

  create: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/organizations/:organizationId/invitations" },
      summary:
        "Sends an invitation that is valid for 7 days. It replaces an earlier invitation to the same address.",
      access: "owner",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "EMAIL_NOT_VERIFIED", "ALREADY_MEMBER"],
    })
    .input(CreateInvitation)
    .output(z.void())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => createInvitation(ctx, input)),

  accept: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/organizations/invitations/:id/accept" },
      summary: "Accepts an invitation. The caller becomes a member with the invited role.",
      access: "invited",
      returns: "The name of the organization that the caller is now a member of.",
      errors: [
        "INVITATION_NOT_FOUND",
        "FORBIDDEN",
        "EMAIL_NOT_VERIFIED",
        "INVITATION_EXPIRED",
        "ALREADY_MEMBER",
      ],
    })
    .input(InvitationById)
    .output(AcceptedInvitation)
    .mutation(({ ctx, input }) => acceptInvitation(ctx, input)),

  revoke: userProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/organizations/invitations/:invitationId" },
      summary: "Revokes an invitation.",
      access: "owner",
      errors: ["INVITATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(RevokeInvitation)
    .output(z.void())
    .use(inOrganization("owner", ofInvitation))
    .mutation(({ ctx, input }) => revokeInvitation(ctx, input)),
};
