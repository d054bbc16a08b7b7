// Generated from the router's contracts by `pnpm generate`; edit those.

import type { CallOptions, MutationOptions } from "../options.ts";

export interface OrganizationListItem {
  id: string;
  name: string;
  avatarUrl: string | null;
  members: Member[];
  memberCount: number;
}

export interface Member {
  id: string;
  userId: string;
  role: Role;
  isCreator: boolean;
  user?: MemberUser | undefined;
}

export type Role = "OWNER" | "MEMBER";

export interface MemberUser {
  id: string;
  name: string | null;
  email: string;
  avatarUrl: string | null;
}

export interface Organization {
  id: string;
  name: string;
  avatarUrl: string | null;
}

export interface CreatedOrganization {
  id: string;
  name: string;
  avatarUrl: string | null;
  memberships: Array<{
    id: string;
    role: Role;
    isCreator: boolean;
  }>;
}

export interface OrganizationMember {
  id: string;
  userId: string;
  role: Role;
  isCreator: boolean;
  user?: MemberUser | undefined;
  organizationId: string;
}

export interface Invitation {
  id: string;
  organizationId: string;
  email: string;
  role: Role;
  expiresAt: Date;
}

export interface InvitationWithOrganization {
  id: string;
  organizationId: string;
  email: string;
  role: Role;
  expiresAt: Date;
  organization?: {
    name: string;
  } | undefined;
}

export interface AcceptedInvitation {
  name: string;
}

export interface Subscription {
  id: string;
  organizationId: string;
  customerId: string;
  status: SubscriptionStatus;
  planId: string;
  variantId: string;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  canceledAt: Date | null;
  cancelAtPeriodEnd: boolean;
}

export type SubscriptionStatus = "ACTIVE" | "CANCELED" | "PAST_DUE" | "UNPAID" | "INCOMPLETE";

export interface OrganizationSettings {
  timeZone: string;
}

export interface AuditEntry {
  id: string;
  at: Date;
  actor: {
    id: string;
    name: string;
  } | null;
  action: string;
  subject: string;
  details: Record<string, unknown>;
}

export interface OrganizationsListInput {
  userId: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type OrganizationsListOutput = OrganizationListItem[];

export interface OrganizationsGetInput {
  id: string;
}

export type OrganizationsGetOutput = Organization;

export interface OrganizationsCreateInput {
  name: string;
}

export type OrganizationsCreateOutput = CreatedOrganization;

export interface OrganizationsUpdateInput {
  id: string;
  name?: string | undefined;
  avatarUrl?: string | null | undefined;
}

export type OrganizationsUpdateOutput = Organization;

export interface OrganizationsDeleteInput {
  id: string;
}

export type OrganizationsDeleteOutput = void;

export interface OrganizationsMembersListInput {
  organizationId: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type OrganizationsMembersListOutput = OrganizationMember[];

export interface OrganizationsMembersRemoveInput {
  membershipId: string;
}

export type OrganizationsMembersRemoveOutput = void;

export interface OrganizationsMembersUpdateRoleInput {
  id: string;
  role: Role;
}

export type OrganizationsMembersUpdateRoleOutput = void;

export interface OrganizationsInvitationsListInput {
  organizationId: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type OrganizationsInvitationsListOutput = Invitation[];

export interface OrganizationsInvitationsGetInput {
  id: string;
}

export type OrganizationsInvitationsGetOutput = InvitationWithOrganization | null;

export interface OrganizationsInvitationsCreateInput {
  organizationId: string;
  email: string;
  role: Role;
}

export type OrganizationsInvitationsCreateOutput = void;

export interface OrganizationsInvitationsAcceptInput {
  id: string;
}

export type OrganizationsInvitationsAcceptOutput = AcceptedInvitation;

export interface OrganizationsInvitationsRevokeInput {
  invitationId: string;
}

export type OrganizationsInvitationsRevokeOutput = void;

export interface OrganizationsSubscriptionGetInput {
  organizationId: string;
}

export type OrganizationsSubscriptionGetOutput = Subscription | null;

export interface OrganizationsSettingsGetInput {
  id: string;
}

export type OrganizationsSettingsGetOutput = OrganizationSettings;

export interface OrganizationsSettingsUpdateInput {
  id: string;
  timeZone?: string | undefined;
}

export type OrganizationsSettingsUpdateOutput = OrganizationSettings;

export interface OrganizationsAuditListInput {
  id: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type OrganizationsAuditListOutput = AuditEntry[];

/**
 * Every procedure of Purser, as a method.
 *
 * A method rejects with a `PurserError`. Beside the codes that it names itself, any may have `VALIDATION_FAILED`, `UNAUTHENTICATED`, `RATE_LIMITED`, `INTERNAL`, `UNAVAILABLE` and those of the client, and mutations `IDEMPOTENCY_KEY_REUSED` and `IDEMPOTENCY_IN_PROGRESS`.
 */
export interface PurserClient {
  organizations: {
    /**
     * Lists the organizations that a user belongs to, newest first, each with its members. Administrators may name any user.
     *
     * Refuses with
     * - `FORBIDDEN`: Your role does not allow this.
     */
    list: (input: OrganizationsListInput, options?: CallOptions) => Promise<OrganizationsListOutput>;
    /**
     * Reads an organization.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     */
    get: (input: OrganizationsGetInput, options?: CallOptions) => Promise<OrganizationsGetOutput>;
    /** Creates an organization; the caller becomes its creator and first owner. */
    create: (input: OrganizationsCreateInput, options?: MutationOptions) => Promise<OrganizationsCreateOutput>;
    /**
     * Changes the name or the avatar of an organization. An absent field stays as it is; a null avatarUrl clears it.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     */
    update: (input: OrganizationsUpdateInput, options?: MutationOptions) => Promise<OrganizationsUpdateOutput>;
    /**
     * Deletes an organization for everybody in it. Its ledgers and audit trail stay on record.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_IN_USE`: The organization still has cards, bank connections or a subscription.
     */
    delete: (input: OrganizationsDeleteInput, options?: MutationOptions) => Promise<OrganizationsDeleteOutput>;
    members: {
      /**
       * Lists the members of an organization, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      list: (input: OrganizationsMembersListInput, options?: CallOptions) => Promise<OrganizationsMembersListOutput>;
      /**
       * Removes a member. An owner removes others; anybody else only themselves, which is to leave.
       *
       * Refuses with
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `OWNER_CANNOT_LEAVE`: An owner cannot remove themselves.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       */
      remove: (input: OrganizationsMembersRemoveInput, options?: MutationOptions) => Promise<OrganizationsMembersRemoveOutput>;
      /**
       * Makes a member an owner, or an owner a member.
       *
       * Refuses with
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       * - `LAST_OWNER`: An organization always has an owner; name another one first.
       */
      updateRole: (input: OrganizationsMembersUpdateRoleInput, options?: MutationOptions) => Promise<OrganizationsMembersUpdateRoleOutput>;
    };
    invitations: {
      /**
       * Lists the invitations of an organization that are neither accepted nor revoked, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: (input: OrganizationsInvitationsListInput, options?: CallOptions) => Promise<OrganizationsInvitationsListOutput>;
      /** Reads an invitation, as the invited person or as an owner. To anybody else it is null. */
      get: (input: OrganizationsInvitationsGetInput, options?: CallOptions) => Promise<OrganizationsInvitationsGetOutput>;
      /**
       * Invites a person by e-mail, for 7 days. It replaces an earlier invitation of the same address.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `ALREADY_MEMBER`: This person is a member already.
       */
      create: (input: OrganizationsInvitationsCreateInput, options?: MutationOptions) => Promise<OrganizationsInvitationsCreateOutput>;
      /**
       * Accepts an invitation: the caller becomes a member with the role that it names.
       *
       * Refuses with
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
       * - `INVITATION_EXPIRED`: This invitation has expired; ask for a new one.
       * - `ALREADY_MEMBER`: This person is a member already.
       */
      accept: (input: OrganizationsInvitationsAcceptInput, options?: MutationOptions) => Promise<OrganizationsInvitationsAcceptOutput>;
      /**
       * Takes an invitation back.
       *
       * Refuses with
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      revoke: (input: OrganizationsInvitationsRevokeInput, options?: MutationOptions) => Promise<OrganizationsInvitationsRevokeOutput>;
    };
    subscription: {
      /**
       * Reads the subscription of an organization: the live one, otherwise the latest, otherwise null.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      get: (input: OrganizationsSubscriptionGetInput, options?: CallOptions) => Promise<OrganizationsSubscriptionGetOutput>;
    };
    settings: {
      /**
       * Reads the settings of an organization.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      get: (input: OrganizationsSettingsGetInput, options?: CallOptions) => Promise<OrganizationsSettingsGetOutput>;
      /**
       * Changes the settings of an organization. The time zone decides where its days, weeks and months begin.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      update: (input: OrganizationsSettingsUpdateInput, options?: MutationOptions) => Promise<OrganizationsSettingsUpdateOutput>;
    };
    audit: {
      /**
       * Lists what happened in an organization and who did it, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: (input: OrganizationsAuditListInput, options?: CallOptions) => Promise<OrganizationsAuditListOutput>;
    };
  };
}
