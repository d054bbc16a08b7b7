import {
  AcceptedInvitation,
  CreateInvitation,
  Invitation,
  InvitationWithOrganization,
  ListInvitations,
  RevokeInvitation,
  TheInvitation,
  acceptInvitation,
  createInvitation,
  findInvitation,
  getInvitation,
  listInvitations,
  revokeInvitation,
} from "@purser/organizations/invitations";
import { z } from "zod";
import type { Resource } from "../resource.ts";
import { inOrganization, userProcedure } from "../trpc.ts";

/** The organization of the invitation that the input names. */
const ofInvitation: Resource<{ invitationId: string }> = {
  missing: "INVITATION_NOT_FOUND",
  async organizationOf(db, input) {
    const invitation = await findInvitation(db, input.invitationId);
    return invitation?.organizationId ?? null;
  },
};

export const invitations = {
  list: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations/:organizationId/invitations" },
      summary:
        "Lists the invitations of an organization that are neither accepted nor revoked, newest first.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(ListInvitations)
    .output(z.array(Invitation))
    .use(inOrganization("owner"))
    .query(({ ctx, input }) => listInvitations(ctx, input)),

  get: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/organizations/invitations/:id" },
      summary: "Reads an invitation, as the invited person or as an owner. To anybody else it is null.",
    })
    .input(TheInvitation)
    .output(InvitationWithOrganization.nullable())
    .query(({ ctx, input }) => getInvitation(ctx, input)),

  create: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/organizations/:organizationId/invitations" },
      summary:
        "Invites a person by e-mail, for 7 days. It replaces an earlier invitation of the same address.",
      errors: ["ORGANIZATION_NOT_FOUND", "FORBIDDEN", "ALREADY_MEMBER"],
    })
    .input(CreateInvitation)
    .output(z.void())
    .use(inOrganization("owner"))
    .mutation(({ ctx, input }) => createInvitation(ctx, input)),

  accept: userProcedure
    .meta({
      rest: { method: "POST", path: "/api/organizations/invitations/:id/accept" },
      summary: "Accepts an invitation: the caller becomes a member with the role that it names.",
      errors: [
        "INVITATION_NOT_FOUND",
        "FORBIDDEN",
        "EMAIL_NOT_VERIFIED",
        "INVITATION_EXPIRED",
        "ALREADY_MEMBER",
      ],
    })
    .input(TheInvitation)
    .output(AcceptedInvitation)
    .mutation(({ ctx, input }) => acceptInvitation(ctx, input)),

  revoke: userProcedure
    .meta({
      rest: { method: "DELETE", path: "/api/organizations/invitations/:invitationId" },
      summary: "Takes an invitation back.",
      errors: ["INVITATION_NOT_FOUND", "FORBIDDEN"],
    })
    .input(RevokeInvitation)
    .output(z.void())
    .use(inOrganization("owner", ofInvitation))
    .mutation(({ ctx, input }) => revokeInvitation(ctx, input)),
};
