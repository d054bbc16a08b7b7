import { type Scene, sceneBank, scenePlan } from "./scene.ts";

/** The range of a report. */
const aMonth = { from: new Date("2026-02-01T00:00:00.000Z"), to: new Date("2026-02-28T23:59:59.999Z") };

/** For every procedure, an input that at least one person of the scene may send. Generated tests start from it. */
export const exampleInputs: Record<string, (scene: Scene) => Record<string, unknown>> = {
  "me.get": () => ({}),
  "events.list": ({ organizationId }) => ({ organizationId }),
  "events.get": ({ organizationId, eventId: id }) => ({ organizationId, id }),
  "events.feed": ({ organizationId }) => ({ organizationId }),
  "events.stream": ({ organizationId }) => ({ organizationId }),
  "keys.list": ({ organizationId }) => ({ organizationId }),
  "keys.create": ({ organizationId }) => ({
    organizationId,
    name: "Accounting export",
    access: "read",
    expiresAt: new Date("2026-12-31T00:00:00.000Z"),
  }),
  "keys.revoke": ({ keyId: id }) => ({ id }),
  "webhookEndpoints.list": ({ organizationId }) => ({ organizationId }),
  "webhookEndpoints.create": ({ organizationId }) => ({
    organizationId,
    // Nothing listens there.
    url: "http://127.0.0.1:9/purser",
    types: ["card_transaction.declined"],
    description: "Accounting",
  }),
  "webhookEndpoints.update": ({ endpointId: id }) => ({ id, description: "Bookkeeping" }),
  "webhookEndpoints.delete": ({ endpointId: id }) => ({ id }),
  "webhookEndpoints.rotateSecret": ({ endpointId: id }) => ({ id }),
  "webhookEndpoints.test": ({ endpointId: id }) => ({ id }),
  "webhookEndpoints.deliveries.list": ({ organizationId, endpointId }) => ({ organizationId, endpointId }),
  "webhookEndpoints.deliveries.get": ({ deliveryId: id }) => ({ id }),
  "webhookEndpoints.deliveries.redeliver": ({ deliveryId: id }) => ({ id }),
  "organizations.list": ({ people }) => ({ userId: people.owner.userId }),
  "organizations.get": ({ organizationId }) => ({ id: organizationId }),
  "organizations.create": () => ({ name: "Another" }),
  "organizations.update": ({ organizationId }) => ({ id: organizationId, name: "Renamed" }),
  "organizations.delete": ({ organizationId }) => ({ id: organizationId }),
  "organizations.members.list": ({ organizationId }) => ({ organizationId }),
  "organizations.members.remove": ({ otherMembershipId }) => ({ membershipId: otherMembershipId }),
  "organizations.members.updateRole": ({ otherMembershipId }) => ({ id: otherMembershipId, role: "OWNER" }),
  "organizations.invitations.list": ({ organizationId }) => ({ organizationId }),
  "organizations.invitations.get": ({ invitationId }) => ({ id: invitationId }),
  "organizations.invitations.create": ({ organizationId }) => ({
    organizationId,
    email: "new@example.com",
    role: "MEMBER",
  }),
  "organizations.invitations.accept": ({ invitationId }) => ({ id: invitationId }),
  "organizations.invitations.revoke": ({ invitationId }) => ({ invitationId }),
  "organizations.subscription.get": ({ organizationId }) => ({ organizationId }),
  "organizations.settings.get": ({ organizationId }) => ({ id: organizationId }),
  "organizations.settings.update": ({ organizationId }) => ({
    id: organizationId,
    timeZone: "Europe/London",
  }),
  "organizations.audit.list": ({ organizationId }) => ({ id: organizationId }),
  "banking.institutions.list": () => ({ query: "bank", country: "GB" }),
  "banking.link.create": ({ organizationId: teamId }) => ({ teamId, ...sceneBank }),
  "banking.connections.list": ({ organizationId: teamId }) => ({ teamId }),
  "banking.connections.connect": ({ organizationId: teamId }) => ({
    teamId,
    ...sceneBank,
    consentId: "another",
    metadata: { reference: "A-1" },
  }),
  "banking.connections.disconnect": theConnection,
  "banking.connections.updateConsent": (scene) => ({
    ...theConnection(scene),
    scopes: ["accounts", "transactions"],
    expiresAt: new Date("2026-12-24T00:00:00.000Z"),
  }),
  "banking.connections.health": ({ organizationId: teamId }) => ({ teamId }),
  "banking.connections.reconfirm": theConnection,
  "banking.connections.sync": theConnection,
  "banking.accounts.list": theConnection,
  "banking.accounts.get": ({ organizationId: teamId, accountId }) => ({ teamId, accountId }),
  "banking.accounts.merge": ({ organizationId: teamId, accountId, otherAccountId }) => ({
    teamId,
    accountId: otherAccountId,
    intoAccountId: accountId,
  }),
  "banking.transactions.list": (scene) => ({
    ...theConnection(scene),
    from: new Date("2026-02-01T00:00:00.000Z"),
  }),
  "banking.reports.balances": ({ organizationId: teamId, accountId }) => ({ teamId, accountId, ...aMonth }),
  "banking.reports.cashflow": ({ organizationId: teamId }) => ({
    teamId,
    ...aMonth,
    interval: "week",
    groupBy: "category",
  }),
  "banking.transactions.get": ({ organizationId: teamId, transactionId }) => ({ teamId, transactionId }),
  "banking.transactions.update": ({ organizationId: teamId, transactionId }) => ({
    teamId,
    transactionId,
    category: "MARKETING",
    note: "Invoice 2026-031",
  }),
  "banking.syncs.list": theConnection,
  "banking.quarantine.list": ({ organizationId: teamId }) => ({ teamId }),
  "banking.quarantine.resolve": ({ organizationId: teamId, quarantineId }) => ({
    teamId,
    id: quarantineId,
    action: "accept",
  }),
  "cards.list": ({ organizationId }) => ({ organizationId }),
  "cards.create": ({ organizationId, people, accountId, policyId }) => ({
    organizationId,
    policyId,
    assignedToId: people.member.userId,
    fundingAccountId: accountId,
    purpose: "ONLINE",
    nickname: "Subscriptions",
  }),
  "cards.get": theCard,
  "cards.update": (scene) => ({ ...theCard(scene), nickname: "Renamed" }),
  "cards.updateStatus": (scene) => ({ ...theCard(scene), status: "PAUSED", reason: "Lost for a while" }),
  "cards.reveal": theCard,
  "cards.cardholder.get": ({ organizationId }) => ({ organizationId }),
  "cards.cardholder.update": ({ organizationId }) => ({
    organizationId,
    name: { first: "Ada", last: "Lovelace" },
    dateOfBirth: "1990-12-10",
    phoneNumber: "+442071234567",
    address: { line1: "1 Lime Street", city: "London", postalCode: "EC3M 7AA", country: "GB" },
    acceptsTerms: true,
  }),
  "cards.policies.list": ({ organizationId }) => ({ organizationId }),
  "cards.policies.create": ({ organizationId }) => ({
    organizationId,
    name: "Weekdays",
    daysOfWeek: [1, 2, 3, 4, 5],
    merchantCategories: ["5411"],
    spendingLimit: 5e3,
    limitInterval: "DAILY",
    limits: [
      { amount: 5e3, interval: "DAILY" },
      { amount: 5e4, interval: "YEARLY" },
    ],
    blockedMerchantCategories: ["7995"],
    allowedMerchants: ["Corner Shop"],
    activeFrom: new Date("2026-01-01T00:00:00.000Z"),
  }),
  "cards.policies.update": ({ organizationId, policyId }) => ({ organizationId, policyId, allowAtm: false }),
  "cards.policies.check": (scene) => ({
    ...theCard(scene),
    amount: 700,
    merchant: {
      name: "Corner Shop",
      category: "5411",
    },
    channel: "in_store",
  }),
  "cards.merchantCategories.list": () => ({ limit: 3 }),
  "cards.policies.backtest": ({ organizationId }) => ({ organizationId, policy: { spendingLimit: 1000 } }),
  "cards.reports.spending": ({ organizationId }) => ({ organizationId, ...aMonth, groupBy: "merchant" }),
  "cards.transactions.list": ({ organizationId, cardId }) => ({ organizationId, cardId, minAmount: 1 }),
  "cards.transactions.explain": ({ organizationId, cardTransactionId: transactionId }) => ({
    organizationId,
    transactionId,
  }),
  "billing.plans.list": () => ({}),
  "billing.checkout": ({ organizationId: teamId }) => ({ teamId, ...scenePlan }),
  "billing.portal": ({ subscriptionId }) => ({ subscriptionId }),
  "billing.cancel": ({ subscriptionId: id }) => ({ id }),
  "billing.resume": ({ subscriptionId: id }) => ({ id }),
  "billing.sync": ({ organizationId: teamId }) => ({
    id: `by-hand-${teamId}`,
    teamId,
    customerId: "customer-1",
    status: "ACTIVE",
    ...scenePlan,
    currentPeriodStart: new Date("2026-03-01T00:00:00.000Z"),
    currentPeriodEnd: new Date("2026-04-01T00:00:00.000Z"),
    canceledAt: null,
    cancelAtPeriodEnd: false,
  }),
  "billing.events.list": () => ({ status: "DEAD" }),
  "billing.events.replay": ({ billingEventId: id }) => ({ id }),
  "sandbox.billing.advance": ({ subscriptionId }) => ({
    subscriptionId,
    to: new Date("2026-05-01T00:00:00.000Z"),
  }),
  "sandbox.billing.replaceCard": ({ subscriptionId }) => ({ subscriptionId, card: "fails" }),
  "sandbox.cards.authorize": ({ cardId }) => ({
    cardId,
    amount: 500,
    merchant: {
      name: "Corner Shop",
      country: "GB",
    },
    channel: "online",
    networkId: "message-1",
  }),
  "sandbox.cards.increment": (scene) => ({ ...thePurchase(scene), amount: 100 }),
  "sandbox.cards.reverse": (scene) => ({ ...thePurchase(scene), amount: 100 }),
  "sandbox.cards.clear": thePurchase,
  "sandbox.cards.expire": thePurchase,
  "sandbox.cards.refund": thePurchase,
  "sandbox.banking.addTransaction": (scene) => ({
    ...theConnection(scene),
    accountId: scene.accountId,
    amount: 999,
    type: "DEBIT",
    date: new Date("2026-03-01T00:00:00.000Z"),
  }),
  "sandbox.banking.postTransaction": theBankTransaction,
  "sandbox.banking.changeTransaction": (scene) => ({ ...theBankTransaction(scene), category: "GROCERIES" }),
  "sandbox.banking.removeTransaction": theBankTransaction,
  "sandbox.banking.revokeConsent": theConnection,
  "sandbox.banking.expireConsent": theConnection,
  "sandbox.banking.requireReauthorization": theConnection,
  "sandbox.banking.repairConsent": theConnection,
  "sandbox.banking.setFault": (scene) => ({ ...theConnection(scene), fault: "outage", times: 1 }),
  "sandbox.banking.clearFaults": theConnection,
};

function theConnection({ organizationId: teamId, connectionId }: Scene) {
  return { teamId, connectionId };
}

function theCard({ organizationId, cardId }: Scene) {
  return { organizationId, cardId };
}

function thePurchase({ cardTransactionId: transactionId }: Scene) {
  return { transactionId };
}

function theBankTransaction(scene: Scene) {
  return { ...theConnection(scene), bankTransactionId: scene.bankTransactionId };
}
