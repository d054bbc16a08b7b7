import type { RetryingClient } from "./retrying-client.ts";
import type { SignedUpUser, LoadPolicy, Tenant } from "./acknowledged-state.ts";
import { linkLoadBank } from "./load/banking.ts";
import { createLoadPolicy, issueCard } from "./load/cards.ts";
import { mutate } from "./load/mutate.ts";
import type { ApiRequest } from "./api-request.ts";
import type { LoadContext } from "./load-context.ts";

/**
 * Two tenants with the same load. No identifier of the service can contain these names, because its alphabet has no o.
 */
const names = ["north", "south"];

const policies: Omit<LoadPolicy, "id">[] = [
  { limit: 600, interval: "PER_TRANSACTION" },
  { limit: 2500, interval: "DAILY" },
  { limit: 4000, interval: "WEEKLY" },
  { limit: 6000, interval: "MONTHLY" },
];

/** Signs up the users, and gives each tenant a bank, policies and cards to start with. */
export async function createTenants(context: LoadContext): Promise<void> {
  await Promise.all(
    names.map(async (name, nth) => {
      const tenant = await openTenant(context, name, nth);
      for (const policy of policies) {
        tenant.cards.push(await issueCard(context, tenant, await createLoadPolicy(context, tenant, policy)));
      }
      context.state.tenants.push(tenant);
    }),
  );
}

async function openTenant(context: LoadContext, name: string, nth: number): Promise<Tenant> {
  const { client, state, processes } = context;
  const [owner, colleague] = await Promise.all([
    signUp(client, `${name}-owner`),
    signUp(client, `${name}-colleague`),
  ]);
  state.signUps += 2;
  const { token } = owner;
  const organizations: Tenant["organizations"] = new Map();
  let [organizationName, organizationId] = [`${name}-first`, ""];
  for (;;) {
    const request = { method: "POST", path: "/api/organizations", token, body: { name: organizationName } };
    ({ id: organizationId } = await mutate<{ id: string }>(context, request as ApiRequest));
    state.recordAction(organizationId, "organizations.create");
    // On a Citus cluster, each tenant is on another node.
    if (!processes.nodes || processes.nodes.all[nth] === (await processes.nodes.nodeOf(organizationId)))
      break;
    organizations.set(organizationName, "created");
    organizationName += "+";
  }
  const bank = { connectionId: "", consentId: `${name}-consent`, accountId: "", items: [] };
  const tenant: Tenant = {
    name,
    owner,
    colleague,
    organizationId,
    organizationName,
    membership: "none",
    organizations,
    bank,
    cards: [],
    purchases: [],
    teams: [],
  };
  await processes.nodes?.place(tenant);
  tenant.bank.connectionId = await linkLoadBank(context, tenant);
  const path = `/api/banking/accounts?teamId=${organizationId}`;
  const accounts = await client.call<Account[]>({ method: "GET", path, token });
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

/** Signs up a user with this name. */
export async function signUp(client: Pick<RetryingClient, "send">, name: string): Promise<SignedUpUser> {
  const email = `${name}@purser.test`;
  const body = { name, email, password: "correct horse battery" };
  const response = await client.send({ method: "POST", path: "/api/auth/sign-up/email", body });
  if (response.status !== 200) throw new Error(`The sign-up returned ${JSON.stringify(response.body)}`);
  const { user } = response.body as { user: { id: string } };
  return { userId: user.id, email, token: String(response.headers["set-auth-token"]) };
}
