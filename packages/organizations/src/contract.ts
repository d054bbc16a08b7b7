import { Id, Name, WebUrl, exampleIds, explained, page, sharedFields } from "@purser/core";
import { z } from "zod";
import { Member } from "./members/contract.ts";

const avatarUrl = explained(
  "The address of the organization's picture, http or https. The service never fetches it. Null if there is none.",
  "https://fernhill.example/logo.png",
);

export const Organization = z
  .object({
    id: z.string().meta(sharedFields.organizationId),
    name: z.string().meta(explained("The organization's name, on one line.", "Fernhill Studio")),
    avatarUrl: z.string().nullable().meta(avatarUrl),
  })
  .meta({
    id: "Organization",
    description: "A company or group whose members share its money. Banking and billing call it a team.",
  });

export const OrganizationListItem = Organization.extend({
  members: z.array(Member).meta(explained("All members, newest first.")),
  memberCount: z.int().meta(explained("The number of members.", 2)),
}).meta({ id: "OrganizationListItem", description: "An organization with its members." });

export const CreatedOrganization = Organization.extend({
  memberships: z
    .array(Member.pick({ id: true, role: true, isCreator: true }))
    .meta(explained("The caller's membership, the only one so far.")),
}).meta({ id: "CreatedOrganization", description: "A new organization." });

export const ListOrganizations = z.strictObject({
  userId: Id.meta(
    explained(
      "The user whose organizations are listed. By default the caller; only administrators may name another user.",
      exampleIds.user,
    ),
  ).optional(),
  ...page("org"),
});

export const TheOrganization = z.strictObject({ id: Id.meta(sharedFields.organizationId) });

export const CreateOrganization = z.strictObject({ name: Name });

export const UpdateOrganization = TheOrganization.extend({
  name: Name.optional(),
  avatarUrl: WebUrl.nullable().meta(avatarUrl).optional(),
});
