import { type Executor, type Transaction, cardPolicies, cards } from "@purser/db";
import { and, count, desc, eq, isNotNull, lt, ne } from "drizzle-orm";
import { bumpPolicyVersion } from "../../store.ts";
import type { Policy } from "../rules/terms.ts";

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

export async function findPolicy(db: Executor, key: PolicyKey): Promise<Policy | undefined> {
  const [policy] = await db.select(columns).from(cardPolicies).where(thePolicy(key));
  return policy;
}

/** Locks a policy for a change. */
export async function lockPolicy(transaction: Transaction, key: PolicyKey): Promise<Policy | undefined> {
  const [policy] = await transaction
    .select(columns)
    .from(cardPolicies)
    .where(thePolicy(key))
    .for("no key update");
  return policy;
}

export async function insertPolicy(
  transaction: Transaction,
  policy: Policy & { createdAt: Date },
): Promise<void> {
  await transaction.insert(cardPolicies).values(policy);
}

export async function setPolicy(
  transaction: Transaction,
  key: PolicyKey,
  change: Partial<Policy>,
): Promise<void> {
  await transaction.update(cardPolicies).set(change).where(thePolicy(key));
}

/** Bumps the versions of a policy's cards, so that no decision on its former terms is stored. */
export function bumpCardsOfPolicy(
  transaction: Transaction,
  { organizationId, id }: PolicyKey,
): Promise<void> {
  return bumpPolicyVersion(
    transaction,
    and(eq(cards.organizationId, organizationId), eq(cards.policyId, id)),
  );
}
