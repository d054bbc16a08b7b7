import { hasAnyConnection } from "@purser/banking/connections";
import { type Clock, addMs, dayMs, newId } from "@purser/core";
import type { Executor } from "@purser/db";
import { type Auth, listEmailsWithPassword } from "@purser/identity";
import { findUserIdByEmail, hasUserOtherThan } from "@purser/identity/users";
import { insertOrganization, listSomeOrganizations } from "@purser/organizations";
import { createMembership } from "@purser/organizations/members";
import { type Platform, type UserCaller, createContext, retryWhileUnavailable } from "@purser/platform";
import { type ServicePlatform, createCaller, procedureProblem } from "@purser/router";
import { type DemoCard, demoCards } from "./cards.ts";
import { setUpDemo, subscribeDemo } from "./set-up.ts";

/** The users of the demo data. All have the same password. */
export const demoPassword = "purser-demo-1";
export const demoPeople = [
  { email: "owner@demo.example", name: "Demo Owner", role: "user" },
  { email: "member@demo.example", name: "Demo Member", role: "user" },
  { email: "admin@demo.example", name: "Demo Administrator", role: "admin" },
] as const;
const demoEmails = demoPeople.map(({ email }) => email);

/**
 * Seeds an empty database if the settings allow it. Returns true if the demo users can sign in. Throws in production if one
 * can sign in with the password that everyone knows, because one of them is an administrator.
 */
export async function ensureDemo({
  platform,
  auth,
}: {
  platform: ServicePlatform;
  auth: Auth;
}): Promise<boolean> {
  const { db, settings } = platform;
  if (settings.production) await refusePublicPassword(db);
  if (!settings.seedDemo) return false;
  if (await seedDemo(platform, auth)) return true;
  return (await findUserIdByEmail(db, demoPeople[0].email)) !== undefined;
}

async function refusePublicPassword(db: Executor): Promise<void> {
  const found = await listEmailsWithPassword(db, demoEmails, demoPassword);
  if (found.length === 0) return;
  throw new Error(
    `The database has demo users, whose password is public: ${found.join(", ")}. Use an empty database, or start the service without NODE_ENV=production and change their passwords.`,
  );
}

/**
 * Fills an empty database with demo data. Returns false if the database contains other data.
 * If the process is killed before the bank is connected, the next call completes it.
 */
export async function seedDemo(platform: ServicePlatform, auth: Auth): Promise<boolean> {
  const { db } = platform;
  if (await isInUse(db)) return false;
  const [owner = "", member = ""] = await Promise.all(
    demoPeople.map((person) => ensureUser(platform, auth, person)),
  );
  const [begun] = await listSomeOrganizations(db, 1);
  const organizationId = begun ?? (await createDemoOrganization(platform, owner, member));
  if (platform.settings.sandbox) {
    const sandbox = inSandbox(platform);
    const purserAt = callerAt(sandbox, owner);
    const purser = purserAt(platform.clock);
    await setUpDemo(sandbox, purser, organizationId);
    await linkDemoBank(sandbox, purserAt, { owner, member, organizationId });
    await subscribeDemo(sandbox, purser, organizationId);
  }
  return true;
}

/** Returns true for other data, and for demo data with its bank connection. What comes after it is not repeated. */
async function isInUse(db: Executor): Promise<boolean> {
  const organizations = await listSomeOrganizations(db, 2);
  return organizations.length > 1 || (await hasAnyConnection(db)) || (await hasUserOtherThan(db, demoEmails));
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
    await createMembership(transaction, { ...membership, userId: owner, role: "OWNER", isCreator: true });
    await createMembership(transaction, { ...membership, userId: member, role: "MEMBER", isCreator: false });
  });
  return organizationId;
}

/** Returns the API in process, as the demo owner. A clock of the past gives the demo a history. */
type CallerAt = (clock: Clock) => ReturnType<typeof createCaller>;

function callerAt(platform: ServicePlatform, owner: string): CallerAt {
  const [{ email, name }] = demoPeople;
  const caller: UserCaller = {
    userId: owner,
    name,
    email,
    emailVerified: true,
    isAdministrator: false,
    credential: "bearer",
  };
  return (clock) =>
    createCaller(() => {
      const requestId = newId("req", platform.clock.now());
      const request = { requestId, caller, fromTrustedOrigin: false, idempotencyKey: null };
      return createContext({ ...platform, clock }, request);
    });
}

/** Connects the sandbox bank, waits for its transactions, and issues cards with purchases. */
async function linkDemoBank(
  platform: Platform,
  purserAt: CallerAt,
  { owner, member, organizationId }: Record<"owner" | "member" | "organizationId", string>,
) {
  const { connections, accounts } = purserAt(platform.clock).banking;
  const bank = { provider: "sandbox", providerId: "sandbox-bank", consentId: "demo" } as const;
  const { id: connectionId } = await connections.connect({ teamId: organizationId, ...bank });
  await connections.sync({ teamId: organizationId, connectionId });
  const all = await accounts.list({ teamId: organizationId });
  const fundingAccountId = all.find(({ type, currency }) => type === "CHECKING" && currency === "GBP")!.id;
  const parts = { platform, organizationId, fundingAccountId, purserAt, now: platform.clock.now() };
  await Promise.all(
    demoCards.map((plan, index) =>
      useCard({ ...parts, ...plan, assignedToId: index === 0 ? owner : member }),
    ),
  );
}

/** Longer than a decision takes on a busy machine. No card network waits for those of the demo. */
const decisionTimeoutMs = 60_000;

/** Hides every real provider, so that demo people never reach one. */
function inSandbox(platform: ServicePlatform): ServicePlatform {
  return {
    ...platform,
    decisionTimeoutMs,
    banks: { ...platform.banks, configured: ["sandbox"] },
    issuers: { ...platform.issuers, configured: ["sandbox"] },
    payments: { ...platform.payments, configured: ["local"] },
  };
}

const daysUntilClearing = 3;

/** Issues a card under its own policy and makes its purchases. The policy declines some of them. */
async function useCard(
  plan: DemoCard & {
    platform: Platform;
    organizationId: string;
    fundingAccountId: string;
    assignedToId: string;
    purserAt: CallerAt;
    now: Date;
  },
): Promise<void> {
  const { organizationId, fundingAccountId, assignedToId, nickname, purpose, purchases, now } = plan;
  const purserOn = (daysAgo: number) => {
    const at = addMs(now, -daysAgo * dayMs);
    return plan.purserAt({ now: () => at });
  };
  const { cards } = purserOn(Math.max(...purchases.map(({ daysAgo }) => daysAgo)) + 1);
  const { id: policyId } = await cards.policies.create({ organizationId, ...plan.policy });
  const holder = { organizationId, fundingAccountId, assignedToId, policyId, nickname, purpose };
  const { id: cardId } = await cards.create(holder);
  for (const { daysAgo, amount, channel, ...merchant } of purchases) {
    const network = purserOn(daysAgo).sandbox.cards;
    // A decision has a second to start, and as long for each statement.
    const authorize = () =>
      network.authorize({ cardId, amount, merchant, channel }).catch((error: unknown) => {
        throw procedureProblem(error);
      });
    const { id, status } = await retryWhileUnavailable(plan.platform, authorize, { timeoutMs: 30_000 });
    if (status === "PENDING" && daysAgo > daysUntilClearing)
      await purserOn(daysAgo - daysUntilClearing).sandbox.cards.clear({ transactionId: id });
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
