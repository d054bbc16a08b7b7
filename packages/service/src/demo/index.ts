import { hasAnyConnection } from "@purser/banking/connections";
import { newId } from "@purser/core";
import type { Executor } from "@purser/db";
import type { Auth } from "@purser/identity";
import { findUserIdByEmail, hasUserBeside } from "@purser/identity/users";
import { insertOrganization, listSomeOrganizations } from "@purser/organizations";
import { insertMembership } from "@purser/organizations/members";
import { type Platform, type UserCaller, createContext } from "@purser/platform";
import { type ServicePlatform, createCaller } from "@purser/router";
import { type DemoCard, demoCards } from "./cards.ts";

/** The users of the demo data. All have the same password. */
export const demoPassword = "purser-demo-1";
export const demoPeople = [
  { email: "owner@demo.example", name: "Demo Owner", role: "user" },
  { email: "member@demo.example", name: "Demo Member", role: "user" },
  { email: "admin@demo.example", name: "Demo Administrator", role: "admin" },
] as const;

/** Seeds an empty database if the settings allow it. Returns true if the demo users can sign in. */
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
 * Fills an empty database with demo data. Returns false if the database contains other data.
 * If the process is killed during seeding, the next call completes it.
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

/** Returns true for other data, and for complete demo data. The bank connection is its last part. */
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
    const membership = { organizationId, createdAt };
    await insertMembership(transaction, { ...membership, userId: owner, role: "OWNER", isCreator: true });
    await insertMembership(transaction, { ...membership, userId: member, role: "MEMBER", isCreator: false });
  });
  return organizationId;
}

/** Connects the sandbox bank as the demo owner, waits for its transactions, and issues cards with purchases. */
async function linkDemoBank(
  platform: ServicePlatform,
  owner: string,
  member: string,
  organizationId: string,
) {
  const [{ email, name }] = demoPeople;
  const caller: UserCaller = {
    userId: owner,
    name,
    email,
    emailVerified: true,
    isAdministrator: false,
    credential: "bearer",
  };
  const sandbox = inSandbox(platform);
  const purser = createCaller(() => {
    const requestId = newId("req", platform.clock.now());
    return createContext(sandbox, { requestId, caller, fromTrustedOrigin: false, idempotencyKey: null });
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

/** Hides every real provider, so that none of them is asked for demo people. */
function inSandbox(platform: ServicePlatform): ServicePlatform {
  return {
    ...platform,
    banks: { ...platform.banks, configured: ["sandbox"] },
    issuers: { ...platform.issuers, configured: ["sandbox"] },
    payments: { ...platform.payments, configured: ["local"] },
  };
}

/** Issues a card under its own policy and makes its purchases. The policy declines some of them. */
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
    // A merchant clears a purchase within a few days.
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
