// Generated from the router's contracts by `pnpm generate`; edit those.

import type { TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import type { RouterTypes } from "../router-types.ts";
import type * as Purser from "./purser-client.ts";

/** The router as `@trpc/client` needs to know it: procedures and errors, without what is behind them. */
export type AppRouter = TRPCBuiltRouter<RouterTypes, {
  organizations: {
    /**
     * Lists the organizations that a user belongs to, newest first, each with its members. Administrators may name any user.
     *
     * Refuses with
     * - `FORBIDDEN`: Your role does not allow this.
     */
    list: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsListInput; output: Purser.OrganizationsListOutput }>;
    /**
     * Reads an organization.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     */
    get: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsGetInput; output: Purser.OrganizationsGetOutput }>;
    /** Creates an organization; the caller becomes its creator and first owner. */
    create: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsCreateInput; output: Purser.OrganizationsCreateOutput }>;
    /**
     * Changes the name or the avatar of an organization. An absent field stays as it is; a null avatarUrl clears it.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     */
    update: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsUpdateInput; output: Purser.OrganizationsUpdateOutput }>;
    /**
     * Deletes an organization for everybody in it. Its ledgers and audit trail stay on record.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_IN_USE`: The organization still has cards, bank connections or a subscription.
     */
    delete: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsDeleteInput; output: Purser.OrganizationsDeleteOutput }>;
    members: {
      /**
       * Lists the members of an organization, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsMembersListInput; output: Purser.OrganizationsMembersListOutput }>;
      /**
       * Removes a member. An owner removes others; anybody else only themselves, which is to leave.
       *
       * Refuses with
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `OWNER_CANNOT_LEAVE`: An owner cannot remove themselves.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       */
      remove: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsMembersRemoveInput; output: Purser.OrganizationsMembersRemoveOutput }>;
      /**
       * Makes a member an owner, or an owner a member.
       *
       * Refuses with
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       * - `LAST_OWNER`: An organization always has an owner; name another one first.
       */
      updateRole: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsMembersUpdateRoleInput; output: Purser.OrganizationsMembersUpdateRoleOutput }>;
    };
    invitations: {
      /**
       * Lists the invitations of an organization that are neither accepted nor revoked, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsInvitationsListInput; output: Purser.OrganizationsInvitationsListOutput }>;
      /** Reads an invitation, as the invited person or as an owner. To anybody else it is null. */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsInvitationsGetInput; output: Purser.OrganizationsInvitationsGetOutput }>;
      /**
       * Invites a person by e-mail, for 7 days. It replaces an earlier invitation of the same address.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `ALREADY_MEMBER`: This person is a member already.
       */
      create: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsInvitationsCreateInput; output: Purser.OrganizationsInvitationsCreateOutput }>;
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
      accept: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsInvitationsAcceptInput; output: Purser.OrganizationsInvitationsAcceptOutput }>;
      /**
       * Takes an invitation back.
       *
       * Refuses with
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      revoke: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsInvitationsRevokeInput; output: Purser.OrganizationsInvitationsRevokeOutput }>;
    };
    subscription: {
      /**
       * Reads the subscription of an organization: the live one, otherwise the latest, otherwise null.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsSubscriptionGetInput; output: Purser.OrganizationsSubscriptionGetOutput }>;
    };
    settings: {
      /**
       * Reads the settings of an organization.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsSettingsGetInput; output: Purser.OrganizationsSettingsGetOutput }>;
      /**
       * Changes the settings of an organization. The time zone decides where its days, weeks and months begin.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      update: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsSettingsUpdateInput; output: Purser.OrganizationsSettingsUpdateOutput }>;
    };
    audit: {
      /**
       * Lists what happened in an organization and who did it, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsAuditListInput; output: Purser.OrganizationsAuditListOutput }>;
    };
  };
}>;
