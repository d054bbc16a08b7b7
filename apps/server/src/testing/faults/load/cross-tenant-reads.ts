import type { Ask } from "../client.ts";
import type { Tenant } from "../ledger.ts";
import type { Role } from "../world.ts";

/** Requests the resources of another tenant by id, as a user who is a member of none. */
export const readOtherTenants: Role = (world, tenant, chance) => async () => {
  const { client, ledger, complain } = world;
  const other = chance.pick(ledger.tenants.filter((one) => one !== tenant));
  const ask = { ...chance.pick(attemptsAt(other, chance.pick(other.cards).id)), token: tenant.owner.token };
  const { status, body } = await client.ask(ask);
  if (status !== 404)
    complain(
      `${tenant.name} was answered with ${status} at ${other.name}'s ${ask.path}: ${JSON.stringify(body)}`,
    );
};

function attemptsAt({ organizationId, bank, teams }: Tenant, cardId: string): Omit<Ask, "token">[] {
  const { connectionId, accountId } = bank;
  const post = (path: string, body: object) => ({ method: "POST", path, body }) as const;
  const get = (path: string) => ({ method: "GET", path }) as const;
  return [
    get(`/api/organizations/${organizationId}`),
    get(`/api/organizations/${organizationId}/members`),
    get(`/api/organizations/${organizationId}/audit`),
    get(`/api/banking/accounts/${accountId}?teamId=${organizationId}`),
    get(`/api/banking/transactions?teamId=${organizationId}`),
    get(`/api/cards/${cardId}?organizationId=${organizationId}`),
    get(`/api/cards/transactions?organizationId=${organizationId}`),
    post("/api/banking/sync", { teamId: organizationId, connectionId }),
    { method: "PATCH", path: "/api/cards/status", body: { organizationId, cardId, status: "CLOSED" } },
    ...teams.slice(0, 1).map((team) => get(`/api/organizations/${team.organizationId}/subscription`)),
  ];
}
