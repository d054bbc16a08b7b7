import type { Ask } from "../client.ts";
import type { Tenant } from "../ledger.ts";
import type { LoadContext, Role } from "../world.ts";

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
export const reading: Role = (world, tenant, chance) => async () => {
  const list = chance.pick(listsOf(tenant));
  const items = await readAll(world, tenant, list, { limit: chance.whole(3, 30), pages: 6 });
  expectOwn(world, tenant, list, items);
};

interface Item {
  id: string;
}

/** Reads all items of a list, or up to a number of pages. */
export async function readAll<Content extends Item>(
  { client, complain }: LoadContext,
  { owner }: Tenant,
  list: string,
  { limit = 100, pages = Infinity } = {},
): Promise<Content[]> {
  const items: Content[] = [];
  let path: string | undefined = `${list}&limit=${limit}`.replace("?&", "?");
  for (let page = 0; path !== undefined && page < pages; page += 1) {
    const ask: Ask = { method: "GET", path, token: owner.token };
    const { status, body, headers } = await client.ask(ask);
    if (status !== 200) throw new Error(`${path} was answered with ${status} ${JSON.stringify(body)}`);
    items.push(...(body as Content[]));
    const next = /<([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
    path = next && next.slice(new URL(next).origin.length);
  }
  if (new Set(items.map(({ id }) => id)).size < items.length)
    complain(`${list} lists an item on two of its pages`);
  return items;
}

/** Everything that a tenant creates contains its name, and everything that it owns contains its organization id. */
function expectOwn({ ledger, complain }: LoadContext, tenant: Tenant, where: string, content: unknown): void {
  const text = JSON.stringify(content);
  for (const other of ledger.tenants) {
    if (other !== tenant && (text.includes(`${other.name}-`) || text.includes(other.organizationId)))
      complain(`${where} shows ${tenant.name} something of ${other.name}'s`);
  }
}
