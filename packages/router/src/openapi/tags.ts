/** The groups of operations in the OpenAPI document: each resource of an area, with its description. */
const descriptions: Readonly<Record<string, string>> = {
  auth: "Signing up and in, sessions, passwords, API keys and second factors, and managing users, for administrators. Errors have codes of their own as well.",
  "banking.accounts": "Bank accounts and their balances, as the last sync found them.",
  "banking.connections":
    "Connections between an organization and its banks: connecting, consents, syncing, health and disconnecting.",
  "banking.institutions": "The banks that can be connected.",
  "banking.link": "Pages on which a person gives or renews the consent to read a bank.",
  "banking.quarantine":
    "Bank data that contradicts what was read before or cannot be read, until an owner decides about it.",
  "banking.reports":
    "Balances and money in and out by day, week or month, kept up to date with the transactions.",
  "banking.syncs": "The history of reading the banks.",
  "banking.transactions": "Booked transactions of all bank accounts of an organization.",
  billing:
    "Paying for a plan: checkout, customer portal, canceling and resuming a subscription. On the built-in provider `local`, pay with the test card 4242 4242 4242 4242, any date in the future and any CVC.",
  "billing.events": "Webhook events of the payment providers, for administrators of the service.",
  "billing.plans": "The plans on sale, from the catalogs of all payment providers.",
  cards: "Payment cards, issued to members. A policy decides on each purchase with a card.",
  "cards.cardholder": "What card issuers have to know about a person before they issue a card.",
  "cards.merchantCategories": "The categories of merchants that policies can allow or block.",
  "cards.policies":
    "Spending policies: limits, merchants, categories, days and countries. A policy can be checked against one purchase, and tested against past ones.",
  "cards.reports": "What was spent with cards, by card, merchant, category or day.",
  "cards.transactions": "Purchases and refunds with cards, and the reason for each decision.",
  events:
    "What happened in an organization: a list, a feed without gaps, and a stream. Each event is written in the same transaction as its change.",
  keys: "API keys of an organization, for its own programs. A key acts as a member of its one organization, and outlives its creator. With the access `write` it may also change what members may, manage webhook endpoints, and read every event. Keys of a user are under auth.",
  me: "The caller.",
  organizations: "Organizations, which banking and billing call teams. All data belongs to one.",
  "organizations.audit": "Who changed what in an organization, and when.",
  "organizations.invitations": "Invitations by e-mail to become a member.",
  "organizations.members": "The members of an organization and their roles.",
  "organizations.settings": "The time zone of an organization, and how its cards decide.",
  "organizations.subscription": "The plan that an organization pays for.",
  "sandbox.banking": "Controls of the sandbox's banks, for tests: transactions, consents and faults.",
  "sandbox.billing": "Controls of the built-in payment provider, for tests: time and test cards.",
  "sandbox.cards": "Controls of the sandbox's card network, for tests: purchases, clearings and refunds.",
  webhookEndpoints:
    "Addresses that the events of an organization are sent to, signed after Standard Webhooks (https://www.standardwebhooks.com), whose libraries verify them.\n\n- The body is `{ type, timestamp, data }`, where `data` is the event and `data.data` its subject. `webhook-id` is the event's id: the same event may arrive twice, and later events first.\n- `webhook-signature` is `v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. The key is the base64 after `whsec_` in the secret. Refuse a timestamp more than five minutes from now.\n- Answer with 2xx within 15 seconds. Anything else is repeated with growing pauses, nine times over about three days. An endpoint that answers 410, or fails for five days, is disabled.",
  "webhookEndpoints.deliveries": "What was sent to webhook endpoints, with every attempt.",
};

/** Returns the tags of these names in alphabetical order. Throws for a tag without a description. */
export function tags(names: readonly string[]): { name: string; description: string }[] {
  return [...new Set(names)].toSorted().map((name) => {
    const description = descriptions[name];
    if (description === undefined) throw new Error(`${name} has no description in tags.ts`);
    return { name, description };
  });
}
