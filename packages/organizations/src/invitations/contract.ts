import { Email, Id, page } from "@purser/core";
import { z } from "zod";
import { MembershipRole } from "../members/contract.ts";

export const Invitation = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    email: z.string(),
    role: MembershipRole,
    expiresAt: z.date(),
  })
  .meta({ id: "Invitation" });

export const InvitationWithOrganization = Invitation.extend({
  organization: z.object({ name: z.string() }).optional(),
}).meta({ id: "InvitationWithOrganization" });

export const AcceptedInvitation = z.object({ name: z.string() }).meta({ id: "AcceptedInvitation" });

export const ListInvitations = z.strictObject({ organizationId: Id, ...page("inv") });

export const InvitationById = z.strictObject({ id: Id });

export const CreateInvitation = z.strictObject({ organizationId: Id, email: Email, role: MembershipRole });

export const RevokeInvitation = z.strictObject({ invitationId: Id });
