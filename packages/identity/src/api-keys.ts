import { Problem } from "@purser/core";
import { apiKeys } from "@purser/db";
import type { Platform } from "@purser/platform";
import { eq } from "drizzle-orm";
import { findUserIdByEmail } from "./users.ts";

/** Deletes an API key of a user. It stops working immediately. Throws API_KEY_NOT_FOUND. */
export async function revokeApiKey({ db }: Platform, id: string): Promise<void> {
  const deleted = await db.delete(apiKeys).where(eq(apiKeys.id, id)).returning({ id: apiKeys.id });
  if (deleted.length === 0) throw new Problem("API_KEY_NOT_FOUND");
}

/** Deletes all API keys of the user with this e-mail, and returns their number. Throws USER_NOT_FOUND. */
export async function revokeApiKeysOf({ db }: Platform, email: string): Promise<number> {
  const userId = await findUserIdByEmail(db, email.trim());
  if (userId === undefined) throw new Problem("USER_NOT_FOUND");
  const deleted = await db
    .delete(apiKeys)
    .where(eq(apiKeys.referenceId, userId))
    .returning({ id: apiKeys.id });
  return deleted.length;
}
