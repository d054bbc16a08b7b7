import { Problem } from "@purser/core";
import type { Platform } from "@purser/platform";
import { revokeAdministratorRole } from "./store/users.ts";

/** Revokes the administrator role of the user with this e-mail address. Throws USER_NOT_FOUND. */
export async function revokeAdministrator({ db, clock }: Platform, email: string): Promise<void> {
  if (await revokeAdministratorRole(db, email.trim().toLowerCase(), clock.now())) return;
  throw new Problem("USER_NOT_FOUND", { detail: "There is no administrator with this e-mail." });
}
