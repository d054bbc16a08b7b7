import type { Client } from "./client.ts";
import type { Person, Policy, Tenant } from "./ledger.ts";
import { connect } from "./load/banking.ts";
import { createPolicy, issueCard } from "./load/cards.ts";
import { mutate } from "./load/mutate.ts";
import type { LoadContext } from "./world.ts";

/**
 * Two tenants with the same load. No identifier of the service can contain these names, because its alphabet has no o.
 */
const names = ["north", "south"];

const terms: Omit<Policy, "id">[] = [
  { limit: 600, interval: "PER_TRANSACTION" },
  { limit: 2500, interval: "DAILY" },
  { limit: 4000, interval: "WEEKLY" },
  { limit: 6000, interval: "MONTHLY" },
];

/** Signs up the users, and gives each tenant a bank, policies and cards to start with. */
export async function setOut(world: LoadContext): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const tenant = await openTenant(world, name);
      for (const term of terms) {
        tenant.cards.push(await issueCard(world, tenant, await createPolicy(world, tenant, term)));
      }
      world.ledger.tenants.push(tenant);
    }),
  );
}

async function openTenant(world: LoadContext, name: string): Promise<Tenant> {
  const { client, ledger } = world;
  const [owner, colleague] = await Promise.all([
    signUp(client, `${name}-owner`),
    signUp(client, `${name}-colleague`),
  ]);
  ledger.people += 2;
  const { token } = owner;
  const organizationName = `${name}-first`;
  const organization = await mutate<{ id: string }>(world, {
    method: "POST",
    path: "/api/organizations",
    token,
    body: { name: organizationName },
  });
  const { id: organizationId } = organization;
  ledger.acted(organizationId, "organizations.create");
  const bank = { connectionId: "", consentId: `${name}-consent`, accountId: "", items: [] };
  const tenant: Tenant = {
    name,
    owner,
    colleague,
    organizationId,
    organizationName,
    standing: "stranger",
    organizations: new Map(),
    bank,
    cards: [],
    purchases: [],
    teams: [],
  };
  tenant.bank.connectionId = await connect(world, tenant);
  const path = `/api/banking/accounts?teamId=${organizationId}`;
  const accounts = await client.get<Account[]>({ method: "GET", path, token });
  tenant.bank.accountId = accounts.find(
    ({ type, currency }) => type === "CHECKING" && currency === "GBP",
  )!.id;
  return tenant;
}

interface Account {
  id: string;
  type: string;
  currency: string;
}

async function signUp(client: Client, name: string): Promise<Person> {
  const email = `${name}@purser.test`;
  const body = { name, email, password: "correct horse battery" };
  const answer = await client.ask({ method: "POST", path: "/api/auth/sign-up/email", body });
  if (answer.status !== 200) throw new Error(`Signing up was answered with ${JSON.stringify(answer.body)}`);
  const { user } = answer.body as { user: { id: string } };
  return { userId: user.id, email, token: String(answer.headers["set-auth-token"]) };
}
