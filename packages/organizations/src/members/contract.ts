import {
  Id,
  exampleIds,
  explained,
  explainedValues,
  membershipRoles,
  page,
  sharedFields,
} from "@purser/core";
import { z } from "zod";

export const MembershipRole = z.enum(membershipRoles).meta({
  id: "Role",
  ...explainedValues(membershipRoles, "What a member may do.", {
    OWNER: "manages the organization, its members, bank connections, cards and subscription.",
    MEMBER: "reads the organization and its bank data, and uses the cards assigned to them.",
  }),
});

const MemberUser = z
  .object({
    id: z.string().meta(sharedFields.userId),
    name: z.string().nullable().meta(sharedFields.personName),
    email: z.string().meta(sharedFields.personEmail),
    avatarUrl: z.string().nullable().meta(sharedFields.personAvatarUrl),
  })
  .meta({ id: "MemberUser", description: "The user behind a membership." });

export const Member = z
  .object({
    id: z.string().meta(sharedFields.membershipId),
    userId: z
      .string()
      .meta(explained("The id of the user. A card's `assignedToId` takes it.", exampleIds.user)),
    role: MembershipRole,
    isCreator: z
      .boolean()
      .meta(
        explained(
          "Whether the member created the organization. The creator cannot be removed or demoted.",
          true,
        ),
      ),
    user: MemberUser.optional(),
  })
  .meta({ id: "Member", description: "A user's membership in an organization." });

export const OrganizationMember = Member.extend({
  organizationId: z.string().meta(sharedFields.organizationId),
}).meta({ id: "OrganizationMember", description: "A user's membership in the named organization." });

export const MemberListItem = OrganizationMember.extend({
  nextRoles: z
    .array(MembershipRole)
    .meta(
      explained("The roles that the caller may give to the member now, besides the present one.", ["OWNER"]),
    ),
  canRemove: z
    .boolean()
    .meta(
      explained(
        "Whether the caller may remove the member. For the caller's own membership: whether they may leave.",
        true,
      ),
    ),
}).meta({
  id: "MemberListItem",
  description: "A member as lists show it, with what the caller may change.",
});

export const ListMembers = z.strictObject({
  organizationId: Id.meta(sharedFields.organizationId),
  ...page("mem"),
});

export const RemoveMember = z.strictObject({ membershipId: Id.meta(sharedFields.membershipId) });

export const UpdateRole = z.strictObject({ id: Id.meta(sharedFields.membershipId), role: MembershipRole });
