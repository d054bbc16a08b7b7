import { type Executor, type Transaction, cardholders } from "@purser/db";
import { type Keyring, seal, sealedIn, unseal } from "@purser/platform";
import { and, eq } from "drizzle-orm";
import type { CardholderDetails } from "../ports.ts";

/** A person as a cardholder of one organization. */
export interface CardholderKey {
  organizationId: string;
  userId: string;
}

export interface StoredCardholder {
  details: CardholderDetails;
  /** Increases with every change. 0 without details. */
  version: number;
}

const theCardholder = ({ organizationId, userId }: CardholderKey) =>
  and(eq(cardholders.organizationId, organizationId), eq(cardholders.userId, userId));

const detailsContext = ({ organizationId, userId }: CardholderKey) =>
  sealedIn(cardholders.details, [organizationId, userId]);

/** Reads the details of a cardholder. They leave this process only to an issuer: never return, log or audit them. */
export async function readCardholder(
  db: Executor,
  keys: Keyring,
  key: CardholderKey,
): Promise<StoredCardholder> {
  const [row] = await db.select().from(cardholders).where(theCardholder(key));
  if (row === undefined) return { details: {}, version: 0 };
  const details = JSON.parse(unseal(keys, row.details, detailsContext(row))) as CardholderDetails;
  return { details, version: row.version };
}

/** Stores the details, sealed. The caller holds the organization's lock. */
export async function writeCardholder(
  transaction: Transaction,
  keys: Keyring,
  key: CardholderKey,
  { details, version }: StoredCardholder,
  updatedAt: Date,
): Promise<void> {
  const sealed = seal(keys, JSON.stringify(details), detailsContext(key));
  const fields = { details: sealed, version, updatedAt };
  await transaction
    .insert(cardholders)
    .values({ ...key, ...fields })
    .onConflictDoUpdate({ target: [cardholders.organizationId, cardholders.userId], set: fields });
}

/** Erases the details of one cardholder, or of all cardholders of an organization. */
export async function eraseCardholders(
  transaction: Transaction,
  { organizationId, userId }: { organizationId: string; userId?: string },
): Promise<void> {
  const { organizationId: organization, userId: user } = cardholders;
  await transaction
    .delete(cardholders)
    .where(and(eq(organization, organizationId), userId === undefined ? undefined : eq(user, userId)));
}
