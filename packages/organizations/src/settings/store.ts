import { type Transaction, organizations } from "@purser/db";
import { eq } from "drizzle-orm";

export async function setTimeZone(
  transaction: Transaction,
  organizationId: string,
  timeZone: string,
): Promise<void> {
  await transaction.update(organizations).set({ timeZone }).where(eq(organizations.id, organizationId));
}
