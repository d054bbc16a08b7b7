// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

import type { TRPCBuiltRouter, TRPCQueryProcedure, TRPCMutationProcedure, TRPCSubscriptionProcedure } from "@trpc/server";
import type { RouterTypes, StreamOf, WithCursor } from "../router-types.ts";
import type * as Purser from "./purser-client.ts";

/** The router's type for `@trpc/client`: procedures and errors only. */
export type AppRouter = TRPCBuiltRouter<RouterTypes, {
  me: {
    /**
     * Returns the caller and their memberships.
     *
     * For every signed-in user, and for no key of an organization, which belongs to no user.
     *
     * Errors:
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns The caller, and the organizations that they are a member of.
     */
    get: TRPCQueryProcedure<{ meta: object; input: Purser.MeGetInput | undefined; output: Purser.MeGetOutput }>;
  };
  keys: {
    /**
     * Lists the API keys of an organization without their secrets, newest first.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns A page of the keys, newest first. Revoked and expired ones are included.
     */
    list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.KeysListInput>; output: Purser.KeysListOutput }>;
    /**
     * Creates an API key of an organization. It acts as a member of that organization, and keeps working when its creator leaves. A repeat with the same Idempotency-Key is refused, because the secret is not stored.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
     * - `TOO_MANY_KEYS`: The organization has 100 API keys that are valid.
     *
     * @returns The new key with its secret, which no other response contains.
     */
    create: TRPCMutationProcedure<{ meta: object; input: Purser.KeysCreateInput; output: Purser.KeysCreateOutput }>;
    /**
     * Revokes an API key of an organization. It is refused from then on, and stays in the list.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `API_KEY_NOT_FOUND`: There is no such API key.
     * - `FORBIDDEN`: Your role does not allow this.
     */
    revoke: TRPCMutationProcedure<{ meta: object; input: Purser.KeysRevokeInput; output: Purser.KeysRevokeOutput }>;
  };
  events: {
    /**
     * Lists what happened in an organization, newest first.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     *
     * @returns A page of the events, newest first. It may be shorter than `limit` although there is a next page, because members do not see all events.
     */
    list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.EventsListInput>; output: Purser.EventsListOutput }>;
    /**
     * Returns an event of an organization.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `EVENT_NOT_FOUND`: There is no such event. It may be older than events are kept.
     *
     * @returns The event.
     */
    get: TRPCQueryProcedure<{ meta: object; input: Purser.EventsGetInput; output: Purser.EventsGetOutput }>;
    /**
     * Reads the feed of what happened in an organization, oldest first, without gaps. A client that reads it cursor by cursor gets each event exactly once, in the same order.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `CURSOR_EXPIRED`: The cursor is older than the events that are kept.
     *
     * @returns The events after the cursor, and the cursor of the next call.
     */
    feed: TRPCQueryProcedure<{ meta: object; input: Purser.EventsFeedInput; output: Purser.EventsFeedOutput }>;
    /**
     * Streams what happens in an organization, over REST as Server-Sent Events: the events that the feed has after `lastEventId`, and then each one as soon as it happens. The caller's access is checked repeatedly. When it is lost, the stream ends.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `CURSOR_EXPIRED`: The cursor is older than the events that are kept.
     *
     * @returns Events without end. Over REST, a message has the event's type as `event`, its cursor as `id`, and the event as `data`. A comment follows every 15 seconds. An `event: error` with a problem document ends a stream that cannot go on. Unless the problem is `retryable`, the caller has lost access. Reconnect with the last `id`, not before the time in `retry`.
     */
    stream: TRPCSubscriptionProcedure<{ meta: object; input: Purser.EventsStreamInput; output: StreamOf<Purser.EventsStreamOutput> }>;
  };
  webhookEndpoints: {
    /**
     * Lists the webhook endpoints of an organization without their secrets, newest first.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns A page of the endpoints, newest first.
     */
    list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.WebhookEndpointsListInput>; output: Purser.WebhookEndpointsListOutput }>;
    /**
     * Creates a webhook endpoint: from now on, the events of the organization are sent to its address. A repeat with the same Idempotency-Key is refused, because the secret is not shown again.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
     * - `TOO_MANY_ENDPOINTS`: The organization has 20 webhook endpoints.
     *
     * @returns The new endpoint with its secret, which no other response contains.
     */
    create: TRPCMutationProcedure<{ meta: object; input: Purser.WebhookEndpointsCreateInput; output: Purser.WebhookEndpointsCreateOutput }>;
    /**
     * Changes a webhook endpoint, disables it, or enables it again.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns The endpoint with its changes.
     */
    update: TRPCMutationProcedure<{ meta: object; input: Purser.WebhookEndpointsUpdateInput; output: Purser.WebhookEndpointsUpdateOutput }>;
    /**
     * Deletes a webhook endpoint. What it has not received is not sent. Its deliveries stay listed.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
     * - `FORBIDDEN`: Your role does not allow this.
     */
    delete: TRPCMutationProcedure<{ meta: object; input: Purser.WebhookEndpointsDeleteInput; output: Purser.WebhookEndpointsDeleteOutput }>;
    /**
     * Replaces the secret of a webhook endpoint. For 24 hours, deliveries are signed with both. A repeat with the same Idempotency-Key is refused, because the secret is not shown again.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns The endpoint with its new secret, which no other response contains.
     */
    rotateSecret: TRPCMutationProcedure<{ meta: object; input: Purser.WebhookEndpointsRotateSecretInput; output: Purser.WebhookEndpointsRotateSecretOutput }>;
    /**
     * Sends a test event to this webhook endpoint alone. Its type is `webhook_endpoint.test`, which no feed has.
     *
     * For owners of the organization, and for its keys with the access `write`.
     *
     * Errors:
     * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `WEBHOOK_ENDPOINT_DISABLED`: The webhook endpoint is disabled, so nothing is sent to it.
     *
     * @returns The delivery of the test event. The list of deliveries shows its outcome.
     */
    test: TRPCMutationProcedure<{ meta: object; input: Purser.WebhookEndpointsTestInput; output: Purser.WebhookEndpointsTestOutput }>;
    deliveries: {
      /**
       * Lists the deliveries of events to webhook endpoints, with their attempts, newest first.
       *
       * For owners of the organization, and for its keys with the access `write`.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
       *
       * @returns A page of the deliveries, newest first. They are kept as long as their events.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.WebhookEndpointsDeliveriesListInput>; output: Purser.WebhookEndpointsDeliveriesListOutput }>;
      /**
       * Returns a delivery of an event to a webhook endpoint, with its attempts.
       *
       * For owners of the organization, and for its keys with the access `write`.
       *
       * Errors:
       * - `WEBHOOK_DELIVERY_NOT_FOUND`: There is no such delivery of a webhook.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns The delivery.
       */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.WebhookEndpointsDeliveriesGetInput; output: Purser.WebhookEndpointsDeliveriesGetOutput }>;
      /**
       * Sends an event to its endpoint again, whether it was delivered or not. If that fails, the attempts start over.
       *
       * For owners of the organization, and for its keys with the access `write`.
       *
       * Errors:
       * - `WEBHOOK_DELIVERY_NOT_FOUND`: There is no such delivery of a webhook.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no such webhook endpoint.
       * - `WEBHOOK_ENDPOINT_DISABLED`: The webhook endpoint is disabled, so nothing is sent to it.
       *
       * @returns The delivery, which is pending again.
       */
      redeliver: TRPCMutationProcedure<{ meta: object; input: Purser.WebhookEndpointsDeliveriesRedeliverInput; output: Purser.WebhookEndpointsDeliveriesRedeliverOutput }>;
    };
  };
  cards: {
    /**
     * Lists the cards of an organization, newest first. Members see the cards assigned to them.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     *
     * @returns A page of the cards, newest first.
     */
    list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.CardsListInput>; output: Purser.CardsListOutput }>;
    /**
     * Issues a card to a member. The card follows a policy, and has the currency and country of its funding account.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
     * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
     * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
     * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
     * - `CARDHOLDER_DETAILS_REQUIRED`: The card issuer requires more details of the cardholder.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @returns The issued card, which is ACTIVE.
     */
    create: TRPCMutationProcedure<{ meta: object; input: Purser.CardsCreateInput; output: Purser.CardsCreateOutput }>;
    /**
     * Returns a card.
     *
     * For owners of the organization, and for the holder of the card.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `CARD_NOT_FOUND`: There is no such card.
     *
     * @returns The card.
     */
    get: TRPCQueryProcedure<{ meta: object; input: Purser.CardsGetInput; output: Purser.CardsGetOutput }>;
    /**
     * Updates the nickname, policy or holder of a card. Absent fields are unchanged; a null nickname clears it. A new holder does not see earlier purchases. Stripe binds a card to its first holder.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
     * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
     * - `CARD_CLOSED`: This card is closed. Closing is final.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     *
     * @returns The card after the change.
     */
    update: TRPCMutationProcedure<{ meta: object; input: Purser.CardsUpdateInput; output: Purser.CardsUpdateOutput }>;
    /**
     * Updates the status of a card. It applies to the next purchase. Owners set any status; cardholders pause, resume and close their own card. CLOSED is final.
     *
     * For owners of the organization, and for the holder of the card.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_CLOSED`: This card is closed. Closing is final.
     * - `ASSIGNEE_NOT_MEMBER`: The cardholder is no longer a member of the organization.
     *
     * @returns The card's status after the change.
     */
    updateStatus: TRPCMutationProcedure<{ meta: object; input: Purser.CardsUpdateStatusInput; output: Purser.CardsUpdateStatusOutput }>;
    /**
     * Creates a link to a page that shows the number, expiry and CVC of an ACTIVE or PAUSED card once, within 60 seconds. A repeat with the same Idempotency-Key is refused, because the link is not stored.
     *
     * For the holder of the card. Owners cannot call it for a card of another member.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_CLOSED`: This card is closed. Closing is final.
     * - `CARD_FROZEN`: This card is frozen.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     *
     * @returns The link.
     */
    reveal: TRPCMutationProcedure<{ meta: object; input: Purser.CardsRevealInput; output: Purser.CardsRevealOutput }>;
    cardholder: {
      /**
       * Returns which of the caller's details as a cardholder are on record, and which a card issuer of this service requires.
       *
       * For members of the organization, and for no key of it, which belongs to no user.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns Which details are on record and which are missing, and none of the details.
       */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.CardsCardholderGetInput; output: Purser.CardsCardholderGetOutput }>;
      /**
       * Updates the caller's own details as a cardholder: sealed, sent to card issuers that require them, never returned. Absent fields are unchanged; null erases a field.
       *
       * For members of the organization, and for no key of it, which belongs to no user.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns Which details are on record and which are missing, and none of the details.
       */
      update: TRPCMutationProcedure<{ meta: object; input: Purser.CardsCardholderUpdateInput; output: Purser.CardsCardholderUpdateOutput }>;
    };
    merchantCategories: {
      /**
       * Lists the categories of merchants that card policies can allow or block: code, name and kind of business.
       *
       * Open to everyone, without authentication. A credential that is sent nevertheless must be valid.
       *
       * @returns The categories, by code. All of them fit a page.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.CardsMerchantCategoriesListInput> | undefined; output: Purser.CardsMerchantCategoriesListOutput }>;
    };
    policies: {
      /**
       * Lists the card policies of an organization, newest first, each with the number and the currencies of its open cards.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns A page of the policies, newest first.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.CardsPoliciesListInput>; output: Purser.CardsPoliciesListOutput }>;
      /**
       * Creates a card policy. It allows everything that it does not restrict.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns The new policy, with its defaults filled in.
       */
      create: TRPCMutationProcedure<{ meta: object; input: Purser.CardsPoliciesCreateInput; output: Purser.CardsPoliciesCreateOutput }>;
      /**
       * Updates a card policy. The change applies to the next purchase with any of its cards. Absent fields are unchanged; null clears a nullable field.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
       *
       * @returns The policy after the change.
       */
      update: TRPCMutationProcedure<{ meta: object; input: Purser.CardsPoliciesUpdateInput; output: Purser.CardsPoliciesUpdateOutput }>;
      /**
       * Decides on a hypothetical purchase, now or at another time: with a card, under a draft policy, or with a card as if it followed the draft. Returns the reason for a decline, and what to change in the policy so that the purchase passes.
       *
       * For owners of the organization, and for the holder of the card.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_NOT_FOUND`: There is no such card.
       *
       * @returns The decision and its basis. Nothing is stored.
       */
      check: TRPCQueryProcedure<{ meta: object; input: Purser.CardsPoliciesCheckInput; output: Purser.CardsPoliciesCheckOutput }>;
      /**
       * Replays approved purchases under a policy or a draft, and reports which it would have declined. Limits count from the start of the range.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
       * - `CARD_NOT_FOUND`: There is no such card.
       *
       * @returns How many purchases the policy would have declined, why, and the newest of them. Nothing is stored.
       */
      backtest: TRPCQueryProcedure<{ meta: object; input: Purser.CardsPoliciesBacktestInput; output: Purser.CardsPoliciesBacktestOutput }>;
    };
    transactions: {
      /**
       * Lists the card transactions of an organization, newest first. Members see those of the cards assigned to them. With `Accept: text/csv`, all of them as CSV.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CARD_NOT_FOUND`: There is no such card.
       *
       * @returns A page of the card transactions, newest first.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.CardsTransactionsListInput>; output: Purser.CardsTransactionsListOutput }>;
      /**
       * Explains the decision on a card transaction: the reason for a decline, and the limit with its remaining amount. The reason is the first rule that declines, in the order in which the reasons are listed. Others may decline too: `cards.policies.check` with the card and the purchase, whose amount is `requestedAmount`, returns in `passesWith` everything that would have to change in the policy.
       *
       * For owners of the organization, and for the holder of the card.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       *
       * @returns The decision with its basis, and what became of the transaction.
       */
      explain: TRPCQueryProcedure<{ meta: object; input: Purser.CardsTransactionsExplainInput; output: Purser.CardsTransactionsExplainOutput }>;
    };
    reports: {
      /**
       * Reports what was spent with an organization's cards, by card, merchant, category or day. Members see the spending of the cards assigned to them.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `SUM_TOO_LARGE`: A sum in this report is beyond ±(2^53−1) minor units, the range of amounts.
       *
       * @returns The cards, merchants or categories with transactions, those with the most spending first, each in each of its currencies; or every day in order, in each currency of the cards, with zeros where nothing was spent.
       */
      spending: TRPCQueryProcedure<{ meta: object; input: Purser.CardsReportsSpendingInput; output: Purser.CardsReportsSpendingOutput }>;
    };
  };
  banking: {
    institutions: {
      /**
       * Searches the banks of all configured providers, or of one, best match first.
       *
       * For every signed-in user, and for every key of an organization.
       *
       * Errors:
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns A page of the banks, best match first.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.BankingInstitutionsListInput> | undefined; output: Purser.BankingInstitutionsListOutput }>;
    };
    link: {
      /**
       * Creates a link to a page at the provider where a person gives or renews a consent for this team. The page redirects to `redirectUrl` with `teamId`, `provider`, `providerId` and `consentId`, the input of `connect`, or with `error`: `access_denied`, `server_error`, or `authorization_pending` where the bank has yet to confirm the consent, such as after another owner of the account agrees; the service then connects it.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `INSTITUTION_NOT_FOUND`: There is no such institution at this provider.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns The address of the page, and until when it can be opened.
       */
      create: TRPCMutationProcedure<{ meta: object; input: Purser.BankingLinkCreateInput; output: Purser.BankingLinkCreateOutput }>;
    };
    connections: {
      /**
       * Lists the bank connections of a team with their consents, newest first.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns A page of the bank connections, newest first, each with its consents.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.BankingConnectionsListInput>; output: Purser.BankingConnectionsListOutput }>;
      /**
       * Connects a team to a bank with a consent. Returns once the accounts are stored; transactions follow in the background.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `INSTITUTION_NOT_FOUND`: There is no such institution at this provider.
       * - `CONSENT_NOT_FOUND`: There is no such consent for this team and institution.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns The connection, ACTIVE and with its consent in force. A repeated connect returns the same connection.
       */
      connect: TRPCMutationProcedure<{ meta: object; input: Purser.BankingConnectionsConnectInput; output: Purser.BankingConnectionsConnectOutput }>;
      /**
       * Disconnects a bank connection: revokes its consents, also at the provider, and erases its tokens. Accounts and transactions stay.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       *
       * @returns The connection, DISCONNECTED and with its consents revoked.
       */
      disconnect: TRPCMutationProcedure<{ meta: object; input: Purser.BankingConnectionsDisconnectInput; output: Purser.BankingConnectionsDisconnectOutput }>;
      /**
       * Sets scopes and expiry of a connection's newest consent, within the limits of the bank's grant. Reconnects a disconnected connection if the provider supports it.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns The consent after the change.
       */
      updateConsent: TRPCMutationProcedure<{ meta: object; input: Purser.BankingConnectionsUpdateConsentInput; output: Purser.BankingConnectionsUpdateConsentOutput }>;
      /**
       * Returns the health of each bank connection of a team: its status, the reason for a failure, what to do about it, and the next deadline.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns A page of the health of the connections, newest connection first.
       */
      health: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.BankingConnectionsHealthInput>; output: Purser.BankingConnectionsHealthOutput }>;
      /**
       * Confirms the consent of a connection without a visit to the bank, if the provider supports it.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
       * - `CONSENT_EXPIRED`: The consent for this bank connection has expired. Renew it at the bank.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns The consent, and by when it has to be confirmed the next time.
       */
      reconfirm: TRPCMutationProcedure<{ meta: object; input: Purser.BankingConnectionsReconfirmInput; output: Purser.BankingConnectionsReconfirmOutput }>;
      /**
       * Syncs accounts and transactions with the bank. Waits up to 25 seconds for the result; `updatedAt` is the end of the last successful sync.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
       * - `CONSENT_EXPIRED`: The consent for this bank connection has expired. Renew it at the bank.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       *
       * @returns The connection with the end of its last successful sync.
       */
      sync: TRPCMutationProcedure<{ meta: object; input: Purser.BankingConnectionsSyncInput; output: Purser.BankingConnectionsSyncOutput }>;
    };
    accounts: {
      /**
       * Lists the bank accounts of a team with their balances, newest first.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       *
       * @returns A page of the bank accounts, newest first.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.BankingAccountsListInput>; output: Purser.BankingAccountsListOutput }>;
      /**
       * Returns a bank account with its ten newest transactions and its transaction count.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       *
       * @returns The bank account with its ten newest transactions.
       */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.BankingAccountsGetInput; output: Purser.BankingAccountsGetOutput }>;
      /**
       * Merges a bank account into another one that is the same account, for example after it was linked again without its number. `intoAccountId` continues with its own connection and balances. It gets the transactions of `accountId`, without duplicates, and the cards that `accountId` funds. `accountId` ends. A moved transaction stays until the bank of `intoAccountId` lists the same amount on the same day: then it is that one. A merge cannot be undone.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `ACCOUNTS_CANNOT_MERGE`: These bank accounts cannot be the same account.
       *
       * @returns The account that continues.
       */
      merge: TRPCMutationProcedure<{ meta: object; input: Purser.BankingAccountsMergeInput; output: Purser.BankingAccountsMergeOutput }>;
    };
    transactions: {
      /**
       * Lists the transactions of a team's bank accounts, newest first. With `Accept: text/csv`, all of them as CSV.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       *
       * @returns A page of the transactions, newest first. Without `status`, only booked ones.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.BankingTransactionsListInput>; output: Purser.BankingTransactionsListOutput }>;
      /**
       * Returns a bank transaction, booked or pending.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       *
       * @returns The transaction.
       */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.BankingTransactionsGetInput; output: Purser.BankingTransactionsGetOutput }>;
      /**
       * Sets the category and the note of a bank transaction. The bank never overwrites them. They stay when a pending transaction is posted, when its account is linked again, and when accounts are merged.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       *
       * @returns The transaction.
       */
      update: TRPCMutationProcedure<{ meta: object; input: Purser.BankingTransactionsUpdateInput; output: Purser.BankingTransactionsUpdateOutput }>;
    };
    reports: {
      /**
       * Reports the closing balance of each of a team's bank accounts on each day.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `SUM_TOO_LARGE`: A sum in this report is beyond ±(2^53−1) minor units, the range of amounts.
       *
       * @returns The accounts, newest first, each with its balances, oldest first.
       */
      balances: TRPCQueryProcedure<{ meta: object; input: Purser.BankingReportsBalancesInput; output: Purser.BankingReportsBalancesOutput }>;
      /**
       * Reports the money in and out of a team's bank accounts by day, week or month. A transfer between two of these accounts counts twice: as money out of the one, and as money in for the other. With `groupBy` you can skip a category of transfers, which is not exact: a bank also puts payments of other people in it, and a transfer to savings or investments in another. Accounts of all types count, so a refund or a payment to a credit card is money in. Currencies are not converted.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `SUM_TOO_LARGE`: A sum in this report is beyond ±(2^53−1) minor units, the range of amounts.
       *
       * @returns The periods of each currency and, with `groupBy`, of each category that has money in the report, oldest period first. A currency without money has zeros, with `groupBy` under `category` null.
       */
      cashflow: TRPCQueryProcedure<{ meta: object; input: Purser.BankingReportsCashflowInput; output: Purser.BankingReportsCashflowOutput }>;
    };
    syncs: {
      /**
       * Lists the syncs of a team's bank connections with their outcomes, newest first.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       *
       * @returns A page of the syncs, newest first.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.BankingSyncsListInput>; output: Purser.BankingSyncsListOutput }>;
    };
    quarantine: {
      /**
       * Lists the bank data that needs a decision, newest first: transactions that contradict the ledger, booked transactions that the bank no longer lists, and data that cannot be read.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns A page of the entries that are not resolved, newest first.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.BankingQuarantineListInput>; output: Purser.BankingQuarantineListOutput }>;
      /**
       * Resolves an entry of the quarantine: `accept` takes its transaction into the list, `reject` leaves it out. The decision holds until the bank reports something else.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `QUARANTINE_ENTRY_NOT_FOUND`: There is no such entry in the quarantine, or it is resolved.
       */
      resolve: TRPCMutationProcedure<{ meta: object; input: Purser.BankingQuarantineResolveInput; output: Purser.BankingQuarantineResolveOutput }>;
    };
  };
  billing: {
    /**
     * Starts a checkout and returns the URL of the provider's payment page. The same request returns the same page while it is open. Afterwards the provider returns the browser to `redirectUrl`, with `checkout` (`completed` or `open`) and `checkoutId`. The subscription appears when the provider has reported the payment, usually within seconds: wait for the event `subscription.created`, or read `organizations.subscription.get` again.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `PLAN_NOT_FOUND`: There is no such plan, or not with this variant.
     * - `ALREADY_SUBSCRIBED`: This team already has a subscription.
     * - `CHECKOUT_SUPERSEDED`: Another checkout for this team has replaced this one.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @returns The address of the provider's payment page, as a JSON string. Redirect the browser to it.
     */
    checkout: TRPCMutationProcedure<{ meta: object; input: Purser.BillingCheckoutInput; output: Purser.BillingCheckoutOutput }>;
    /**
     * Returns the URL of the provider's customer portal for a subscription.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @returns The address of the customer portal, as a JSON string. It lets its bearer in, so treat it as a secret.
     */
    portal: TRPCMutationProcedure<{ meta: object; input: Purser.BillingPortalInput; output: Purser.BillingPortalOutput }>;
    /**
     * Cancels a subscription at the end of its current period or trial. It keeps its status until `currentPeriodEnd`, which `organizations.subscription.get` returns, and is CANCELED afterwards. One that is paused, or whose first payment is due, may end at once.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `SUBSCRIPTION_ENDED`: This subscription has ended.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     */
    cancel: TRPCMutationProcedure<{ meta: object; input: Purser.BillingCancelInput; output: Purser.BillingCancelOutput }>;
    /**
     * Withdraws a cancellation before the end of the period.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `SUBSCRIPTION_ENDED`: This subscription has ended.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     *
     * @returns The subscription's status after the change.
     */
    resume: TRPCMutationProcedure<{ meta: object; input: Purser.BillingResumeInput; output: Purser.BillingResumeOutput }>;
    /**
     * Stores a subscription that an administrator enters. If a payment provider knows the id, its state overrides the entry at the next synchronization; otherwise the subscription is manual.
     *
     * For administrators of the service.
     *
     * Errors:
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `SUBSCRIPTION_OF_ANOTHER_TEAM`: This id belongs to a subscription of another team.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     */
    sync: TRPCMutationProcedure<{ meta: object; input: Purser.BillingSyncInput; output: Purser.BillingSyncOutput }>;
    plans: {
      /**
       * Lists the plans that all payment providers have on sale.
       *
       * Open to everyone, without authentication. A credential that is sent nevertheless must be valid.
       *
       * @returns A page of the plans of all payment providers.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.BillingPlansListInput> | undefined; output: Purser.BillingPlansListOutput }>;
    };
    events: {
      /**
       * Lists the webhook events of payment providers with their processing status, newest first.
       *
       * For administrators of the service.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns A page of the events, newest first.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.BillingEventsListInput> | undefined; output: Purser.BillingEventsListOutput }>;
      /**
       * Processes a webhook event again, in any status.
       *
       * For administrators of the service.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `WEBHOOK_EVENT_NOT_FOUND`: There is no such webhook event.
       *
       * @returns The event, PENDING until it is processed.
       */
      replay: TRPCMutationProcedure<{ meta: object; input: Purser.BillingEventsReplayInput; output: Purser.BillingEventsReplayOutput }>;
    };
  };
  organizations: {
    /**
     * Lists the organizations of a user with their members, newest first. Administrators can list those of any user.
     *
     * For every signed-in user, and for no key of an organization, which belongs to no user.
     *
     * Errors:
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns A page of the organizations, newest first, each with all its members.
     */
    list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.OrganizationsListInput> | undefined; output: Purser.OrganizationsListOutput }>;
    /**
     * Returns an organization.
     *
     * For members of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     *
     * @returns The organization.
     */
    get: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsGetInput; output: Purser.OrganizationsGetOutput }>;
    /**
     * Creates an organization. The caller becomes its creator and first owner.
     *
     * For every signed-in user, and for no key of an organization, which belongs to no user.
     *
     * Errors:
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns The new organization, with the caller's membership as its owner.
     */
    create: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsCreateInput; output: Purser.OrganizationsCreateOutput }>;
    /**
     * Updates the name or the avatar of an organization. An absent field does not change; a null avatarUrl clears it.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     *
     * @returns The organization after the change.
     */
    update: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsUpdateInput; output: Purser.OrganizationsUpdateOutput }>;
    /**
     * Deletes an organization for all its members. Its ledgers and audit trail are kept.
     *
     * For owners of the organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_IN_USE`: The organization still has cards, bank connections or a subscription.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     */
    delete: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsDeleteInput; output: Purser.OrganizationsDeleteOutput }>;
    members: {
      /**
       * Lists the members of an organization, newest first.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns A page of the members, newest first, each with their user.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.OrganizationsMembersListInput>; output: Purser.OrganizationsMembersListOutput }>;
      /**
       * Removes a member. Owners can remove other members; a member can only leave.
       *
       * For owners of the organization, and for members about themselves.
       *
       * Errors:
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `OWNER_CANNOT_LEAVE`: An owner cannot remove themselves.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       */
      remove: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsMembersRemoveInput; output: Purser.OrganizationsMembersRemoveOutput }>;
      /**
       * Changes the role of a member.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       * - `LAST_OWNER`: An organization needs an owner. Make another member an owner first.
       */
      updateRole: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsMembersUpdateRoleInput; output: Purser.OrganizationsMembersUpdateRoleOutput }>;
    };
    invitations: {
      /**
       * Lists the open and expired invitations of an organization, newest first.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns A page of the invitations, newest first. Accepted and revoked ones are gone.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.OrganizationsInvitationsListInput>; output: Purser.OrganizationsInvitationsListOutput }>;
      /**
       * Returns an invitation to the invited person and to owners. Other callers get null.
       *
       * For every signed-in user, and for every key of an organization.
       *
       * @returns The invitation with the name of its organization, or null if there is none for the caller.
       */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsInvitationsGetInput; output: Purser.OrganizationsInvitationsGetOutput }>;
      /**
       * Sends an invitation that is valid for 7 days. It replaces an earlier invitation to the same address.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
       * - `ALREADY_MEMBER`: This person is already a member.
       */
      create: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsInvitationsCreateInput; output: Purser.OrganizationsInvitationsCreateOutput }>;
      /**
       * Accepts an invitation. The caller becomes a member with the invited role.
       *
       * For the user whose e-mail address is invited.
       *
       * Errors:
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
       * - `INVITATION_EXPIRED`: This invitation has expired. Request a new one.
       * - `ALREADY_MEMBER`: This person is already a member.
       *
       * @returns The name of the organization that the caller is now a member of.
       */
      accept: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsInvitationsAcceptInput; output: Purser.OrganizationsInvitationsAcceptOutput }>;
      /**
       * Revokes an invitation.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      revoke: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsInvitationsRevokeInput; output: Purser.OrganizationsInvitationsRevokeOutput }>;
    };
    subscription: {
      /**
       * Returns the live subscription of an organization, otherwise the latest one, otherwise null.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns The subscription, with the others that are live, or null if the organization has never had one.
       */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsSubscriptionGetInput; output: Purser.OrganizationsSubscriptionGetOutput }>;
    };
    settings: {
      /**
       * Returns the settings of an organization.
       *
       * For members of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       *
       * @returns The settings.
       */
      get: TRPCQueryProcedure<{ meta: object; input: Purser.OrganizationsSettingsGetInput; output: Purser.OrganizationsSettingsGetOutput }>;
      /**
       * Updates the settings of an organization. The time zone determines when its days, weeks and months start. With partialApprovals, a purchase beyond a limit is approved for what is left of it.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns The settings after the change.
       */
      update: TRPCMutationProcedure<{ meta: object; input: Purser.OrganizationsSettingsUpdateInput; output: Purser.OrganizationsSettingsUpdateOutput }>;
    };
    audit: {
      /**
       * Lists the audit trail of an organization, newest first.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       *
       * @returns A page of the audit entries, newest first.
       */
      list: TRPCQueryProcedure<{ meta: object; input: WithCursor<Purser.OrganizationsAuditListInput>; output: Purser.OrganizationsAuditListOutput }>;
    };
  };
  sandbox: {
    banking: {
      /**
       * Adds a posted or pending transaction at the bank. Returns the bank's id of the transaction.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       *
       * @returns The bank's id of the new transaction.
       */
      addTransaction: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingAddTransactionInput; output: Purser.SandboxBankingAddTransactionOutput }>;
      /**
       * Posts a pending transaction under a new id. Returns the new id.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       *
       * @returns The bank's new id of the transaction.
       */
      postTransaction: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingPostTransactionInput; output: Purser.SandboxBankingPostTransactionOutput }>;
      /**
       * Changes a transaction at the bank. Absent fields stay unchanged.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      changeTransaction: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingChangeTransactionInput; output: Purser.SandboxBankingChangeTransactionOutput }>;
      /**
       * Removes a transaction at the bank.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      removeTransaction: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingRemoveTransactionInput; output: Purser.SandboxBankingRemoveTransactionOutput }>;
      /**
       * Revokes the newest consent at the bank, as the customer can at any time.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      revokeConsent: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingRevokeConsentInput; output: Purser.SandboxBankingRevokeConsentOutput }>;
      /**
       * Expires the newest consent at the bank immediately.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      expireConsent: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingExpireConsentInput; output: Purser.SandboxBankingExpireConsentOutput }>;
      /**
       * Makes the bank require a confirmation of the newest consent.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      requireReauthorization: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingRequireReauthorizationInput; output: Purser.SandboxBankingRequireReauthorizationOutput }>;
      /**
       * Confirms the newest consent at the bank. A revoked or expired consent stays ended.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      repairConsent: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingRepairConsentInput; output: Purser.SandboxBankingRepairConsentOutput }>;
      /**
       * Sets a fault at the bank, for a number of times or until it is cleared.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      setFault: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingSetFaultInput; output: Purser.SandboxBankingSetFaultOutput }>;
      /**
       * Clears all faults at the bank.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      clearFaults: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBankingClearFaultsInput; output: Purser.SandboxBankingClearFaultsOutput }>;
    };
    cards: {
      /**
       * Simulates an authorization request for a purchase with a card. Returns the transaction, whether it is approved or declined.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_NOT_FOUND`: There is no such card.
       *
       * @returns The card transaction, PENDING if approved and DECLINED if not.
       */
      authorize: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsAuthorizeInput; output: Purser.SandboxCardsAuthorizeOutput }>;
      /**
       * Simulates a request to hold more for a purchase. If it is declined, the error code is the decline reason.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       * - `CARD_CLOSED`: This card is closed. Closing is final.
       * - `CARD_FROZEN`: This card is frozen.
       * - `CARD_PAUSED`: This card is paused.
       * - `CARD_EXPIRED`: This card has expired.
       * - `CURRENCY_NOT_SUPPORTED`: This card does not support this currency.
       * - `POLICY_NOT_STARTED`: The card's policy has not started yet.
       * - `POLICY_EXPIRED`: The card's policy has ended.
       * - `DAY_NOT_ALLOWED`: The card's policy does not allow this day of the week.
       * - `ATM_NOT_ALLOWED`: The card's policy does not allow ATM withdrawals.
       * - `ONLINE_NOT_ALLOWED`: The card's policy does not allow purchases online.
       * - `INTERNATIONAL_NOT_ALLOWED`: The card's policy does not allow international purchases.
       * - `MERCHANT_CATEGORY_NOT_ALLOWED`: The card's policy does not allow this category of merchants.
       * - `MERCHANT_CATEGORY_BLOCKED`: The card's policy blocks this merchant category.
       * - `MERCHANT_BLOCKED`: The card's policy blocks this merchant.
       * - `MERCHANT_NOT_ALLOWED`: The card's policy does not allow this merchant.
       * - `TRANSACTION_LIMIT_EXCEEDED`: The amount exceeds the card policy's limit per purchase.
       * - `DAILY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's daily limit.
       * - `WEEKLY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's weekly limit.
       * - `MONTHLY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's monthly limit.
       * - `YEARLY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's yearly limit.
       * - `ALL_TIME_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's limit for all time.
       *
       * @returns The card transaction with the larger hold.
       */
      increment: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsIncrementInput; output: Purser.SandboxCardsIncrementOutput }>;
      /**
       * Simulates a reversal, which releases a part of a hold or all of it. A fully reversed purchase is DECLINED.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       * - `AMOUNT_EXCEEDS_HOLD`: The amount exceeds the hold.
       *
       * @returns The card transaction with the smaller hold, or DECLINED without one.
       */
      reverse: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsReverseInput; output: Purser.SandboxCardsReverseOutput }>;
      /**
       * Expires a hold now instead of at its expiry date.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       *
       * @returns The card transaction, DECLINED.
       */
      expire: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsExpireInput; output: Purser.SandboxCardsExpireOutput }>;
      /**
       * Simulates a clearing: of a purchase, or with a card alone for a clearing without an authorization.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `CARD_NOT_FOUND`: There is no such card.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       *
       * @returns The card transaction, COMPLETED after its final clearing.
       */
      clear: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsClearInput; output: Purser.SandboxCardsClearOutput }>;
      /**
       * Simulates a refund of a purchase, or with a card alone a refund without one. The refund is a separate transaction.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `CARD_NOT_FOUND`: There is no such card.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       * - `TRANSACTION_NOT_SETTLED`: This card transaction is not settled yet. Reverse it instead.
       * - `AMOUNT_EXCEEDS_CLEARED`: The amount exceeds what was cleared and not refunded yet.
       *
       * @returns The card transaction of the refund, COMPLETED and with a negative amount.
       */
      refund: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxCardsRefundInput; output: Purser.SandboxCardsRefundOutput }>;
    };
    billing: {
      /**
       * Moves the clock of one subscription forward. Trials end, periods renew, and failed payments are retried. Returns the resulting subscription.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       *
       * @returns The subscription after the change.
       */
      advance: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBillingAdvanceInput; output: Purser.SandboxBillingAdvanceOutput }>;
      /**
       * Replaces the test card of a subscription. A card that succeeds pays an open invoice at once. A card that fails is declined at every renewal.
       *
       * For owners of the organization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `SUBSCRIPTION_ENDED`: This subscription has ended.
       *
       * @returns The subscription after the change.
       */
      replaceCard: TRPCMutationProcedure<{ meta: object; input: Purser.SandboxBillingReplaceCardInput; output: Purser.SandboxBillingReplaceCardOutput }>;
    };
  };
}>;
