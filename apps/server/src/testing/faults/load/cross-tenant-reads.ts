import type { ApiRequest } from "../api-request.ts";
import type { Tenant } from "../acknowledged-state.ts";
import type { Workload } from "../load-context.ts";

/** Requests the resources of another tenant by id, as a user who is a member of none. */
export const crossTenantWorkload: Workload = (context, tenant, random) => async () => {
  const { client, state, reportViolation } = context;
  const other = random.pick(state.tenants.filter((candidate) => candidate !== tenant));
  const request = {
    ...random.pick(attemptsAt(other, random.pick(other.cards).id)),
    token: tenant.owner.token,
  };
  const { status, body } = await client.send(request);
  if (status !== 404)
    reportViolation(
      `${other.name}'s ${request.path} returned ${status} to ${tenant.name}: ${JSON.stringify(body)}`,
    );
};

function attemptsAt({ organizationId, bank, teams }: Tenant, cardId: string): Omit<ApiRequest, "token">[] {
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
