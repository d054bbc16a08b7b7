import type { Event } from "./generated/purser-client.ts";
import type { ProcedureName } from "./may-call.ts";

/** The part of an event's type before the dot. */
type EventSubject = Event["type"] extends infer Type
  ? Type extends `${infer Subject}.${string}`
    ? Subject
    : never
  : never;

/** What the events of each subject make stale. A new subject does not compile without its queries. */
const staleAfter: Record<EventSubject, readonly ProcedureName[] | "everything"> = {
  // A time zone moves the days of every limit, report and list, and is changed rarely.
  organization: "everything",
  // A role decides what each query tells its reader, and is changed rarely.
  member: "everything",
  invitation: ["organizations.invitations.list", "organizations.invitations.get"],
  bank_connection: [
    "banking.connections.list",
    "banking.connections.health",
    "banking.syncs.list",
    "banking.quarantine.list",
    // A sync decides whether earlier balances are known.
    "banking.reports.balances",
    "banking.accounts.list",
    "banking.accounts.get",
  ],
  // Each transaction shows its account.
  bank_account: [
    "banking.reports.balances",
    "banking.accounts.list",
    "banking.accounts.get",
    "banking.transactions.list",
    "banking.transactions.get",
  ],
  bank_transactions: [
    "banking.transactions.list",
    "banking.transactions.get",
    "banking.reports.cashflow",
    "banking.quarantine.list",
    "banking.reports.balances",
    "banking.accounts.list",
    "banking.accounts.get",
  ],
  // Each policy tells how many cards it has.
  card: [
    "cards.list",
    "cards.get",
    "cards.policies.list",
    "cards.policies.check",
    "cards.policies.backtest",
    "cards.reports.spending",
  ],
  card_policy: [
    "cards.list",
    "cards.get",
    "cards.policies.list",
    "cards.policies.check",
    "cards.policies.backtest",
  ],
  card_transaction: [
    "cards.list",
    "cards.get",
    "cards.transactions.list",
    "cards.transactions.explain",
    "cards.policies.check",
    "cards.policies.backtest",
    "cards.reports.spending",
  ],
  subscription: ["organizations.subscription.get"],
  webhook_endpoint: ["webhookEndpoints.list"],
  api_key: ["keys.list"],
};

/** These list everything that happens. */
const staleAlways: readonly ProcedureName[] = [
  "events.list",
  "events.feed",
  "organizations.audit.list",
  "webhookEndpoints.deliveries.list",
  "webhookEndpoints.deliveries.get",
];

/** The paths of the queries that an event of this type makes stale; null for all of them. */
export function staleQueries(type: string): readonly ProcedureName[] | null {
  const subject = type.split(".")[0] ?? "";
  // An event of a later service may concern anything.
  const stale = Object.hasOwn(staleAfter, subject) ? staleAfter[subject as EventSubject] : "everything";
  return stale === "everything" ? null : [...stale, ...staleAlways];
}
