import { explained, sharedFields } from "@purser/core";
import { z } from "zod";
import { Organization } from "../contract.ts";
import { Member } from "../members/contract.ts";

const OwnMembership = Member.pick({ id: true, role: true, isCreator: true })
  .extend({
    organizationId: z.string().meta(sharedFields.organizationId),
    organizationName: Organization.shape.name,
  })
  .meta({ id: "OwnMembership", description: "A membership of the caller." });

export const Me = z
  .object({
    id: z.string().meta(sharedFields.userId),
    name: z.string().nullable().meta(sharedFields.personName),
    email: z.string().meta(sharedFields.personEmail),
    emailVerified: z
      .boolean()
      .meta(
        explained(
          "Whether the address is confirmed. Where the service requires that, as it does in production by default, invitations, and creating keys of an organization and webhook endpoints, need it.",
          true,
        ),
      ),
    avatarUrl: z.string().nullable().meta(sharedFields.personAvatarUrl),
    isAdministrator: z
      .boolean()
      .meta(
        explained("Whether the user administers the service. That is no right in any organization.", false),
      ),
    twoFactorEnabled: z
      .boolean()
      .meta(explained("Whether a sign-in with the password asks for a one-time code as well.", true)),
    memberships: z
      .array(OwnMembership)
      .meta(explained("The caller's memberships, newest organization first: the first 1,000 of them.")),
  })
  .meta({ id: "Me", description: "The caller." });

export const GetMe = z.strictObject({});
