/** An account that is known, by keyed hashes of what names it at its bank. */
export interface KnownAccount {
  id: string;
  identityHashes: string[];
}

/**
 * Which known account each of these is, by position; null for a new one. They are the same where one identifier is
 * (the hash covers type and currency, too). Each is matched once, and where more than one could be meant, none is:
 * two accounts can be joined by a person later, but money that was mixed cannot be told apart again.
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

/** An id under which a connection's bank knows an account. */
export interface KnownSource {
  externalId: string;
  accountId: string;
  /** Since when the account is fed from elsewhere; null while it is fed from here. */
  supersededAt: Date | null;
  /** The connection that feeds the account now. */
  feeder: { connectionId: string; status: "ACTIVE" | "DISCONNECTED" };
}

/**
 * What a connection is to do with each account that its bank lists: go on to feed it, leave it to another connection
 * that is in use, or begin to feed it. It begins with what is new to it, and takes back what it fed before where
 * nobody else does any more: what was fed by a connection that has ended, or by another consent of its own.
 */
export function classifySources(
  externalIds: readonly string[],
  sources: readonly KnownSource[],
  connectionId: string,
): Map<string, "owned" | "skipped" | "adopted"> {
  const known = new Map(sources.map((source) => [source.externalId, source]));
  const listed = new Set(externalIds);
  const fed = new Set(
    sources
      .filter(({ supersededAt, externalId }) => supersededAt === null && listed.has(externalId))
      .map(({ accountId }) => accountId),
  );
  return new Map(
    externalIds.map((externalId) => {
      const source = known.get(externalId);
      if (source === undefined) return [externalId, "adopted"];
      if (source.supersededAt === null) return [externalId, "owned"];
      const { feeder, accountId } = source;
      const isElsewhere = feeder.connectionId !== connectionId && feeder.status === "ACTIVE";
      return [externalId, isElsewhere || fed.has(accountId) ? "skipped" : "adopted"];
    }),
  );
}
