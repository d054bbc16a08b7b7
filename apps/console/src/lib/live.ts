import type { Event } from "@purser/client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { purser, queries } from "./purser.ts";

/** What each kind of event makes stale, by the part of its type before the dot. */
const stale: Readonly<Record<string, readonly { queryKey: () => readonly unknown[] }[]>> = {
  organization: [queries.organizations.get, queries.organizations.settings.get, queries.me.get],
  member: [queries.organizations.members.list, queries.me.get],
  invitation: [queries.organizations.invitations.list],
  bank_connection: [queries.banking.connections.list, queries.banking.connections.health],
  bank_account: [queries.banking.accounts.list, queries.banking.reports.balances],
  bank_transactions: [
    queries.banking.transactions.list,
    queries.banking.reports.balances,
    queries.banking.reports.cashflow,
  ],
  card: [queries.cards.list, queries.cards.get],
  card_policy: [queries.cards.policies.list],
  card_transaction: [queries.cards.transactions.list, queries.cards.list, queries.cards.reports.spending],
  subscription: [queries.organizations.subscription.get],
  webhook_endpoint: [queries.webhookEndpoints.list],
  api_key: [queries.keys.list],
};

/** How long changes are collected before the open page reads again what they made stale. */
const collectMs = 150;

/**
 * Keeps everything that is shown true: each event of the organization makes the queries that it concerns stale. The client
 * connects again by itself, and continues behind the last event.
 */
export function useLiveEvents(organizationId: string, onEvent?: (event: Event) => void): void {
  const client = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    const waiting = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer = undefined;
      const kinds = [...waiting];
      waiting.clear();
      for (const query of new Set(kinds.flatMap((kind) => stale[kind] ?? [])))
        void client.invalidateQueries({ queryKey: query.queryKey() });
    };
    const follow = async () => {
      for await (const event of purser.events.stream({ organizationId }, { signal: leaving.signal })) {
        waiting.add(event.type.split(".")[0] ?? "");
        timer ??= setTimeout(refresh, collectMs);
        onEvent?.(event);
      }
    };
    follow().catch(() => undefined);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [client, organizationId, onEvent]);
}

/** Whether the browser has a network. */
export function useIsOnline(): boolean {
  const [isOnline, setIsOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setIsOnline(navigator.onLine);
    addEventListener("online", update);
    addEventListener("offline", update);
    return () => {
      removeEventListener("online", update);
      removeEventListener("offline", update);
    };
  }, []);
  return isOnline;
}
