import type { BankProviderName } from "@purser/client";

/** What the address says: the search for a bank, what the bank returned, or the connection whose sync is shown. */
export interface ConnectSearch {
  country?: string;
  query?: string;
  provider?: BankProviderName;
  providerId?: string;
  consentId?: string;
  /** Why the bank gave no consent. */
  error?: string;
  connectionId?: string;
}

const names = ["country", "query", "provider", "providerId", "consentId", "error", "connectionId"] as const;

export function readConnectSearch(raw: Record<string, unknown>): ConnectSearch {
  // The router reads a name of digits as a number.
  const read = names.flatMap((name) => {
    const value = raw[name];
    return (typeof value === "string" && value !== "") || typeof value === "number"
      ? [[name, String(value)]]
      : [];
  });
  return Object.fromEntries(read) as ConnectSearch;
}

export interface ReturnedConsent {
  provider: BankProviderName;
  providerId: string;
  consentId: string;
}

/** The consent with which the bank sent the person back, if it did. */
export const returnedConsent = ({ provider, providerId, consentId }: ConnectSearch): ReturnedConsent | null =>
  provider !== undefined && providerId !== undefined && consentId !== undefined
    ? { provider, providerId, consentId }
    : null;
