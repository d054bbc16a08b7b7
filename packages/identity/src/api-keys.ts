import { Problem } from "@purser/core";
import type { Platform } from "@purser/platform";
import { deleteApiKey, deleteApiKeysOfUser } from "./store/api-keys.ts";
import { findUserIdByEmail } from "./store/users.ts";

/** Deletes an API key of a user. It stops working immediately. Throws API_KEY_NOT_FOUND. */
export async function revokeApiKey({ db }: Platform, id: string): Promise<void> {
  if (!(await deleteApiKey(db, id))) throw new Problem("API_KEY_NOT_FOUND");
}

/** Deletes all API keys of the user with this e-mail, and returns their number. Throws USER_NOT_FOUND. */
export async function revokeApiKeysOf({ db }: Platform, email: string): Promise<number> {
  const userId = await findUserIdByEmail(db, email.trim());
  if (userId === undefined) throw new Problem("USER_NOT_FOUND");
  return deleteApiKeysOfUser(db, userId);
}
