import { Problem } from "@purser/core";
import { type Executor, users } from "@purser/db";
import type { Platform } from "@purser/platform";
import { and, asc, eq } from "drizzle-orm";

export interface Administrator {
  id: string;
  email: string;
  name: string;
}

/** Lists all administrators, ordered by e-mail address. */
export function listAdministrators(db: Executor): Promise<Administrator[]> {
  const { id, email, name } = users;
  return db.select({ id, email, name }).from(users).where(eq(users.role, "admin")).orderBy(asc(users.email));
}

/** Revokes the administrator role of the user with this e-mail address. Throws USER_NOT_FOUND. */
export async function revokeAdministrator({ db, clock }: Platform, email: string): Promise<void> {
  const revoked = await db
    .update(users)
    .set({ role: "user", updatedAt: clock.now() })
    .where(and(eq(users.email, email.trim().toLowerCase()), eq(users.role, "admin")))
    .returning({ id: users.id });
  if (revoked.length === 0)
    throw new Problem("USER_NOT_FOUND", { detail: "There is no administrator with this e-mail." });
}
