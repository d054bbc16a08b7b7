import type { Tenant } from "../ledger.ts";
import { readAll } from "../load/lists.ts";
import type { LoadContext } from "../world.ts";

/** Every acknowledged organization, member and invitation exists exactly once, and nothing else does. */
export async function checkOrganizations(world: LoadContext, tenant: Tenant): Promise<void> {
  const { owner, organizationId, organizationName, organizations, colleague, standing } = tenant;
  const listed = await readAll<{ id: string; name: string }>(
    world,
    tenant,
    `/api/organizations?userId=${owner.userId}`,
  );
  const names = listed.map(({ name }) => name);
  const expected = [organizationName];
  for (const [name, state] of organizations)
    if (state === "there" || names.includes(name)) expected.push(name);
  compare(world, `${tenant.name}'s organizations`, names, expected);

  const members = await readAll<{ id: string; userId: string; role: string }>(
    world,
    tenant,
    `/api/organizations/${organizationId}/members?`,
  );
  const isIn = standing === "MEMBER" || standing === "OWNER";
  compare(
    world,
    `${tenant.name}'s members`,
    members.map(({ userId, role }) => `${userId} ${role}`),
    [`${owner.userId} OWNER`, ...(isIn ? [`${colleague.userId} ${standing}`] : [])],
  );

  const invitations = await readAll<{ id: string; email: string }>(
    world,
    tenant,
    `/api/organizations/${organizationId}/invitations?`,
  );
  compare(
    world,
    `${tenant.name}'s invitations`,
    invitations.map(({ email }) => email),
    standing === "invited" ? [colleague.email] : [],
  );
}

/** Reports missing and unexpected entries, including wrong numbers of duplicates. */
export function compare(world: LoadContext, what: string, found: string[], expected: string[]): void {
  const surplus = without(found, expected);
  const missing = without(expected, found);
  if (missing.length > 0) world.complain(`Of ${what} is lost: ${missing.slice(0, 5).join("; ")}`);
  if (surplus.length > 0) world.complain(`Of ${what} is too much: ${surplus.slice(0, 5).join("; ")}`);
}

function without(items: string[], others: string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return items.filter((item) => {
    const count = left.get(item) ?? 0;
    left.set(item, count - 1);
    return count <= 0;
  });
}
