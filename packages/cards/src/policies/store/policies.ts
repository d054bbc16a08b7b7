import { cardLimitsOf } from "@purser/core";
import { type Executor, type TenantKey, type Transaction, cardPolicies, cards, hasKey } from "@purser/db";
import { and, count, desc, eq, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { StoredPolicy } from "../rules/terms.ts";

/** The columns of the terms on which purchases are decided. */
export const policyTermColumns = {
  spendingLimit: cardPolicies.spendingLimit,
  limitInterval: cardPolicies.limitInterval,
  furtherLimits: cardPolicies.furtherLimits,
  allowAtm: cardPolicies.allowAtm,
  allowOnline: cardPolicies.allowOnline,
  allowInternational: cardPolicies.allowInternational,
  merchantCategories: cardPolicies.merchantCategories,
  blockedMerchantCategories: cardPolicies.blockedMerchantCategories,
  blockedMerchants: cardPolicies.blockedMerchants,
  allowedMerchants: cardPolicies.allowedMerchants,
  activeFrom: cardPolicies.activeFrom,
  activeTo: cardPolicies.activeTo,
  daysOfWeek: cardPolicies.daysOfWeek,
};

const columns = {
  id: cardPolicies.id,
  organizationId: cardPolicies.organizationId,
  name: cardPolicies.name,
  description: cardPolicies.description,
  ...policyTermColumns,
};

type PolicyRow = Omit<StoredPolicy, "limits"> & Pick<typeof cardPolicies.$inferSelect, "furtherLimits">;

const toPolicy = <Row extends PolicyRow>({ furtherLimits, ...row }: Row) => ({
  ...row,
  limits: cardLimitsOf({ ...row, furtherLimits }),
});

/** The columns that hold the limits of a policy: the pair, and all that it does not show. */
const limitColumns = ({ spendingLimit, limitInterval, limits }: StoredPolicy) => ({
  spendingLimit,
  limitInterval,
  furtherLimits: spendingLimit === null ? limits : limits.slice(1),
});

/** Policies, newest first, each with the number and the currencies of its issued cards that are not closed. */
export async function listPolicyRows(
  db: Executor,
  organizationId: string,
  page: { after: string | undefined; rows: number },
) {
  const { after, rows: maxRows } = page;
  const byCurrency = db
    .select({ currency: cards.currency, cardCount: count().as("cards_in_currency") })
    .from(cards)
    .where(
      and(
        eq(cards.organizationId, organizationId),
        eq(cards.policyId, cardPolicies.id),
        isNotNull(cards.issuedAt),
        ne(cards.status, "CLOSED"),
      ),
    )
    .groupBy(cards.currency)
    .as("by_currency");
  const following = db
    .select({
      cardCount: sql<number>`coalesce(sum(${byCurrency.cardCount}), 0)::int`.as("card_count"),
      currencies: sql<string[]>`coalesce(
        array_agg(${byCurrency.currency} ORDER BY ${byCurrency.cardCount} DESC, ${byCurrency.currency}), '{}'
      )`.as("currencies"),
    })
    .from(byCurrency)
    .as("following");
  const rows = await db
    .select({ ...columns, cardCount: following.cardCount, currencies: following.currencies })
    .from(cardPolicies)
    .crossJoinLateral(following)
    .where(
      and(
        eq(cardPolicies.organizationId, organizationId),
        after === undefined ? undefined : lt(cardPolicies.id, after),
      ),
    )
    .orderBy(desc(cardPolicies.id))
    .limit(maxRows);
  return rows.map(toPolicy);
}

export async function findPolicy(db: Executor, key: TenantKey): Promise<StoredPolicy | undefined> {
  const [policy] = await db.select(columns).from(cardPolicies).where(hasKey(cardPolicies, key));
  return policy && toPolicy(policy);
}

/** Locks a policy for a change. */
export async function lockPolicy(
  transaction: Transaction,
  key: TenantKey,
): Promise<StoredPolicy | undefined> {
  const [policy] = await transaction
    .select(columns)
    .from(cardPolicies)
    .where(hasKey(cardPolicies, key))
    .for("no key update");
  return policy && toPolicy(policy);
}

export async function insertPolicy(
  transaction: Transaction,
  { limits, ...policy }: StoredPolicy & { createdAt: Date },
): Promise<void> {
  await transaction.insert(cardPolicies).values({ ...policy, ...limitColumns({ ...policy, limits }) });
}

/** Changes a policy. A new version keeps decisions on its former terms from being stored, for any number of cards. */
export async function setPolicy(
  transaction: Transaction,
  before: StoredPolicy,
  { limits, ...change }: Partial<StoredPolicy>,
  { isNewVersion }: { isNewVersion: boolean },
): Promise<void> {
  const version = sql`${cardPolicies.version} + 1`;
  await transaction
    .update(cardPolicies)
    .set({
      ...change,
      ...(limits && limitColumns({ ...before, ...change, limits })),
      ...(isNewVersion && { version }),
    })
    .where(hasKey(cardPolicies, before));
}
