import {
  type Database,
  type Transaction,
  cardPolicies,
  cards,
  hasKey,
  isOfShard,
  setOrganization,
} from "@purser/db";
import { and, eq } from "drizzle-orm";
import { type CardReference, findCardOrganization, laterHolder } from "./decision-context.ts";

/** A transaction with a lock on a card. Every change to a card takes this lock first, so they are ordered. */
export async function withCardLock<Result>(
  db: Database,
  reference: CardReference & { organizationId?: string | null | undefined },
  work: (transaction: Transaction, card: LockedCard | undefined) => Promise<Result>,
): Promise<Result> {
  // Before the transaction, which has no second connection. A lock names the organization: Citus locks in one shard only.
  const organizationId = reference.organizationId ?? (await findCardOrganization(db, reference));
  return db.transaction(async (transaction) => {
    if (organizationId && isOfShard(db)) setOrganization(transaction, organizationId);
    const card = organizationId && (await lockCardOf(transaction, organizationId, reference));
    return work(transaction, card || undefined);
  });
}

export type LockedCard = NonNullable<Awaited<ReturnType<typeof lockCardOf>>>;

async function lockCardOf(
  transaction: Transaction,
  organizationId: string,
  { issuer, reference }: CardReference,
) {
  const [card] = await transaction
    .select({
      organizationId: cards.organizationId,
      id: cards.id,
      status: cards.status,
      expiryMonth: cards.expiryMonth,
      expiryYear: cards.expiryYear,
      currency: cards.currency,
      timeZone: cards.timeZone,
      policyId: cards.policyId,
      holderId: laterHolder,
      assignedAt: cards.assignedAt,
    })
    .from(cards)
    .where(
      and(
        eq(cards.organizationId, organizationId),
        eq(cards.issuer, issuer),
        eq(cards.issuerReference, reference),
      ),
    )
    .for("no key update");
  return card;
}

/** Locks the policy of a locked card against changes, until a decision by it is stored. */
export async function lockPolicyOf(
  transaction: Transaction,
  { organizationId, policyId }: { organizationId: string; policyId: string },
): Promise<void> {
  await transaction
    .select({ id: cardPolicies.id })
    .from(cardPolicies)
    .where(hasKey(cardPolicies, { organizationId, id: policyId }))
    .for("share");
}
