// Generated from the router's contracts by `pnpm generate`; edit those.

import type { TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure } from "@trpc/server";
import type { RouterTypes } from "../router-types.ts";
import type * as Purser from "./purser-client.ts";

/** The router as `@trpc/client` needs to know it: procedures and errors, without what is behind them. */
export type AppRouter = TRPCBuiltRouter<RouterTypes, {
  cards: {
    /**
     * Lists the cards of an organization, newest first; members see those assigned to them.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     */
    list: TRPCQueryProcedure<{ meta: object; input: Purser.CardsListInput; output: Purser.CardsListOutput }>;
    /**
     * Issues a card to a member. It is funded from a bank account, whose currency and country it has, and follows a policy.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
     * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
     * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
     * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    create: TRPCMutationProcedure<{ meta: object; input: Purser.CardsCreateInput; output: Purser.CardsCreateOutput }>;
    /**
     * Reads a card.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `CARD_NOT_FOUND`: There is no such card.
     */
    get: TRPCQueryProcedure<{ meta: object; input: Purser.CardsGetInput; output: Purser.CardsGetOutput }>;
    /**
     * Changes the nickname, the policy or the holder of a card. An absent field stays as it is; a null nickname clears it.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
     * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
     * - `CARD_CLOSED`: This card is closed; that is final.
     */
    update: TRPCMutationProcedure<{ meta: object; input: Purser.CardsUpdateInput; output: Purser.CardsUpdateOutput }>;
    /**
     * Changes the status of a card, for the very next purchase. Owners set any; cardholders pause, resume and close their own. CLOSED is final.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_CLOSED`: This card is closed; that is final.
     * - `ASSIGNEE_NOT_MEMBER`: The person whom this card is assigned to is not a member any more.
     */
    updateStatus: TRPCMutationProcedure<{ meta: object; input: Purser.CardsUpdateStatusInput; output: Purser.CardsUpdateStatusOutput }>;
    policies: {
      /**
       * Lists the card policies of an organization, newest first, each with the number of cards that follow it and are not closed.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.CardsPoliciesListInput; output: Purser.CardsPoliciesListOutput }>;
      /**
       * Creates a card policy. What it does not restrict is allowed.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      create: TRPCMutationProcedure<{ meta: object; input: Purser.CardsPoliciesCreateInput; output: Purser.CardsPoliciesCreateOutput }>;
      /**
       * Changes a card policy, for the very next purchase with any card that follows it. An absent field stays as it is; null clears a field that may be null.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
       */
      update: TRPCMutationProcedure<{ meta: object; input: Purser.CardsPoliciesUpdateInput; output: Purser.CardsPoliciesUpdateOutput }>;
      /**
       * Tells whether a purchase would pass now or at another time, and why not: on a card, under a draft of a policy, or on a card as if it followed the draft.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      check: TRPCQueryProcedure<{ meta: object; input: Purser.CardsPoliciesCheckInput; output: Purser.CardsPoliciesCheckOutput }>;
      /**
       * Tells what a policy or a draft of one would have declined among past purchases that were approved. Limits count from the beginning of the range.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      backtest: TRPCQueryProcedure<{ meta: object; input: Purser.CardsPoliciesBacktestInput; output: Purser.CardsPoliciesBacktestOutput }>;
    };
    transactions: {
      /**
       * Lists the card transactions of an organization, newest first; members see those of the cards assigned to them.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.CardsTransactionsListInput; output: Purser.CardsTransactionsListOutput }>;
      /**
       * Tells what the decision on a card transaction was based on: why it was declined, and what was left of the limit. To its organization's owners and the card's holder.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       */
      explain: TRPCQueryProcedure<{ meta: object; input: Purser.CardsTransactionsExplainInput; output: Purser.CardsTransactionsExplainOutput }>;
    };
  };
  banking: {
    institutions: {
      /**
       * Searches the banks that a provider reaches, best match first.
       *
       * Refuses with
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.BankingInstitutionsListInput; output: Purser.BankingInstitutionsListOutput }>;
    };
    link: {
      /**
       * Makes a link to a page at the provider where a person gives or renews a consent for this team. They come back to redirectUrl with teamId, provider, providerId and consentId, which is what connecting takes, or with an error.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `INSTITUTION_NOT_FOUND`: There is no such institution at this provider.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
       */
      create: TRPCMutationProcedure<{ meta: object; input: Purser.BankingLinkCreateInput; output: Purser.BankingLinkCreateOutput }>;
    };
    connections: {
      /**
       * Lists the bank connections of a team with their consents, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.BankingConnectionsListInput; output: Purser.BankingConnectionsListOutput }>;
      /**
       * Links a team to a bank by a consent that a person gave there. It answers when the accounts are stored; transactions follow in the background.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `INSTITUTION_NOT_FOUND`: There is no such institution at this provider.
       * - `CONSENT_NOT_FOUND`: There is no such consent for this team and institution.
       * - `REAUTHORIZATION_REQUIRED`: The bank asks the person to give their consent again.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
       */
      connect: TRPCMutationProcedure<{ meta: object; input: Purser.BankingConnectionsConnectInput; output: Purser.BankingConnectionsConnectOutput }>;
      /**
       * Ends a bank connection: its consents are revoked, also at the provider, and its tokens erased. What was read stays.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      disconnect: TRPCMutationProcedure<{ meta: object; input: Purser.BankingConnectionsDisconnectInput; output: Purser.BankingConnectionsDisconnectOutput }>;
      /**
       * Sets scopes and expiry of a connection's newest consent, within what the bank has granted. A disconnected connection is connected again where the provider can do so.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `REAUTHORIZATION_REQUIRED`: The bank asks the person to give their consent again.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
       */
      updateConsent: TRPCMutationProcedure<{ meta: object; input: Purser.BankingConnectionsUpdateConsentInput; output: Purser.BankingConnectionsUpdateConsentOutput }>;
      /**
       * Brings accounts and transactions to what the bank has now. It waits up to 25 seconds; updatedAt is the end of the last synchronisation that succeeded.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
       * - `CONSENT_EXPIRED`: The consent for this bank connection has expired; renew it at the bank.
       * - `REAUTHORIZATION_REQUIRED`: The bank asks the person to give their consent again.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
       */
      sync: TRPCMutationProcedure<{ meta: object; input: Purser.BankingConnectionsSyncInput; output: Purser.BankingConnectionsSyncOutput }>;
    };
    accounts: {
      /**
       * Lists the bank accounts of a team with their balances, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.BankingAccountsListInput; output: Purser.BankingAccountsListOutput }>;
      /**
       * Reads a bank account with its newest ten transactions and the number of all.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.BankingAccountsGetInput; output: Purser.BankingAccountsGetOutput }>;
    };
    transactions: {
      /**
       * Lists the transactions of a team's bank accounts, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.BankingTransactionsListInput; output: Purser.BankingTransactionsListOutput }>;
    };
    syncs: {
      /**
       * Lists the synchronisations of a team's bank connections with their outcomes, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.BankingSyncsListInput; output: Purser.BankingSyncsListOutput }>;
    };
  };
  billing: {
    /**
     * Begins a checkout, and gives the address of the provider's page on which the team pays. Begun again for the same, it is the same page.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `PLAN_NOT_FOUND`: There is no such plan, or not with this variant.
     * - `ALREADY_SUBSCRIBED`: This team has a subscription already.
     * - `CHECKOUT_SUPERSEDED`: Another checkout was begun for this team meanwhile.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    checkout: TRPCMutationProcedure<{ meta: object; input: Purser.BillingCheckoutInput; output: Purser.BillingCheckoutOutput }>;
    /**
     * Gives the address of the provider's page on which the customer sees to a subscription.
     *
     * Refuses with
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    portal: TRPCMutationProcedure<{ meta: object; input: Purser.BillingPortalInput; output: Purser.BillingPortalOutput }>;
    /**
     * Lets a subscription end with its period; until then it stays as it is.
     *
     * Refuses with
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `SUBSCRIPTION_ENDED`: This subscription has ended; that is final.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    cancel: TRPCMutationProcedure<{ meta: object; input: Purser.BillingCancelInput; output: Purser.BillingCancelOutput }>;
    /**
     * Takes a cancellation back that has not come into force yet.
     *
     * Refuses with
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `SUBSCRIPTION_ENDED`: This subscription has ended; that is final.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    resume: TRPCMutationProcedure<{ meta: object; input: Purser.BillingResumeInput; output: Purser.BillingResumeOutput }>;
    /**
     * Stores a subscription as an administrator gives it. What its provider says next wins; one that no provider knows is manual.
     *
     * Refuses with
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `SUBSCRIPTION_OF_ANOTHER_TEAM`: A subscription of another team has this id.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    sync: TRPCMutationProcedure<{ meta: object; input: Purser.BillingSyncInput; output: Purser.BillingSyncOutput }>;
    plans: {
      /** Lists the plans of all payment providers, as these have them on sale. */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.BillingPlansListInput | undefined; output: Purser.BillingPlansListOutput }>;
    };
    events: {
      /**
       * Lists the webhook events of payment providers, newest first, and what became of them.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: TRPCQueryProcedure<{ meta: object; input: Purser.BillingEventsListInput | undefined; output: Purser.BillingEventsListOutput }>;
      /**
       * Applies a webhook event again, whatever became of it.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `WEBHOOK_EVENT_NOT_FOUND`: There is no such webhook event.
       */
      replay: TRPCMutationProcedure<{ meta: object; input: Purser.BillingEventsReplayInput; output: Purser.BillingEventsReplayOutput }>;
    };
  };
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
  sandbox: {
    banking: {
      /**
       * Lets a transaction appear at the bank, posted or pending. It answers with the id under which the bank has it.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       */
      addTransaction: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingAddTransactionInput; output: Purser.SandboxBankingAddTransactionOutput }>;
      /**
       * Posts a pending transaction, which then has a new id at the bank.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      postTransaction: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingPostTransactionInput; output: Purser.SandboxBankingPostTransactionOutput }>;
      /**
       * Changes what the bank has of a transaction. An absent field stays as it is.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      changeTransaction: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingChangeTransactionInput; output: Purser.SandboxBankingChangeTransactionOutput }>;
      /**
       * Takes a transaction away from the bank.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      removeTransaction: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingRemoveTransactionInput; output: Purser.SandboxBankingRemoveTransactionOutput }>;
      /**
       * Revokes the newest consent at the bank, as its customer may at any time.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      revokeConsent: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingRevokeConsentInput; output: Purser.SandboxBankingRevokeConsentOutput }>;
      /**
       * Lets the newest consent expire at the bank now.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      expireConsent: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingExpireConsentInput; output: Purser.SandboxBankingExpireConsentOutput }>;
      /**
       * Lets the bank ask for the newest consent to be confirmed before it goes on.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      requireReauthorization: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingRequireReauthorizationInput; output: Purser.SandboxBankingRequireReauthorizationOutput }>;
      /**
       * Confirms the newest consent at the bank, so that it goes on. One that has ended stays so.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      repairConsent: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingRepairConsentInput; output: Purser.SandboxBankingRepairConsentOutput }>;
      /**
       * Lets something go wrong at the bank, so many times or until it is cleared.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      setFault: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingSetFaultInput; output: Purser.SandboxBankingSetFaultOutput }>;
      /**
       * Lets everything go well again at the bank.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      clearFaults: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingClearFaultsInput; output: Purser.SandboxBankingClearFaultsOutput }>;
    };
    cards: {
      /**
       * Lets a merchant ask for a purchase on a card. It is decided on like any other, and a declined one is answered like an approved one.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      authorize: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsAuthorizeInput; output: Purser.SandboxCardsAuthorizeOutput }>;
      /**
       * Lets a merchant ask for more on top of what is held. Where it is declined, the reason is the code of the error.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined; it does not change any more.
       * - `CARD_CLOSED`: This card is closed; that is final.
       * - `CARD_FROZEN`: This card is frozen.
       * - `CARD_PAUSED`: This card is paused.
       * - `CARD_EXPIRED`: This card has expired.
       * - `CURRENCY_NOT_SUPPORTED`: This card is not good for this currency.
       * - `POLICY_NOT_STARTED`: The card's policy has not started yet.
       * - `POLICY_EXPIRED`: The card's policy has ended.
       * - `DAY_NOT_ALLOWED`: The card's policy does not allow this day of the week.
       * - `ATM_NOT_ALLOWED`: The card's policy does not allow cash machines.
       * - `ONLINE_NOT_ALLOWED`: The card's policy does not allow purchases online.
       * - `INTERNATIONAL_NOT_ALLOWED`: The card's policy does not allow purchases abroad.
       * - `MERCHANT_CATEGORY_NOT_ALLOWED`: The card's policy does not allow this category of merchants.
       * - `MERCHANT_BLOCKED`: The card's policy blocks this merchant.
       * - `TRANSACTION_LIMIT_EXCEEDED`: This is more than the card's policy allows for a purchase.
       * - `DAILY_LIMIT_EXCEEDED`: This is more than is left of the card's limit today.
       * - `WEEKLY_LIMIT_EXCEEDED`: This is more than is left of the card's limit this week.
       * - `MONTHLY_LIMIT_EXCEEDED`: This is more than is left of the card's limit this month.
       */
      increment: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsIncrementInput; output: Purser.SandboxCardsIncrementOutput }>;
      /**
       * Lets a merchant give back some of the hold, or all of it: then the purchase does not come about.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined; it does not change any more.
       * - `AMOUNT_EXCEEDS_HOLD`: This is more than is held.
       */
      reverse: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsReverseInput; output: Purser.SandboxCardsReverseOutput }>;
      /**
       * Lets a hold expire now, as it does by itself where nobody clears it.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined; it does not change any more.
       */
      expire: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsExpireInput; output: Purser.SandboxCardsExpireOutput }>;
      /**
       * Lets a merchant take the money of a purchase; or of a card, without having asked before.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `CARD_NOT_FOUND`: There is no such card.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined; it does not change any more.
       */
      clear: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsClearInput; output: Purser.SandboxCardsClearOutput }>;
      /**
       * Lets a merchant give money back: of a purchase, or just to a card. It is a transaction of its own.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `CARD_NOT_FOUND`: There is no such card.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined; it does not change any more.
       * - `TRANSACTION_NOT_SETTLED`: This card transaction is not settled yet; reverse it instead.
       * - `AMOUNT_EXCEEDS_CLEARED`: This is more than was cleared and not refunded yet.
       */
      refund: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsRefundInput; output: Purser.SandboxCardsRefundOutput }>;
    };
    billing: {
      /**
       * Moves the clock of one subscription: trials end, periods are renewed, payments fail and are tried again. It answers with the subscription as it is then.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      advance: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBillingAdvanceInput; output: Purser.SandboxBillingAdvanceOutput }>;
      /**
       * Pays with another test card from now on. One that succeeds pays at once what is owed; one that fails does so at every renewal.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `SUBSCRIPTION_ENDED`: This subscription has ended; that is final.
       */
      replaceCard: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBillingReplaceCardInput; output: Purser.SandboxBillingReplaceCardOutput }>;
    };
  };
}>;
