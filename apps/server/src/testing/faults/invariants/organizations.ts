import type { Tenant } from "../acknowledged-state.ts";
import { readAll } from "../load/lists.ts";
import type { LoadContext } from "../load-context.ts";

/** Every acknowledged organization, member and invitation exists exactly once, and nothing else does. */
export async function checkOrganizations(context: LoadContext, tenant: Tenant): Promise<void> {
  const { owner, organizationId, organizationName, organizations, colleague, membership } = tenant;
  const listed = await readAll<{ id: string; name: string }>(
    context,
    tenant,
    `/api/organizations?userId=${owner.userId}`,
  );
  const names = listed.map(({ name }) => name);
  const expected = [organizationName];
  for (const [name, state] of organizations)
    if (state === "created" || names.includes(name)) expected.push(name);
  compare(context, `${tenant.name}'s organizations`, names, expected);

  const members = await readAll<{ id: string; userId: string; role: string }>(
    context,
    tenant,
    `/api/organizations/${organizationId}/members?`,
  );
  const isIn = membership === "MEMBER" || membership === "OWNER";
  compare(
    context,
    `${tenant.name}'s members`,
    members.map(({ userId, role }) => `${userId} ${role}`),
    [`${owner.userId} OWNER`, ...(isIn ? [`${colleague.userId} ${membership}`] : [])],
  );

  const invitations = await readAll<{ id: string; email: string }>(
    context,
    tenant,
    `/api/organizations/${organizationId}/invitations?`,
  );
  compare(
    context,
    `${tenant.name}'s invitations`,
    invitations.map(({ email }) => email),
    membership === "invited" ? [colleague.email] : [],
  );
}

/** Reports missing and unexpected entries, including wrong numbers of duplicates. */
export function compare(context: LoadContext, list: string, found: string[], expected: string[]): void {
  const surplus = without(found, expected);
  const missing = without(expected, found);
  if (missing.length > 0) context.reportViolation(`${list} lack: ${missing.slice(0, 5).join("; ")}`);
  if (surplus.length > 0)
    context.reportViolation(`${list} have unexpectedly: ${surplus.slice(0, 5).join("; ")}`);
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
