import { Id, membershipRoles, page } from "@purser/core";
import { z } from "zod";

export const MembershipRole = z.enum(membershipRoles).meta({ id: "Role" });

const MemberUser = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    email: z.string(),
    avatarUrl: z.string().nullable(),
  })
  .meta({ id: "MemberUser" });

export const Member = z
  .object({
    id: z.string(),
    userId: z.string(),
    role: MembershipRole,
    isCreator: z.boolean(),
    user: MemberUser.optional(),
  })
  .meta({ id: "Member" });

export const OrganizationMember = Member.extend({ organizationId: z.string() }).meta({
  id: "OrganizationMember",
});

export const ListMembers = z.strictObject({ organizationId: Id, ...page("mem") });

export const RemoveMember = z.strictObject({ membershipId: Id });

export const UpdateRole = z.strictObject({ id: Id, role: MembershipRole });
