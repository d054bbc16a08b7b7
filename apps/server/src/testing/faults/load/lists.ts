import type { ApiRequest } from "../api-request.ts";
import type { Tenant } from "../acknowledged-state.ts";
import type { LoadContext, Workload } from "../load-context.ts";

/** The list URLs of a tenant, to which a query is appended. */
const listsOf = ({ organizationId: id, owner }: Tenant) => [
  `/api/organizations?userId=${owner.userId}`,
  `/api/organizations/${id}/members?`,
  `/api/organizations/${id}/invitations?`,
  `/api/organizations/${id}/audit?`,
  `/api/banking/connections?teamId=${id}`,
  `/api/banking/accounts?teamId=${id}`,
  `/api/banking/transactions?teamId=${id}`,
  `/api/banking/syncs?teamId=${id}`,
  `/api/cards?organizationId=${id}`,
  `/api/cards/policies?organizationId=${id}`,
  `/api/cards/transactions?organizationId=${id}`,
];

/** Reads lists page by page, and checks for duplicates and for items of other tenants. */
export const listWorkload: Workload = (context, tenant, random) => async () => {
  const list = random.pick(listsOf(tenant));
  const items = await readAll(context, tenant, list, { limit: random.whole(3, 30), pages: 6 });
  expectOwn(context, tenant, list, items);
};

interface Item {
  id: string;
}

/** Reads all items of a list, or up to a number of pages. */
export async function readAll<Content extends Item>(
  { client, reportViolation }: LoadContext,
  { owner }: Tenant,
  list: string,
  { limit = 100, pages = Infinity } = {},
): Promise<Content[]> {
  const items: Content[] = [];
  let path: string | undefined = `${list}&limit=${limit}`.replace("?&", "?");
  for (let page = 0; path !== undefined && page < pages; page += 1) {
    const request: ApiRequest = { method: "GET", path, token: owner.token };
    const { status, body, headers } = await client.send(request);
    if (status !== 200) throw new Error(`${path} returned ${status} ${JSON.stringify(body)}`);
    items.push(...(body as Content[]));
    const next = /<([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
    path = next && next.slice(new URL(next).origin.length);
  }
  if (new Set(items.map(({ id }) => id)).size < items.length)
    reportViolation(`${list} lists an item on two pages`);
  return items;
}

/** All data of a tenant contains its name or its organization id, so another tenant's response must contain neither. */
function expectOwn(
  { state, reportViolation }: LoadContext,
  tenant: Tenant,
  list: string,
  items: unknown,
): void {
  const text = JSON.stringify(items);
  for (const other of state.tenants) {
    if (other !== tenant && (text.includes(`${other.name}-`) || text.includes(other.organizationId)))
      reportViolation(`${list} shows data of ${other.name} to ${tenant.name}`);
  }
}
