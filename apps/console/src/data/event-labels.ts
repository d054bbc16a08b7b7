import type { CardTransaction, DeclineReason, Event } from "@purser/client";
import { reasonInWords } from "./card-labels.ts";
import { type EventArea, eventAreas } from "./event-areas.ts";
import { formatMoney, formatZonedDay, inWords } from "./format.ts";
import { roleLabels } from "./role-labels.ts";

export type KnownEventType = Event["type"];
type EventOf<Type extends KnownEventType> = Extract<Event, { type: Type }>;

/** What a sentence has besides its event. */
interface SentenceContext {
  /** Days are days of this time zone. */
  timeZone: string;
  /** The name of the bank of a connection, if it is known. */
  bankNameOf: (connectionId: string) => string | undefined;
}

/** What an event says for people. A type that the compiler knows cannot be left out. */
const sentences: {
  readonly [Type in KnownEventType]: (event: EventOf<Type>, context: SentenceContext) => string;
} = {
  "organization.updated": (event) =>
    `${who(event)} changed the organization’s profile. It is called ${event.data.name}`,
  "organization.settings_updated": (event) =>
    `${who(event)} changed the organization’s settings. Its time zone is ${event.data.timeZone}`,
  "member.joined": ({ data }) => `${personOf(data)} joined as ${roleLabels[data.role]}`,
  "member.role_updated": (event) =>
    `${who(event)} made ${personOf(event.data)} ${roleLabels[event.data.role]}`,
  "member.removed": (event) =>
    event.actor?.id === event.data.userId
      ? `${personOf(event.data)} left the organization`
      : `${who(event)} removed ${personOf(event.data)}`,
  "invitation.created": (event) =>
    `${who(event)} invited ${event.data.email} as ${roleLabels[event.data.role]}`,
  "invitation.accepted": ({ data }) => `${data.email} accepted the invitation`,
  "invitation.revoked": (event) => `${who(event)} revoked the invitation of ${event.data.email}`,
  "api_key.created": (event) => `${who(event)} created the API key ${quoted(event.data.name)}`,
  "api_key.revoked": (event) => `${who(event)} revoked the API key ${quoted(event.data.name)}`,
  "bank_connection.connected": (event, context) => `${who(event)} connected ${bankOf(event, context)}`,
  "bank_connection.synced": (event, context) =>
    `Purser synced ${bankOf(event, context)}. Transactions: ${changesOf(event.data)}`,
  "bank_connection.sync_failed": (event, context) =>
    `The sync with ${bankOf(event, context)} failed (${inWords(event.data.error).toLowerCase()})`,
  "bank_connection.needs_reauthorization": (event, context) =>
    `${bankOf(event, context)} needs someone to sign in again`,
  "bank_connection.consent_expiring": (event, context) =>
    `The consent for ${bankOf(event, context)} ends on ${formatZonedDay(event.data.deadline, context.timeZone)}`,
  "bank_connection.disconnected": (event, context) => `${who(event)} disconnected ${bankOf(event, context)}`,
  "bank_account.updated": ({ data }) =>
    `The account ${quoted(data.accountName)} changed. Its balance is ${formatMoney(data.balance, data.currency)}`,
  "bank_transactions.changed": (event) => transactionsOf(event),
  "card.created": (event) => `${who(event)} issued ${cardOf(event)}`,
  "card.updated": (event) => `${who(event)} changed ${cardOf(event)}`,
  "card.status_changed": (event) => `${who(event)} ${cardStatusVerbs[event.data.status]} ${cardOf(event)}`,
  "card.assigned": (event) => `${who(event)} gave ${cardOf(event)} to another member`,
  "card.revealed": (event) => `${who(event)} looked at the number of ${cardOf(event)}`,
  "card_policy.created": (event) => `${who(event)} created the policy ${quoted(event.data.name)}`,
  "card_policy.updated": (event) => `${who(event)} changed the policy ${quoted(event.data.name)}`,
  "card_transaction.approved": ({ data }) => `${purchaseOf(data)} was approved`,
  "card_transaction.declined": ({ data }) =>
    `${purchaseOf(data)} was declined${data.declineReason === null ? "" : `: ${reasonOf(data.declineReason)}`}`,
  "card_transaction.incremented": ({ data }) =>
    data.approved
      ? `The merchant raised the hold to ${purchaseOf(data)}`
      : `The merchant asked for more than ${purchaseOf(data)}, and was declined`,
  "card_transaction.reversed": ({ data }) => {
    if (data.status === "DECLINED") return `The merchant released the hold of ${purchaseOf(data)}`;
    return data.status === "COMPLETED"
      ? `The merchant released the rest of a hold. Cleared: ${purchaseOf(data)}`
      : `The merchant released a part of a hold. Left: ${purchaseOf(data)}`;
  },
  "card_transaction.settled": ({ data }) =>
    data.status === "PENDING"
      ? `A part of ${purchaseOf(data)} was cleared`
      : `${purchaseOf(data)} was cleared`,
  "card_transaction.refunded": ({ data }) =>
    `${data.merchantName} refunded ${money({ ...data, amount: Math.abs(data.amount) })}`,
  "card_transaction.expired": ({ data }) => `The hold of ${purchaseOf(data)} expired`,
  "subscription.created": (event) =>
    event.actor === null ? "The subscription began" : `${who(event)} subscribed`,
  "subscription.updated": ({ data }, { timeZone }) =>
    data.cancelAtPeriodEnd
      ? `The subscription was canceled. It ends on ${formatZonedDay(data.currentPeriodEnd, timeZone)}`
      : `The subscription changed. It is ${inWords(data.status).toLowerCase()}`,
  "subscription.past_due": () => "A payment for the subscription failed",
  "subscription.canceled": () => "The subscription ended",
  "subscription.renewed": ({ data }, { timeZone }) =>
    `The subscription was renewed and is paid until ${formatZonedDay(data.currentPeriodEnd, timeZone)}`,
  "webhook_endpoint.disabled": ({ data }) =>
    `The webhook endpoint ${data.url} was disabled. ${data.disabledReason ?? ""}`.trim(),
};

/** All types of events, in the order of the areas that they belong to. */
export const knownEventTypes = Object.keys(sentences) as KnownEventType[];

export const typesOfArea = (area: EventArea): KnownEventType[] =>
  knownEventTypes.filter((type) =>
    (eventAreas[area].kinds as readonly string[]).includes(type.split(".")[0] ?? ""),
  );

/** What happened, as a sentence. A newer service may have types that are unknown here. */
export function sentenceOf(event: Event, context: SentenceContext): string {
  const write = sentences[event.type] as ((event: Event, context: SentenceContext) => string) | undefined;
  const sentence = write?.(event, context) ?? inWords(event.type.replaceAll(".", " "));
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

const cardStatusVerbs = {
  ACTIVE: "activated",
  PAUSED: "paused",
  FROZEN: "froze",
  CLOSED: "closed",
} as const;

const who = ({ actor }: Event): string => actor?.name ?? "Purser";
const quoted = (name: string): string => `“${name}”`;
const personOf = ({ user }: { user?: { name: string | null; email: string } | undefined }): string =>
  user?.name ?? user?.email ?? "a former member";
/** Ids of most providers, such as "ins_109508", mean nothing to people. */
const bankOf = (
  { data }: { data: { id: string; providerId: string } },
  { bankNameOf }: SentenceContext,
): string => bankNameOf(data.id) ?? inWords(data.providerId.replaceAll("-", "_"));
const cardOf = ({ data }: { data: { nickname: string | null; lastFour: string } }): string =>
  data.nickname === null
    ? `the card ending in ${data.lastFour}`
    : `the card ${quoted(data.nickname)} (${data.lastFour})`;
const money = ({ amount, currency }: Pick<CardTransaction, "amount" | "currency">): string =>
  formatMoney(amount, currency);
const purchaseOf = (data: Pick<CardTransaction, "amount" | "currency" | "merchantName">): string =>
  `${money(data)} at ${data.merchantName}`;

/** The reason in the words that all pages have, within a sentence. */
function reasonOf(reason: DeclineReason): string {
  const { title } = reasonInWords(reason);
  return title.charAt(0).toLowerCase() + title.slice(1);
}

/** A person changes transactions, and with a sync they come from the bank. */
function transactionsOf({ actor, data }: EventOf<"bank_transactions.changed">): string {
  const { accountName, added, modified, removed } = data;
  if (actor === null) return `Transactions of ${quoted(accountName)}: ${changesOf(data)}`;
  if (added > 0 || removed > 0)
    return `${actor.name} changed the transactions of ${quoted(accountName)}: ${changesOf(data)}`;
  return `${actor.name} changed ${modified === 1 ? "a transaction" : `${modified} transactions`} of ${quoted(accountName)}`;
}

function changesOf({
  added,
  modified,
  removed,
}: {
  added: number;
  modified: number;
  removed: number;
}): string {
  const parts = [
    added > 0 && `${added.toLocaleString()} new`,
    modified > 0 && `${modified.toLocaleString()} changed`,
    removed > 0 && `${removed.toLocaleString()} removed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? "nothing new" : parts.join(", ");
}
