import { Id, Name, WebUrl, page } from "@purser/core";
import { z } from "zod";
import { Member, MembershipRole } from "./members/contract.ts";

export const Organization = z
  .object({ id: z.string(), name: z.string(), avatarUrl: z.string().nullable() })
  .meta({ id: "Organization" });

export const OrganizationListItem = Organization.extend({
  members: z.array(Member),
  memberCount: z.int(),
}).meta({ id: "OrganizationListItem" });

export const CreatedOrganization = Organization.extend({
  memberships: z.array(z.object({ id: z.string(), role: MembershipRole, isCreator: z.boolean() })),
}).meta({ id: "CreatedOrganization" });

export const ListOrganizations = z.strictObject({ userId: Id, ...page("org") });

export const TheOrganization = z.strictObject({ id: Id });

export const CreateOrganization = z.strictObject({ name: Name });

export const UpdateOrganization = TheOrganization.extend({
  name: Name.optional(),
  avatarUrl: WebUrl.nullable().optional(),
});
