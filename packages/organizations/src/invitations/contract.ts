import { Email, Id, exampleIds, explained, page, sharedFields, anyOf, membershipRoles } from "@purser/core";
import { z } from "zod";
import { MembershipRole } from "../members/contract.ts";

const invitationId = explained(
  "The invitation's id. The invited person finds it in the e-mail.",
  exampleIds.inv,
);

const role = MembershipRole.meta({
  description: `The role that the person gets on accepting: ${anyOf(membershipRoles)}.`,
});

const email = "The invited person's address, in lower case. Only the user with this address may accept.";

export const Invitation = z
  .object({
    id: z.string().meta(invitationId),
    organizationId: z.string().meta(sharedFields.organizationId),
    email: z.string().meta(explained(email, "new@demo.example")),
    role,
    expiresAt: z
      .date()
      .meta(
        explained(
          "When the invitation expires: 7 days after it was sent. Sending it again restarts the 7 days.",
          new Date("2026-03-25T19:48:36.000Z"),
        ),
      ),
  })
  .meta({
    id: "Invitation",
    description: "An invitation to become a member. It disappears when it is accepted or revoked.",
  });

const organizationName = z.string().meta(explained("The organization's name.", "Fernhill Studio"));

export const InvitationWithOrganization = Invitation.extend({
  organization: z
    .object({ name: organizationName })
    .optional()
    .meta(explained("The organization that the person is invited to.")),
}).meta({
  id: "InvitationWithOrganization",
  description: "An invitation with the name of its organization.",
});

export const AcceptedInvitation = z
  .object({ name: organizationName })
  .meta({ id: "AcceptedInvitation", description: "The organization that the caller is now a member of." });

export const ListInvitations = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  ...page("inv"),
});

export const InvitationById = z.strictObject({ id: Id.meta(invitationId) });

export const CreateInvitation = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  email: Email.meta({
    description:
      "The address to send the invitation to. Case does not matter. An earlier invitation to it is replaced.",
  }),
  role,
});

export const RevokeInvitation = z.strictObject({ invitationId: Id.meta(invitationId) });
