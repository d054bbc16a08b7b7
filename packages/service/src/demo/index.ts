import { newId } from "@purser/core";
import type { Executor } from "@purser/db";
import { hasAnyConnection } from "@purser/banking/connections";
import type { ServicePlatform } from "@purser/router";
import type { Caller } from "@purser/platform";
import { type Platform, createContext } from "@purser/platform";
import { type DemoCard, demoCards } from "./cards.ts";
import type { Auth } from "@purser/identity";
import { findUserIdByEmail, hasUserBeside } from "@purser/identity/users";
import { insertMembership } from "@purser/organizations/members";
import { insertOrganization, listSomeOrganizations } from "@purser/organizations";
import { createCaller } from "@purser/router";

/** The sign-ins that an empty database gets outside production (contract, section 4). */
export const demoPassword = "purser-demo-1";
export const demoPeople = [
  { email: "owner@demo.example", name: "Demo Owner", role: "user" },
  { email: "member@demo.example", name: "Demo Member", role: "user" },
  { email: "admin@demo.example", name: "Demo Administrator", role: "admin" },
] as const;

/** Seeds an empty database if the settings say so. Returns whether the demo people can sign in. */
export async function ensureDemo({
  platform,
  auth,
}: {
  platform: ServicePlatform;
  auth: Auth;
}): Promise<boolean> {
  if (!platform.settings.seedDemo) return false;
  if (await seedDemo(platform, auth)) return true;
  return (await findUserIdByEmail(platform.db, demoPeople[0].email)) !== undefined;
}

/**
 * Fills an empty database with demo data; false when there is anything in it already. A start that was killed
 * while it did so is completed by the next one.
 */
export async function seedDemo(platform: ServicePlatform, auth: Auth): Promise<boolean> {
  const { db } = platform;
  if (await isInUse(db)) return false;
  const [owner = "", member = ""] = await Promise.all(
    demoPeople.map((person) => ensureUser(platform, auth, person)),
  );
  const [begun] = await listSomeOrganizations(db, 1);
  const organizationId = begun ?? (await createDemoOrganization(platform, owner, member));
  if (platform.settings.sandbox) await linkDemoBank(platform, owner, member, organizationId);
  return true;
}

/** Whether there is anything but demo data, or all of it. A bank is the last of it. */
async function isInUse(db: Executor): Promise<boolean> {
  const emails = demoPeople.map(({ email }) => email);
  const organizations = await listSomeOrganizations(db, 2);
  return organizations.length > 1 || (await hasAnyConnection(db)) || (await hasUserBeside(db, emails));
}

async function createDemoOrganization(
  { db, clock }: Platform,
  owner: string,
  member: string,
): Promise<string> {
  const createdAt = clock.now();
  const organizationId = newId("org", createdAt);
  await db.transaction(async (transaction) => {
    await insertOrganization(transaction, { id: organizationId, name: "Demo Company", createdAt });
    const place = { organizationId, createdAt };
    await insertMembership(transaction, { ...place, userId: owner, role: "OWNER", isCreator: true });
    await insertMembership(transaction, { ...place, userId: member, role: "MEMBER", isCreator: false });
  });
  return organizationId;
}

/** Links the sandbox's bank as the demo owner would, waits for its transactions, and issues cards that are used. */
async function linkDemoBank(
  platform: ServicePlatform,
  owner: string,
  member: string,
  organizationId: string,
) {
  const [{ email, name }] = demoPeople;
  const caller: Caller = {
    userId: owner,
    name,
    email,
    emailVerified: true,
    isAdministrator: false,
    credential: "bearer",
  };
  const purser = createCaller(() => {
    const requestId = newId("req", platform.clock.now());
    return createContext(platform, { requestId, caller, fromTrustedOrigin: false, idempotencyKey: null });
  });
  const { connections, accounts } = purser.banking;
  const bank = { provider: "sandbox", providerId: "sandbox-bank", consentId: "demo" } as const;
  const { id: connectionId } = await connections.connect({ teamId: organizationId, ...bank });
  await connections.sync({ teamId: organizationId, connectionId });
  const all = await accounts.list({ teamId: organizationId });
  const fundingAccountId = all.find(({ type, currency }) => type === "CHECKING" && currency === "GBP")!.id;
  const parts = { organizationId, fundingAccountId, now: platform.clock.now() };
  for (const [index, plan] of demoCards.entries()) {
    await useCard(purser, { ...parts, ...plan, assignedToId: index === 0 ? owner : member });
  }
}

/** A card follows its policy; what is beyond it is on record as declined. */
async function useCard(
  { cards, sandbox }: ReturnType<typeof createCaller>,
  plan: DemoCard & {
    organizationId: string;
    fundingAccountId: string;
    assignedToId: string;
    now: Date;
  },
): Promise<void> {
  const { organizationId, fundingAccountId, assignedToId, now, nickname, purpose, purchases } = plan;
  const { id: policyId } = await cards.policies.create({ organizationId, ...plan.policy });
  const holder = { organizationId, fundingAccountId, assignedToId, policyId, nickname, purpose };
  const { id: cardId } = await cards.create(holder);
  for (const { daysAgo, amount, channel, ...merchant } of purchases) {
    const at = new Date(now.getTime() - daysAgo * 24 * 60 * 60 * 1000);
    const { id, status } = await sandbox.cards.authorize({ cardId, amount, merchant, channel, at });
    // What is a few days old has been cleared by its merchant.
    if (status === "PENDING" && daysAgo > 3) await sandbox.cards.clear({ transactionId: id });
  }
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
