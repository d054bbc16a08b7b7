import type { EventType } from "@purser/core";
import type { Person, Scene } from "@purser/testing";
import type { Meta } from "../meta.ts";

type EventTypes = readonly EventType[];

/**
 * The events that the example call of each mutation writes, in the order of the feed: its own, and those of the jobs that
 * it leads to.
 */
export const recordedEvents: Record<string, EventTypes> = {
  "keys.create": ["api_key.created"],
  "keys.revoke": ["api_key.revoked"],
  "organizations.update": ["organization.updated"],
  "organizations.members.remove": ["member.removed"],
  "organizations.members.updateRole": ["member.role_updated"],
  "organizations.invitations.create": ["invitation.created"],
  "organizations.invitations.accept": ["invitation.accepted", "member.joined"],
  "organizations.invitations.revoke": ["invitation.revoked"],
  "organizations.settings.update": ["organization.settings_updated"],
  "banking.connections.connect": [
    "bank_connection.connected",
    ...Array<EventType>(5).fill("bank_account.updated"),
    ...Array<EventType>(5).fill("bank_transactions.changed"),
    "bank_connection.synced",
  ],
  "banking.connections.disconnect": ["bank_connection.disconnected"],
  "banking.connections.sync": ["bank_connection.synced"],
  "banking.accounts.merge": [
    "bank_account.updated",
    "bank_transactions.changed",
    "bank_transactions.changed",
    "bank_connection.synced",
  ],
  "banking.transactions.update": ["bank_transactions.changed"],
  "banking.quarantine.resolve": ["bank_transactions.changed"],
  "billing.cancel": ["subscription.updated"],
  "billing.sync": ["subscription.created"],
  "sandbox.billing.advance": ["subscription.renewed"],
  "sandbox.banking.addTransaction": [
    "bank_account.updated",
    "bank_transactions.changed",
    "bank_connection.synced",
  ],
  "sandbox.banking.postTransaction": [
    "bank_account.updated",
    "bank_transactions.changed",
    "bank_connection.synced",
  ],
  "sandbox.banking.changeTransaction": ["bank_transactions.changed", "bank_connection.synced"],
  "sandbox.banking.removeTransaction": [
    "bank_account.updated",
    "bank_transactions.changed",
    "bank_connection.synced",
  ],
  "sandbox.banking.revokeConsent": ["bank_connection.sync_failed", "bank_connection.needs_reauthorization"],
  "sandbox.banking.expireConsent": ["bank_connection.sync_failed", "bank_connection.needs_reauthorization"],
  "sandbox.banking.requireReauthorization": [
    "bank_connection.sync_failed",
    "bank_connection.needs_reauthorization",
  ],
  "sandbox.banking.repairConsent": ["bank_connection.synced"],
  "cards.create": ["card.created"],
  "cards.update": ["card.updated"],
  "cards.updateStatus": ["card.status_changed"],
  "cards.reveal": ["card.revealed"],
  "cards.policies.create": ["card_policy.created"],
  "cards.policies.update": ["card_policy.updated"],
  "sandbox.cards.authorize": ["card_transaction.approved"],
  "sandbox.cards.increment": ["card_transaction.incremented"],
  "sandbox.cards.reverse": ["card_transaction.reversed"],
  "sandbox.cards.clear": ["card_transaction.settled"],
  "sandbox.cards.expire": ["card_transaction.expired"],
  "sandbox.cards.refund": ["card_transaction.refunded"],
};

/** Mutations that write no event, each with the reason. */
export const mutationsWithoutEvent: Record<string, string> = {
  "webhookEndpoints.create": "no type: only owners see endpoints, and they list them",
  "webhookEndpoints.update": "a description changes nothing of what is sent; disabling is a variant",
  "webhookEndpoints.delete": "no type: only owners see endpoints, and they list them",
  "webhookEndpoints.rotateSecret": "no type: only owners see endpoints, and they list them",
  "webhookEndpoints.test": "the test event is sent to that endpoint alone, and is in no feed",
  "webhookEndpoints.deliveries.redeliver": "sends an event again, which is the same event",
  "organizations.create": "nobody could have followed the feed yet",
  "organizations.delete": "nobody can read the feed any more",
  "banking.link.create": "nothing is connected before the person consents",
  "banking.connections.updateConsent": "no type: the next event of the connection has the consent",
  "banking.connections.reconfirm": "no type: the next event of the connection has the consent",
  "billing.checkout": "nothing is bought before the person pays",
  "billing.portal": "a link",
  "billing.resume": "the subscription of the scene is not canceled; the model of billing resumes",
  "billing.events.replay": "the event of the scene has been applied, and changes nothing the second time",
  "sandbox.billing.replaceCard": "the card is used at the next payment",
  "sandbox.banking.setFault": "the fault shows at the next sync",
  "sandbox.banking.clearFaults": "the bank works again from the next sync on",
  "cards.cardholder.update": "a person's own details, which no event holds",
};

/** Mutations that write no audit entry of their own, each with the reason. */
export const mutationsWithoutAudit: Record<string, string> = {
  "banking.link.create": "nothing is connected yet; connecting has an entry",
  "banking.connections.sync": "a sync is a record of its own, with its trigger",
  "billing.portal": "a link",
  "billing.resume": "the subscription of the scene is not canceled, so nothing changes",
  "billing.events.replay": "the event of the scene has been applied, so nothing changes",
};

/** What the same call writes when it is made again, where it is not nothing. */
export const eventsOfRepeats: Record<string, EventTypes> = {
  "sandbox.cards.increment": ["card_transaction.incremented"],
  "sandbox.cards.reverse": ["card_transaction.reversed"],
  "keys.create": ["api_key.created"],
  "organizations.invitations.create": ["invitation.revoked", "invitation.created"],
  "cards.create": ["card.created"],
  "cards.reveal": ["card.revealed"],
  "cards.policies.create": ["card_policy.created"],
  "banking.connections.sync": ["bank_connection.synced"],
  "sandbox.banking.addTransaction": [
    "bank_account.updated",
    "bank_transactions.changed",
    "bank_connection.synced",
  ],
  "sandbox.banking.changeTransaction": ["bank_connection.synced"],
  "sandbox.banking.revokeConsent": ["bank_connection.sync_failed"],
  "sandbox.banking.expireConsent": ["bank_connection.sync_failed"],
  "sandbox.banking.requireReauthorization": ["bank_connection.sync_failed"],
  "sandbox.banking.repairConsent": ["bank_connection.synced"],
};

interface Variant {
  procedure: string;
  what: string;
  change: (scene: Scene) => Record<string, unknown>;
  types: EventTypes;
}

const variant = (procedure: string, what: string, change: Variant["change"], types: EventTypes): Variant => ({
  procedure,
  what,
  change,
  types,
});

/** Calls that change something else than the example does. */
export const eventVariants: Variant[] = [
  variant(
    "cards.update",
    "another holder",
    ({ people }) => ({ assignedToId: people.owner.userId, nickname: undefined }),
    ["card.assigned"],
  ),
  variant("cards.updateStatus", "the end", () => ({ status: "CLOSED" }), ["card.status_changed"]),
  variant("sandbox.cards.authorize", "too much", () => ({ amount: 1_000_000 }), [
    "card_transaction.declined",
  ]),
  variant("sandbox.cards.increment", "too much", () => ({ amount: 1_000_000 }), [
    "card_transaction.incremented",
  ]),
  variant("sandbox.cards.reverse", "all of it", () => ({ amount: undefined }), ["card_transaction.reversed"]),
  variant("webhookEndpoints.update", "no more events", () => ({ status: "DISABLED" }), [
    "webhook_endpoint.disabled",
  ]),
  variant("webhookEndpoints.update", "the present status", () => ({ status: "ENABLED" }), []),
];

/** Types that no mutation writes, each with the test that shows it. */
export const eventsWithoutMutation: Partial<Record<EventType, string>> = {
  "bank_connection.consent_expiring": "banking/src/connections/reminders.test.ts",
  "subscription.past_due": "billing/src/subscriptions/notifications.test.ts",
  "subscription.canceled": "billing/src/subscriptions/notifications.test.ts",
};

/** The person of a scene who may make the example call of a mutation. */
export function allowedCaller(access: Meta["access"], { people, invitedPerson }: Scene): Person {
  if (access === "administrator") return people.administrator;
  if (access === "invited") return invitedPerson;
  return access === "holder" ? people.member : people.owner;
}
