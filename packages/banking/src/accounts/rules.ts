import type { bankConnectionStatuses } from "@purser/core";
import type { AccountData } from "../ports.ts";

/** A stored account, with keyed hashes of its identifiers. */
export interface KnownAccount {
  id: string;
  identityHashes: string[];
}

/**
 * Returns the known account that each of these is, by position; null for a new one. Two accounts are the same if they
 * share an identifier hash, which covers type and currency too. Each is matched once. An ambiguous match is no match:
 * a person can merge two accounts later, but mixed transactions cannot be separated.
 */
export function matchAccounts(
  hashes: readonly string[][],
  known: readonly KnownAccount[],
): (string | null)[] {
  const candidates = hashes.map((own) =>
    known.filter(({ identityHashes }) => identityHashes.some((hash) => own.includes(hash))),
  );
  const claims = Map.groupBy(candidates.flat(), ({ id }) => id);
  return candidates.map(([match, ...others]) =>
    match && others.length === 0 && claims.get(match.id)!.length === 1 ? match.id : null,
  );
}

/** An id by which a connection's bank knows an account. */
export interface KnownSource {
  externalId: string;
  accountId: string;
  /** When another source replaced this one, or the bank no longer listed the account; null while this one is current. */
  supersededAt: Date | null;
  /** The connection that owns the account now. */
  owner: { connectionId: string; status: (typeof bankConnectionStatuses)[number] };
}

/**
 * Classifies each account that a connection's bank lists: `owned` already, `skipped` because another active connection
 * owns it, or `adopted`. A connection adopts accounts that are new to it. It also adopts accounts that it owned before
 * if their present owner is disconnected, or is another consent of this connection, or if its bank has not listed them
 * meanwhile.
 */
export function classifySources(
  externalIds: readonly string[],
  sources: readonly KnownSource[],
  connectionId: string,
): Map<string, "owned" | "skipped" | "adopted"> {
  const known = new Map(sources.map((source) => [source.externalId, source]));
  const listed = new Set(externalIds);
  const ownedIds = new Set(
    sources
      .filter(({ supersededAt, externalId }) => supersededAt === null && listed.has(externalId))
      .map(({ accountId }) => accountId),
  );
  return new Map(
    externalIds.map((externalId) => {
      const source = known.get(externalId);
      if (source === undefined) return [externalId, "adopted"];
      if (source.supersededAt === null) return [externalId, "owned"];
      const { owner, accountId } = source;
      const isElsewhere = owner.connectionId !== connectionId && owner.status === "ACTIVE";
      return [externalId, isElsewhere || ownedIds.has(accountId) ? "skipped" : "adopted"];
    }),
  );
}

/** What decides whether two accounts may be one. */
export interface MergeCandidate {
  id: string;
  currency: string;
  /** The connection whose bank lists it, as far as it was read; null if none does. */
  listedBy: string | null;
}

/** Returns why two accounts cannot be one, in a sentence for the caller, or null. */
export function refuseMerge(account: MergeCandidate, continuing: MergeCandidate): string | null {
  if (account.id === continuing.id) return "An account cannot be merged into itself.";
  if (account.currency !== continuing.currency) {
    return `The accounts have different currencies, ${account.currency} and ${continuing.currency}.`;
  }
  return account.listedBy !== null && account.listedBy === continuing.listedBy
    ? "The bank lists both accounts side by side, so they are two accounts."
    : null;
}

/** The countries of the schemes of numbers that exist in one country only. */
const countries: ReadonlyMap<string, string> = new Map([
  ["ach", "US"],
  ["bacs", "GB"],
  ["eft", "CA"],
]);

/** The country of these accounts by their numbers, ISO 3166-1 alpha-2; null if no number tells it, or if there are several. */
export function countryOfAccounts(accounts: readonly Pick<AccountData, "identifiers">[]): string | null {
  const numbers = accounts.flatMap(({ identifiers }) => identifiers);
  const [country = null, ...others] = new Set(numbers.flatMap((number) => countryOfNumber(number) ?? []));
  return others.length === 0 ? country : null;
}

function countryOfNumber(identifier: string): string | undefined {
  const [scheme = "", number = ""] = identifier.split(":");
  return scheme === "iban" ? /^[A-Z]{2}(?=\d{2})/.exec(number)?.[0] : countries.get(scheme);
}
