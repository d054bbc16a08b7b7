import { newId } from "@purser/core";
import { type Executor, organizations, users } from "@purser/db";
import { notInArray } from "drizzle-orm";
import type { Platform } from "./context.ts";
import type { Auth } from "./identity/index.ts";
import { insertMembership } from "./organizations/members/store.ts";
import { findUserIdByEmail, insertOrganization } from "./organizations/store.ts";

/** The sign-ins that an empty database gets outside production (contract, section 4). */
export const demoPassword = "purser-demo-1";
export const demoPeople = [
  { email: "owner@demo.example", name: "Demo Owner", role: "user" },
  { email: "member@demo.example", name: "Demo Member", role: "user" },
  { email: "admin@demo.example", name: "Demo Administrator", role: "admin" },
] as const;

/**
 * Fills an empty database with demo data; false when there is anything in it already. A start that was killed
 * while it did so is completed by the next one.
 */
export async function seedDemo(platform: Platform, auth: Auth): Promise<boolean> {
  if (await isInUse(platform.db)) return false;
  const [owner, member] = await Promise.all(demoPeople.map((person) => ensureUser(platform, auth, person)));
  await platform.db.transaction(async (transaction) => {
    const createdAt = platform.clock.now();
    const organizationId = newId("org", createdAt);
    await insertOrganization(transaction, { id: organizationId, name: "Demo Company", createdAt });
    const place = { organizationId, createdAt };
    await insertMembership(transaction, { ...place, userId: owner!, role: "OWNER", isCreator: true });
    await insertMembership(transaction, { ...place, userId: member!, role: "MEMBER", isCreator: false });
  });
  return true;
}

async function isInUse(db: Executor): Promise<boolean> {
  const some = await db.select({ id: organizations.id }).from(organizations).limit(1);
  const emails = demoPeople.map(({ email }) => email);
  const strangers = await db
    .select({ id: users.id })
    .from(users)
    .where(notInArray(users.email, emails))
    .limit(1);
  return some.length > 0 || strangers.length > 0;
}

async function ensureUser(
  { db }: Platform,
  auth: Auth,
  person: (typeof demoPeople)[number],
): Promise<string> {
  const existing = await findUserIdByEmail(db, person.email);
  if (existing !== undefined) return existing;
  const { id } = await auth.createUser({ ...person, password: demoPassword, emailVerified: true });
  return id;
}
