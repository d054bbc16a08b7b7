import type { Tenant } from "../ledger.ts";
import type { LoadContext, Role } from "../world.ts";
import { mutate } from "./mutate.ts";

/** Invites a user, accepts, changes the role and removes the member; and sends invitations that are never accepted. */
export const staffing: Role = (world, tenant, chance) => async () => {
  const { ledger } = world;
  const { organizationId, colleague, standing } = tenant;
  const done = (action: string) => ledger.acted(organizationId, `organizations.${action}`);
  if (chance.happens(0.2)) {
    const email = `${ledger.nameFor(tenant, "stranger")}@purser.test`;
    await invite(world, tenant, email);
    const path = `/api/organizations/invitations/${await invitationOf(world, tenant, email)}`;
    await mutate(world, { method: "DELETE", path, token: tenant.owner.token });
    return done("invitations.revoke");
  }
  if (standing === "stranger") {
    await invite(world, tenant, colleague.email);
    tenant.standing = "invited";
    return undefined;
  }
  if (standing === "invited") {
    const path = `/api/organizations/invitations/${await invitationOf(world, tenant, colleague.email)}/accept`;
    await mutate(world, { method: "POST", path, token: colleague.token });
    tenant.standing = "MEMBER";
    return done("invitations.accept");
  }
  const path = `/api/organizations/members/${await membershipOf(world, tenant)}`;
  const { token } = tenant.owner;
  if (chance.happens(0.4)) {
    await mutate(world, { method: "DELETE", path, token });
    tenant.standing = "stranger";
    return done("members.remove");
  }
  const role = standing === "OWNER" ? "MEMBER" : "OWNER";
  await mutate(world, { method: "PATCH", path, token, body: { role } });
  tenant.standing = role;
  return done("members.updateRole");
};

async function invite(world: LoadContext, { organizationId, owner }: Tenant, email: string): Promise<void> {
  const path = `/api/organizations/${organizationId}/invitations`;
  await mutate(world, { method: "POST", path, token: owner.token, body: { email, role: "MEMBER" } });
  world.ledger.acted(organizationId, "organizations.invitations.create");
}

async function invitationOf(
  world: LoadContext,
  { organizationId, owner }: Tenant,
  email: string,
): Promise<string> {
  const path = `/api/organizations/${organizationId}/invitations`;
  const ask = { method: "GET", path, token: owner.token } as const;
  const invitations = await world.client.get<{ id: string; email: string }[]>(ask);
  return only(invitations.filter((one) => one.email === email)).id;
}

async function membershipOf(
  world: LoadContext,
  { organizationId, owner, colleague }: Tenant,
): Promise<string> {
  const path = `/api/organizations/${organizationId}/members`;
  const ask = { method: "GET", path, token: owner.token } as const;
  const members = await world.client.get<{ id: string; userId: string }[]>(ask);
  return only(members.filter(({ userId }) => userId === colleague.userId)).id;
}

function only<Item>(items: Item[]): Item {
  if (items.length !== 1) throw new Error(`There is not one but ${items.length}: ${JSON.stringify(items)}`);
  return items[0]!;
}
