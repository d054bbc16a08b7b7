import { eventContract } from "@purser/core";
import type { z } from "zod";
import { Organization } from "../contract.ts";
import { Invitation } from "../invitations/contract.ts";
import { OrganizationKey } from "../keys/contract.ts";
import { OrganizationMember } from "../members/contract.ts";
import { OrganizationSettings } from "../settings/contract.ts";

/** The events of organizations, their members, invitations and keys. */
export const organizationEventContracts = [
  eventContract(
    "organization.updated",
    Organization,
    "The name or the picture of the organization was changed. An update that changes nothing makes no event.",
  ),
  eventContract(
    "organization.settings_updated",
    OrganizationSettings,
    "The settings of the organization were changed. The subject is the organization, the data are the settings.",
  ),
  eventContract("member.joined", OrganizationMember, "A user became a member."),
  eventContract(
    "member.role_updated",
    OrganizationMember,
    "A member got another role, or became the creator, or is no longer the creator.",
  ),
  eventContract(
    "member.removed",
    OrganizationMember,
    "A member left, was removed, or deleted their account. The data are the membership as it was.",
  ),
  eventContract("invitation.created", Invitation, "A person was invited."),
  eventContract("invitation.accepted", Invitation, "The invited person became a member."),
  eventContract(
    "invitation.revoked",
    Invitation,
    "An invitation was withdrawn, replaced by a newer one of the same address, or revoked because the user of this address left the organization or became its creator.",
  ),
  eventContract("api_key.created", OrganizationKey, "An API key of the organization was created."),
  eventContract("api_key.revoked", OrganizationKey, "An API key of the organization was revoked."),
] as const;

export type OrganizationEvent = z.output<(typeof organizationEventContracts)[number]>;
