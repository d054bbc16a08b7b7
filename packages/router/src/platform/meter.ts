interface Description {
  help: string;
  /**
   * Each takes few values, which the code or the configuration names: never a team's or a person's. `job` and
   * `instance` are Prometheus' own.
   */
  labels: readonly string[];
}

/** What is counted. */
export const counters = {
  purser_bank_rows_total: {
    help: "Transactions of banks that a synchronisation has added to the ledger, modified in it or removed from it",
    labels: ["provider", "change"],
  },
  purser_card_decisions_total: {
    help: "Verdicts that card networks have been given, with the reason of a refusal",
    labels: ["issuer", "outcome", "reason"],
  },
  purser_card_messages_total: {
    help: "What card networks have told after a purchase: clearings, reversals, refunds, expiries and advice",
    labels: ["issuer", "kind", "outcome"],
  },
  purser_billing_unknown_statuses_total: {
    help: "Subscriptions whose payment provider says a status that this version does not know",
    labels: ["provider"],
  },
  purser_webhooks_received_total: {
    help: "Webhook requests by what became of them: accepted, duplicate, answered or refused",
    labels: ["area", "provider", "outcome"],
  },
  purser_webhooks_applied_total: {
    help: "Attempts to apply a stored webhook event: applied, ignored, failed or dead",
    labels: ["area", "provider", "outcome"],
  },
  purser_idempotent_replays_total: {
    help: "Mutations that were answered with what their idempotency key got before",
    labels: ["procedure"],
  },
  purser_replica_fallbacks_total: {
    help: "Readings that the primary had to do for the replica: it was away, behind, unusable, or in conflict with what it replays",
    labels: ["reason"],
  },
  purser_limited_requests_total: {
    help: "Requests that a limit has refused: of a caller, or of sign-in attempts and mails",
    labels: ["limit"],
  },
} as const satisfies Record<string, Description>;

/** What is measured, in seconds. */
export const durations = {
  purser_bank_sync_duration_seconds: {
    help: "Synchronisations of bank connections, by outcome: succeeded, given_up or the code of the failure",
    labels: ["provider", "outcome"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  },
  purser_card_decision_duration_seconds: {
    help: "Time that a card network has waited for a verdict",
    labels: ["issuer"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2],
  },
  purser_billing_synchronise_duration_seconds: {
    help: "Synchronisations of subscriptions with their payment provider: applied, ignored or failed",
    labels: ["provider", "outcome"],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  purser_job_duration_seconds: {
    help: "Attempts at jobs, by how they ended: completed, failed or dead",
    labels: ["job_name", "outcome"],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300],
  },
} as const satisfies Record<string, Description & { buckets: readonly number[] }>;

type Labels<Described extends Description> = Record<Described["labels"][number], string>;

/** Counts and measures what the service does, for whoever operates it. It never fails, and never waits. */
export interface Meter {
  count<Name extends keyof typeof counters>(
    name: Name,
    labels: Labels<(typeof counters)[Name]>,
    by?: number,
  ): void;
  /** Begins to measure; what it gives ends that, and says how it went. */
  time<Name extends keyof typeof durations>(name: Name): (labels: Labels<(typeof durations)[Name]>) => void;
}

/** For processes that nobody measures, such as commands and tests. */
export const noMeter: Meter = { count: () => undefined, time: () => () => undefined };
