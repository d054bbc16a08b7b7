import { firstIdAt } from "@purser/core";
import {
  type Executor,
  type TenantKey,
  type Transaction,
  bankConsents,
  bankLinks,
  findInAnyOrganization,
  hasKey,
  searchAllOrganizations,
} from "@purser/db";
import { type Keyring, keyedHashes, seal, sealedIn, unseal } from "@purser/platform";
import type { KeyUse } from "@purser/platform/keys";
import { and, asc, desc, eq, gt, gte, inArray, isNotNull, lt, lte, not, notExists, sql } from "drizzle-orm";
import type { ProviderName } from "../ports.ts";

/** A link as it is stored. Its state is sealed, and of no use if the key is lost. */
export type SealedLinkRow = typeof bankLinks.$inferSelect;

export type LinkRow = Omit<SealedLinkRow, "state"> & { state: string };

const stateContext = ({ organizationId, id }: TenantKey) => sealedIn(bankLinks.state, [organizationId, id]);

/** Throws if the key is lost that sealed the state. */
export const unsealLink = (keys: Keyring, row: SealedLinkRow): LinkRow => ({
  ...row,
  state: unseal(keys, row.state, stateContext(row)),
});

export async function insertLink(transaction: Transaction, keys: Keyring, row: LinkRow): Promise<void> {
  await transaction.insert(bankLinks).values({ ...row, state: seal(keys, row.state, stateContext(row)) });
}

/** Finds a link by its id alone: the person returns from the bank with nothing else. */
export async function findLink(db: Executor, keys: Keyring, id: string): Promise<LinkRow | undefined> {
  const [row] = await findInAnyOrganization(db, (any) =>
    any.select().from(bankLinks).where(eq(bankLinks.id, id)),
  );
  return row && unsealLink(keys, row);
}

/**
 * Finds the newest link of the organization that has the same state and has not expired: a provider that renews a consent
 * in place may lead the person back to the address of the consent's first link.
 */
export async function findRenewalOf(
  db: Executor,
  keys: Keyring,
  { organizationId, provider, state }: LinkRow,
  now: Date,
): Promise<LinkRow | undefined> {
  const [row] = await db
    .select()
    .from(bankLinks)
    .where(
      and(
        eq(bankLinks.organizationId, organizationId),
        eq(bankLinks.provider, provider),
        inArray(bankLinks.stateHash, linkStateHashes(keys, provider, state)),
        gt(bankLinks.expiresAt, now),
      ),
    )
    .orderBy(desc(bankLinks.id))
    .limit(1);
  return row && { ...row, state };
}

/** The keyed hashes of a link's state, by which a webhook or a renewal finds it. */
export const linkStateHashes = (keys: Keyring, provider: ProviderName, state: string): string[] =>
  keyedHashes(keys, state, ["bank link", provider]);

/** Counts the hashes of links that have not expired, by the version of their key. A webhook or a return looks them up. */
export function countLinkHashes(db: Executor, now: Date): Promise<KeyUse[]> {
  const { stateHash, referenceHash, expiresAt } = bankLinks;
  return db.execute<KeyUse & Record<string, unknown>>(sql`
    SELECT 'bank_links.' || name AS location, split_part(hash, '.', 1)::integer AS version, count(*)::integer AS secrets
    FROM ${bankLinks},
      LATERAL (VALUES ('state_hash', ${stateHash}), ('reference_hash', ${referenceHash})) AS hashes (name, hash)
    WHERE ${gt(expiresAt, now)} AND hash IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`);
}

/** Records that the user finished the link with this state. Returns false if there is none. */
export async function setLinkFinished(
  db: Executor,
  provider: ProviderName,
  stateHashes: string[],
  now: Date,
): Promise<boolean> {
  const links = await findInAnyOrganization(db, (any) =>
    any
      .select({ organizationId: bankLinks.organizationId, id: bankLinks.id })
      .from(bankLinks)
      .where(and(eq(bankLinks.provider, provider), inArray(bankLinks.stateHash, stateHashes))),
  );
  for (const link of links)
    await db.update(bankLinks).set({ finishedAt: now }).where(hasKey(bankLinks, link));
  return links.length > 0;
}

/** Lists the links of all organizations that were finished before this instant and are not processed. */
export function listFinishedLinks(db: Executor, before: Date): Promise<SealedLinkRow[]> {
  return searchAllOrganizations(db, (all) =>
    all
      .select()
      .from(bankLinks)
      .where(lte(bankLinks.finishedAt, before))
      .orderBy(asc(bankLinks.finishedAt))
      .limit(100),
  );
}

/**
 * Records that a finished link is processed, unless the person has finished it again since. With `nextAt`, it is processed
 * again, as if it had been finished then.
 */
export async function setLinkProcessed(
  db: Executor,
  link: TenantKey & Pick<LinkRow, "finishedAt">,
  { nextAt = null }: { nextAt?: Date | null } = {},
): Promise<void> {
  const asListed = link.finishedAt === null ? undefined : eq(bankLinks.finishedAt, link.finishedAt);
  await db
    .update(bankLinks)
    .set({ finishedAt: nextAt })
    .where(and(hasKey(bankLinks, link), asListed));
}

/**
 * Deletes and returns links of all organizations that expired before this instant, at most 100. One that is finished and not
 * processed stays longer, until it expired before `finishedBefore`. Leaves those to whose address a renewal of their consent
 * may lead.
 */
export async function takeExpiredLinks(
  transaction: Transaction,
  { before, finishedBefore }: { before: Date; finishedBefore: Date },
): Promise<SealedLinkRow[]> {
  const isPending = and(isNotNull(bankLinks.finishedAt), gte(bankLinks.expiresAt, finishedBefore));
  const renewable = transaction
    .select()
    .from(bankConsents)
    .where(
      and(
        eq(bankConsents.organizationId, bankLinks.organizationId),
        eq(bankConsents.provider, bankLinks.provider),
        eq(bankConsents.referenceHash, bankLinks.referenceHash),
        eq(bankConsents.status, "AUTHORIZED"),
      ),
    );
  const search = (all: Executor) =>
    all
      .select({ organizationId: bankLinks.organizationId, id: bankLinks.id })
      .from(bankLinks)
      .where(and(lt(bankLinks.expiresAt, before), not(isPending!), notExists(renewable)))
      // In one order, so that two processes cannot deadlock.
      .orderBy(bankLinks.organizationId, bankLinks.id)
      .limit(100);
  const by = (link: TenantKey) => `${link.organizationId} ${link.id}`;
  const expired = await searchAllOrganizations(transaction, search, { by, limit: 100 });
  const taken: SealedLinkRow[] = [];
  for (const link of expired) {
    const [row] = await transaction.delete(bankLinks).where(hasKey(bankLinks, link)).returning();
    // Another process may have taken it in the meantime.
    if (row !== undefined) taken.push(row);
  }
  return taken;
}

/** Stores the consent that a link resulted in. */
export async function setLinkConsent(db: Executor, link: TenantKey, referenceHash: string): Promise<void> {
  await db.update(bankLinks).set({ referenceHash }).where(hasKey(bankLinks, link));
}

/**
 * Finds the connection that a consent renews, if it came through a renewal link. A consent of another institution than the
 * link's renews nothing: the person has connected another bank.
 */
export async function findRenewedConnection(
  db: Executor,
  { organizationId, institutionId }: { organizationId: string; institutionId: string },
  hashes: string[],
): Promise<string | undefined> {
  const [link] = await db
    .select({ connectionId: bankLinks.connectionId })
    .from(bankLinks)
    .where(
      and(
        eq(bankLinks.organizationId, organizationId),
        inArray(bankLinks.referenceHash, hashes),
        eq(bankLinks.institutionId, institutionId),
        isNotNull(bankLinks.connectionId),
      ),
    )
    .orderBy(desc(bankLinks.id))
    .limit(1);
  return link?.connectionId ?? undefined;
}

/** Whether the person renewed this consent of a connection through a link that was created at this instant or later. */
export async function isRenewedSince(
  db: Executor,
  { organizationId, id: connectionId }: TenantKey,
  hashes: string[],
  since: Date,
): Promise<boolean> {
  const renewals = await db.$count(
    bankLinks,
    and(
      eq(bankLinks.organizationId, organizationId),
      eq(bankLinks.connectionId, connectionId),
      inArray(bankLinks.referenceHash, hashes),
      gte(bankLinks.id, firstIdAt("lnk", since)),
    ),
  );
  return renewals > 0;
}
