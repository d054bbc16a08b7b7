import { type Event, isProblem } from "@purser/client";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queries } from "./purser.ts";
import { followEvents } from "./shared-events.ts";

interface Stale {
  queryKey: () => readonly unknown[];
}

/** The part of an event's type before the dot. */
type EventKind = Event["type"] extends infer Type
  ? Type extends `${infer Kind}.${string}`
    ? Kind
    : never
  : never;

/** A time zone moves the days of every limit, report and list, and is changed rarely. */
const everything: Stale = { queryKey: () => ["purser"] };

/** What each kind of event makes stale. A kind that the compiler knows cannot be left out. */
const staleAfter: Readonly<Record<EventKind, readonly Stale[]>> = {
  organization: [everything],
  member: [queries.organizations.members.list, queries.me.get],
  invitation: [queries.organizations.invitations.list],
  bank_connection: [
    queries.banking.connections.list,
    queries.banking.connections.health,
    queries.banking.syncs.list,
    queries.banking.quarantine.list,
    // Each account tells whether its connection is active.
    queries.banking.accounts.list,
    queries.banking.accounts.get,
  ],
  bank_account: [
    queries.banking.accounts.list,
    queries.banking.accounts.get,
    queries.banking.reports.balances,
  ],
  bank_transactions: [
    queries.banking.transactions.list,
    queries.banking.transactions.get,
    queries.banking.quarantine.list,
    queries.banking.accounts.list,
    queries.banking.accounts.get,
    queries.banking.reports.balances,
    queries.banking.reports.cashflow,
  ],
  card: [
    queries.cards.list,
    queries.cards.get,
    // Each policy tells how many cards it has.
    queries.cards.policies.list,
    queries.cards.policies.check,
  ],
  card_policy: [
    queries.cards.policies.list,
    queries.cards.policies.check,
    queries.cards.list,
    queries.cards.get,
  ],
  card_transaction: [
    queries.cards.transactions.list,
    queries.cards.transactions.explain,
    queries.cards.policies.check,
    queries.cards.policies.backtest,
    queries.cards.list,
    queries.cards.get,
    queries.cards.reports.spending,
  ],
  subscription: [queries.organizations.subscription.get],
  webhook_endpoint: [queries.webhookEndpoints.list],
  api_key: [queries.keys.list],
};
/** What each event makes stale: they list everything that happens. */
const staleAlways = [
  queries.events.list,
  queries.organizations.audit.list,
  queries.webhookEndpoints.deliveries.list,
];

/** How long changes are collected before the open page reads again what they made stale. */
const collectMs = 150;
/** A connection that is back within this time was not worth a word. */
const patienceMs = 2500;

/**
 * Keeps everything that is shown true: each event of the organization makes the queries that it concerns stale. The client
 * connects again by itself, and continues behind the last event. Returns whether the connection is lost.
 */
export function useLiveEvents(organizationId: string): boolean {
  const client = useQueryClient();
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    const collected = collector(client);
    let wasLost = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onConnection = (isOpen: boolean) => {
      clearTimeout(timer);
      if (!isOpen) timer = setTimeout(() => setIsLost(true), patienceMs);
      else {
        setIsLost(false);
        // What failed meanwhile has no event.
        if (wasLost) void client.invalidateQueries();
      }
      wasLost = !isOpen;
    };
    const options = { signal: leaving.signal, onEvent: collected.add, onConnection };
    followEvents(organizationId, options).catch((error: unknown) => {
      if (leaving.signal.aborted) return;
      // Signed out elsewhere, or no longer a member: the page finds out by reading who is signed in.
      if (isProblem(error)) void client.invalidateQueries({ queryKey: queries.me.get.queryKey() });
      setIsLost(true);
    });
    return () => {
      leaving.abort();
      clearTimeout(timer);
      collected.end();
    };
  }, [client, organizationId]);
  return isLost;
}

/** Collects events, and makes the queries that they concern stale, each once. */
function collector(client: QueryClient) {
  const kinds = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    timer = undefined;
    const concerned = new Set([...[...kinds].flatMap(staleAfterKind), ...staleAlways]);
    kinds.clear();
    for (const query of concerned) void client.invalidateQueries({ queryKey: query.queryKey() });
  };
  return {
    add: (type: string) => {
      kinds.add(type.split(".")[0] ?? "");
      timer ??= setTimeout(refresh, collectMs);
    },
    // What the next page reads from the cache must not be older than the events that have arrived.
    end: () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      refresh();
    },
  };
}

/** A newer service may have kinds that are unknown here. */
const staleAfterKind = (kind: string): readonly Stale[] =>
  Object.hasOwn(staleAfter, kind) ? staleAfter[kind as EventKind] : [];
