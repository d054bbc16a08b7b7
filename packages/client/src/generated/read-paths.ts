// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

import type * as Purser from "./purser-client.ts";

/** The REST addresses of everything that can be read, with the names of the input's fields. */
export const readPaths = {
  "me.get": "/api/me",
  "keys.list": "/api/keys",
  "events.list": "/api/events",
  "events.get": "/api/events/:id",
  "events.feed": "/api/events/feed",
  "webhookEndpoints.list": "/api/webhook-endpoints",
  "webhookEndpoints.deliveries.list": "/api/webhook-deliveries",
  "webhookEndpoints.deliveries.get": "/api/webhook-deliveries/:id",
  "cards.list": "/api/cards",
  "cards.get": "/api/cards/:cardId",
  "cards.cardholder.get": "/api/cards/cardholder",
  "cards.merchantCategories.list": "/api/cards/merchant-categories",
  "cards.policies.list": "/api/cards/policies",
  "cards.transactions.list": "/api/cards/transactions",
  "cards.transactions.explain": "/api/cards/transactions/:transactionId/decision",
  "cards.reports.spending": "/api/cards/reports/spending",
  "banking.institutions.list": "/api/banking/institutions",
  "banking.connections.list": "/api/banking/connections",
  "banking.connections.health": "/api/banking/connections/health",
  "banking.accounts.list": "/api/banking/accounts",
  "banking.accounts.get": "/api/banking/accounts/:accountId",
  "banking.transactions.list": "/api/banking/transactions",
  "banking.transactions.get": "/api/banking/transactions/:transactionId",
  "banking.reports.balances": "/api/banking/reports/balances",
  "banking.reports.cashflow": "/api/banking/reports/cashflow",
  "banking.syncs.list": "/api/banking/syncs",
  "banking.quarantine.list": "/api/banking/quarantine",
  "billing.plans.list": "/api/billing/plans",
  "billing.events.list": "/api/billing/events",
  "organizations.list": "/api/organizations",
  "organizations.get": "/api/organizations/:id",
  "organizations.members.list": "/api/organizations/:organizationId/members",
  "organizations.invitations.list": "/api/organizations/:organizationId/invitations",
  "organizations.invitations.get": "/api/organizations/invitations/:id",
  "organizations.subscription.get": "/api/organizations/:organizationId/subscription",
  "organizations.settings.get": "/api/organizations/:id/settings",
  "organizations.audit.list": "/api/organizations/:id/audit",
} as const;

/** The inputs of these reads. */
export interface ReadInputs {
  "me.get": Purser.MeGetInput | undefined;
  "keys.list": Purser.KeysListInput;
  "events.list": Purser.EventsListInput;
  "events.get": Purser.EventsGetInput;
  "events.feed": Purser.EventsFeedInput;
  "webhookEndpoints.list": Purser.WebhookEndpointsListInput;
  "webhookEndpoints.deliveries.list": Purser.WebhookEndpointsDeliveriesListInput;
  "webhookEndpoints.deliveries.get": Purser.WebhookEndpointsDeliveriesGetInput;
  "cards.list": Purser.CardsListInput;
  "cards.get": Purser.CardsGetInput;
  "cards.cardholder.get": Purser.CardsCardholderGetInput;
  "cards.merchantCategories.list": Purser.CardsMerchantCategoriesListInput | undefined;
  "cards.policies.list": Purser.CardsPoliciesListInput;
  "cards.transactions.list": Purser.CardsTransactionsListInput;
  "cards.transactions.explain": Purser.CardsTransactionsExplainInput;
  "cards.reports.spending": Purser.CardsReportsSpendingInput;
  "banking.institutions.list": Purser.BankingInstitutionsListInput | undefined;
  "banking.connections.list": Purser.BankingConnectionsListInput;
  "banking.connections.health": Purser.BankingConnectionsHealthInput;
  "banking.accounts.list": Purser.BankingAccountsListInput;
  "banking.accounts.get": Purser.BankingAccountsGetInput;
  "banking.transactions.list": Purser.BankingTransactionsListInput;
  "banking.transactions.get": Purser.BankingTransactionsGetInput;
  "banking.reports.balances": Purser.BankingReportsBalancesInput;
  "banking.reports.cashflow": Purser.BankingReportsCashflowInput;
  "banking.syncs.list": Purser.BankingSyncsListInput;
  "banking.quarantine.list": Purser.BankingQuarantineListInput;
  "billing.plans.list": Purser.BillingPlansListInput | undefined;
  "billing.events.list": Purser.BillingEventsListInput | undefined;
  "organizations.list": Purser.OrganizationsListInput | undefined;
  "organizations.get": Purser.OrganizationsGetInput;
  "organizations.members.list": Purser.OrganizationsMembersListInput;
  "organizations.invitations.list": Purser.OrganizationsInvitationsListInput;
  "organizations.invitations.get": Purser.OrganizationsInvitationsGetInput;
  "organizations.subscription.get": Purser.OrganizationsSubscriptionGetInput;
  "organizations.settings.get": Purser.OrganizationsSettingsGetInput;
  "organizations.audit.list": Purser.OrganizationsAuditListInput;
}
