/** A part of the service, for people, with the first parts of the types of its events. */
export const eventAreas = {
  people: { label: "People and settings", kinds: ["organization", "member", "invitation"] },
  banking: { label: "Banking", kinds: ["bank_connection", "bank_account", "bank_transactions"] },
  cards: { label: "Cards", kinds: ["card", "card_policy", "card_transaction"] },
  billing: { label: "Billing", kinds: ["subscription"] },
  developers: { label: "Developers", kinds: ["api_key", "webhook_endpoint"] },
} as const satisfies Record<string, { label: string; kinds: readonly string[] }>;

export type EventArea = keyof typeof eventAreas;
