import { type Database, type Transaction, cardPolicies, cards, isDistributedDatabase } from "@purser/db";
import { and, eq } from "drizzle-orm";
import { type CardReference, laterHolder } from "./decision-context.ts";

/** The organizations of cards that this process has met, by database, issuer and reference. A card keeps its own. */
const knownOrganizations = new WeakMap<Database, Map<string, string>>();
const maxKnownOrganizations = 100_000;

/** Finds the organization of a card, with a query only for a card that is new to this process. */
async function findCardOrganization(
  db: Database,
  { issuer, reference }: CardReference,
): Promise<string | undefined> {
  const known = knownOrganizations.get(db) ?? new Map<string, string>();
  knownOrganizations.set(db, known);
  const name = `${issuer} ${reference}`;
  const organization = known.get(name);
  if (organization !== undefined) return organization;
  const [card] = await db
    .select({ organizationId: cards.organizationId })
    .from(cards)
    .where(and(eq(cards.issuer, issuer), eq(cards.issuerReference, reference)));
  if (card === undefined) return undefined;
  if (known.size === maxKnownOrganizations) known.clear();
  known.set(name, card.organizationId);
  return card.organizationId;
}

/**
 * A statement on one PostgreSQL reaches all organizations: null. On a distributed one it stays on one server, so a batch
 * has one organization, that of its cards. Undefined for an unknown card.
 */
export async function findOrganizationOfBatch(
  db: Database,
  card: CardReference,
): Promise<string | null | undefined> {
  return (await isDistributedDatabase(db)) ? findCardOrganization(db, card) : null;
}

/** A transaction with a lock on a card. Every change to a card takes this lock first, so they are ordered. */
export async function withCardLock<Result>(
  db: Database,
  reference: CardReference,
  work: (transaction: Transaction, card: LockedCard | undefined) => Promise<Result>,
): Promise<Result> {
  // Before the transaction, which has no second connection. A lock names the organization: Citus locks in one shard only.
  const organizationId = await findCardOrganization(db, reference);
  return db.transaction(async (transaction) => {
    const card = organizationId && (await lockCardOf(transaction, organizationId, reference));
    return work(transaction, card || undefined);
  });
}

type LockedCard = NonNullable<Awaited<ReturnType<typeof lockCardOf>>>;

async function lockCardOf(
  transaction: Transaction,
  organizationId: string,
  { issuer, reference }: CardReference,
) {
  const [card] = await transaction
    .select({
      organizationId: cards.organizationId,
      id: cards.id,
      currency: cards.currency,
      timeZone: cards.timeZone,
      policyId: cards.policyId,
      holderId: laterHolder,
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
    .where(and(eq(cardPolicies.organizationId, organizationId), eq(cardPolicies.id, policyId)))
    .for("share");
}
