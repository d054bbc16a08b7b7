import { type Executor, type Transaction, organizations } from "@purser/db";
import { and, eq, isNull } from "drizzle-orm";

export async function findSettings(db: Executor, organizationId: string) {
  const [settings] = await db
    .select({ timeZone: organizations.timeZone })
    .from(organizations)
    .where(and(eq(organizations.id, organizationId), isNull(organizations.deletedAt)));
  return settings;
}

export async function setTimeZone(
  transaction: Transaction,
  organizationId: string,
  timeZone: string,
): Promise<void> {
  await transaction.update(organizations).set({ timeZone }).where(eq(organizations.id, organizationId));
}
