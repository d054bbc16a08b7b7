import { type Executor, apiKeys } from "@purser/db";
import { eq } from "drizzle-orm";

export async function setLastRequest(db: Executor, id: string, lastRequest: Date): Promise<void> {
  await db.update(apiKeys).set({ lastRequest }).where(eq(apiKeys.id, id));
}

export async function hasApiKey(db: Executor, userId: string): Promise<boolean> {
  const keys = db.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.referenceId, userId)).limit(1);
  return (await keys).length > 0;
}

/** Deletes an API key of a user. Returns false if there is none with this id. */
export async function deleteApiKey(db: Executor, id: string): Promise<boolean> {
  const deleted = await db.delete(apiKeys).where(eq(apiKeys.id, id)).returning({ id: apiKeys.id });
  return deleted.length > 0;
}

/** Deletes all API keys of a user, and returns their number. */
export async function deleteApiKeysOfUser(db: Executor, userId: string): Promise<number> {
  const deleted = await db
    .delete(apiKeys)
    .where(eq(apiKeys.referenceId, userId))
    .returning({ id: apiKeys.id });
  return deleted.length;
}
