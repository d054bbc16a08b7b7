import { cardIssuerNames } from "@purser/core";
import { defineCounter, defineGauge, defineHistogram } from "@purser/platform";
import { countHolds } from "./transactions/store.ts";

const ofEachIssuer = cardIssuerNames.map((issuer) => ({ issuer }));

export const cardMetrics = {
  decisions: defineCounter("purser_card_decisions_total", {
    help: "Decisions on authorizations, with the reason of a refusal",
    labels: ["issuer", "outcome", "reason"],
  }),
  messages: defineCounter("purser_card_messages_total", {
    help: "Messages of card networks after a purchase: clearings, reversals, refunds, expiries and advice",
    labels: ["issuer", "kind", "outcome"],
  }),
  unreadableRequests: defineCounter("purser_card_unreadable_requests_total", {
    help: "Requests of card networks that are declined because they cannot be read",
    labels: ["issuer"],
    initialSeries: ofEachIssuer,
  }),
  blockedCardholders: defineCounter("purser_cardholders_blocked_total", {
    help: "Reports of issuers that they have blocked a cardholder, so all purchases of this person are declined",
    labels: ["issuer"],
    initialSeries: ofEachIssuer,
  }),
  decisionDuration: defineHistogram("purser_card_decision_duration_seconds", {
    help: "Time that a card network has waited for a decision",
    labels: ["issuer"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2],
  }),
  holds: defineGauge("purser_card_holds", {
    help: "Purchases that hold money: open, or overdue to be released",
    labels: ["state"],
    read: countHolds,
  }),
};
