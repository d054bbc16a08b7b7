import { type Executor, type Transaction, cardPolicies, cards } from "@purser/db";
import { and, count, desc, eq, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { StoredPolicy } from "../rules/terms.ts";

interface PolicyKey {
  organizationId: string;
  id: string;
}

const thePolicy = ({ organizationId, id }: PolicyKey) =>
  and(eq(cardPolicies.organizationId, organizationId), eq(cardPolicies.id, id));

const columns = {
  id: cardPolicies.id,
  organizationId: cardPolicies.organizationId,
  name: cardPolicies.name,
  description: cardPolicies.description,
  spendingLimit: cardPolicies.spendingLimit,
  limitInterval: cardPolicies.limitInterval,
  allowAtm: cardPolicies.allowAtm,
  allowOnline: cardPolicies.allowOnline,
  allowInternational: cardPolicies.allowInternational,
  merchantCategories: cardPolicies.merchantCategories,
  blockedMerchants: cardPolicies.blockedMerchants,
  activeFrom: cardPolicies.activeFrom,
  activeTo: cardPolicies.activeTo,
  daysOfWeek: cardPolicies.daysOfWeek,
};

/** Policies, newest first, each with its number of issued cards that are not closed. */
export function listPolicyRows(
  db: Executor,
  organizationId: string,
  page: { after: string | undefined; rows: number },
) {
  const { after, rows } = page;
  const following = db
    .select({ cardCount: count().as("card_count") })
    .from(cards)
    .where(
      and(
        eq(cards.organizationId, cardPolicies.organizationId),
        eq(cards.policyId, cardPolicies.id),
        isNotNull(cards.issuedAt),
        ne(cards.status, "CLOSED"),
      ),
    )
    .as("following");
  return db
    .select({ ...columns, cardCount: following.cardCount })
    .from(cardPolicies)
    .crossJoinLateral(following)
    .where(
      and(
        eq(cardPolicies.organizationId, organizationId),
        after === undefined ? undefined : lt(cardPolicies.id, after),
      ),
    )
    .orderBy(desc(cardPolicies.id))
    .limit(rows);
}

export async function findPolicy(db: Executor, key: PolicyKey): Promise<StoredPolicy | undefined> {
  const [policy] = await db.select(columns).from(cardPolicies).where(thePolicy(key));
  return policy;
}

/** Locks a policy for a change. */
export async function lockPolicy(
  transaction: Transaction,
  key: PolicyKey,
): Promise<StoredPolicy | undefined> {
  const [policy] = await transaction
    .select(columns)
    .from(cardPolicies)
    .where(thePolicy(key))
    .for("no key update");
  return policy;
}

export async function insertPolicy(
  transaction: Transaction,
  policy: StoredPolicy & { createdAt: Date },
): Promise<void> {
  await transaction.insert(cardPolicies).values(policy);
}

/** Changes a policy. A new version keeps decisions on its former terms from being stored, for any number of cards. */
export async function setPolicy(
  transaction: Transaction,
  key: PolicyKey,
  change: Partial<StoredPolicy>,
  { isNewVersion }: { isNewVersion: boolean },
): Promise<void> {
  const version = sql`${cardPolicies.version} + 1`;
  await transaction
    .update(cardPolicies)
    .set({ ...change, ...(isNewVersion && { version }) })
    .where(thePolicy(key));
}
