import type { BankConnection, BankConnectionHealth, BankSync, Institution } from "@purser/client";
import { useQueries, useQuery } from "@tanstack/react-query";
import { failedQuery } from "../../../data/failed-query.ts";
import { lastDigits } from "../../../data/format.ts";
import { allConnections } from "../../../data/lists.ts";
import { queries } from "../../../data/purser.ts";

/** A connection with what is known of its bank and its health. */
export interface ConnectedBank {
  connection: BankConnection;
  health: BankConnectionHealth | undefined;
  name: string;
  logoUrl: string | null;
}

/** All connections of a team. The logo of a bank comes from its provider, and may come later. */
export function useConnectedBanks(teamId: string) {
  const connections = useQuery(allConnections(teamId));
  const health = useQuery(queries.banking.connections.health.queryOptions({ teamId }));
  const providers = [...new Set(connections.data?.map(({ provider }) => provider))];
  const institutions = useQueries({
    queries: providers.map((provider) => ({
      ...queries.banking.institutions.list.queryOptions({ provider: provider as "sandbox" }),
      staleTime: Infinity,
    })),
    combine: (results) => results.flatMap(({ data = [] }) => data),
  });
  return {
    isPending: connections.isPending,
    failed: failedQuery(connections, health),
    banks: connections.data?.map((connection) => toBank(connection, health.data, institutions)) ?? [],
  };
}

function toBank(
  connection: BankConnection,
  health: readonly BankConnectionHealth[] | undefined,
  institutions: readonly Institution[],
): ConnectedBank {
  const { id, provider, providerId } = connection;
  const institution = institutions.find((one) => one.id === providerId && one.provider === provider);
  const own = health?.find(({ connectionId }) => connectionId === id);
  return {
    connection,
    health: own,
    name: own?.institutionName ?? "A bank",
    logoUrl: institution?.logoUrl ?? null,
  };
}

/** What is wrong with a connection, and what to do about it. Null if nothing is. */
export function troubleOf({
  status,
  reason,
}: BankConnectionHealth): { title: string; advice: string } | null {
  if (status === "needs_reauthorization")
    return {
      title: reason === "CONSENT_EXPIRED" ? "Your consent has ended" : "The bank asks you to sign in again",
      advice: "Nothing new is read until an owner reconnects the bank.",
    };
  if (status !== "failing") return null;
  const advice = "Nothing is lost. Purser tries again by itself.";
  return { title: reason === "PROVIDER_ERROR" ? "The bank did not respond" : "The last sync failed", advice };
}

/** What a sync has come to. The service waits 25 seconds for it, and then responds while it goes on. */
export const sentenceOfSync = (name: string, sync: Pick<BankSync, "status"> | undefined): string =>
  sync?.status === "SUCCEEDED"
    ? `${name} is up to date`
    : `${name} is still being read. New transactions appear when that is done.`;

/** The last digits of an account number, as people know them. */
export const shortNumber = (accountNumber: string | null): string =>
  accountNumber === null ? "" : lastDigits(accountNumber);

/** "Harbor & Vale" has the initials HV. */
export const nameForInitials = (name: string): string => name.replaceAll(" & ", " ");
