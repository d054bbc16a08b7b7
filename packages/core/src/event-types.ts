/**
 * Every type of event, and the kind of its subject. A type is `noun.verb_in_the_past`. No CHECK of the database names them, so
 * rows may have a type of a later version.
 */
export const eventSubjects = {
  "organization.updated": "organization",
  "organization.settings_updated": "organization",
  "member.joined": "member",
  "member.role_updated": "member",
  "member.removed": "member",
  "invitation.created": "invitation",
  "invitation.accepted": "invitation",
  "invitation.revoked": "invitation",
  "bank_connection.connected": "bank_connection",
  "bank_connection.synced": "bank_connection",
  "bank_connection.sync_failed": "bank_connection",
  "bank_connection.needs_reauthorization": "bank_connection",
  "bank_connection.consent_expiring": "bank_connection",
  "bank_connection.disconnected": "bank_connection",
  "bank_account.updated": "bank_account",
  "bank_transactions.changed": "bank_account",
  "card.created": "card",
  "card.updated": "card",
  "card.status_changed": "card",
  "card.assigned": "card",
  "card.revealed": "card",
  "card_policy.created": "card_policy",
  "card_policy.updated": "card_policy",
  "card_transaction.approved": "card_transaction",
  "card_transaction.declined": "card_transaction",
  "card_transaction.incremented": "card_transaction",
  "card_transaction.reversed": "card_transaction",
  "card_transaction.settled": "card_transaction",
  "card_transaction.refunded": "card_transaction",
  "card_transaction.expired": "card_transaction",
  "subscription.created": "subscription",
  "subscription.updated": "subscription",
  "subscription.past_due": "subscription",
  "subscription.canceled": "subscription",
  "subscription.renewed": "subscription",
  "webhook_endpoint.disabled": "webhook_endpoint",
  "api_key.created": "api_key",
  "api_key.revoked": "api_key",
} as const;

/** `noun.verb_in_the_past`, such as `card.created`. */
export type EventType = keyof typeof eventSubjects;
/** The kind of what an event is about. Its id is the event's `subject.id`. */
export type EventSubject = (typeof eventSubjects)[EventType];

/** In the order of the documentation. */
export const eventTypes = Object.keys(eventSubjects) as [EventType, ...EventType[]];

/** The kinds of subjects whose events only owners see. */
export const ownerOnlySubjects: readonly EventSubject[] = ["invitation", "api_key", "webhook_endpoint"];
