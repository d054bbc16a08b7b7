import type { Tenant } from "../acknowledged-state.ts";
import type { LoadContext, Workload } from "../load-context.ts";
import { mutate } from "./mutate.ts";

/** Invites a user, accepts, changes the role and removes the member; and sends invitations that are never accepted. */
export const memberWorkload: Workload = (context, tenant, random) => async () => {
  const { state } = context;
  const { organizationId, colleague, membership } = tenant;
  const recordAction = (action: string) => state.recordAction(organizationId, `organizations.${action}`);
  if (random.happens(0.2)) {
    const email = `${state.uniqueName(tenant, "guest")}@purser.test`;
    await invite(context, tenant, email);
    const path = `/api/organizations/invitations/${await invitationOf(context, tenant, email)}`;
    await mutate(context, { method: "DELETE", path, token: tenant.owner.token });
    return recordAction("invitations.revoke");
  }
  if (membership === "none") {
    await invite(context, tenant, colleague.email);
    tenant.membership = "invited";
    return undefined;
  }
  if (membership === "invited") {
    const path = `/api/organizations/invitations/${await invitationOf(context, tenant, colleague.email)}/accept`;
    await mutate(context, { method: "POST", path, token: colleague.token });
    tenant.membership = "MEMBER";
    return recordAction("invitations.accept");
  }
  const path = `/api/organizations/members/${await membershipOf(context, tenant)}`;
  const { token } = tenant.owner;
  if (random.happens(0.4)) {
    await mutate(context, { method: "DELETE", path, token });
    tenant.membership = "none";
    return recordAction("members.remove");
  }
  const role = membership === "OWNER" ? "MEMBER" : "OWNER";
  await mutate(context, { method: "PATCH", path, token, body: { role } });
  tenant.membership = role;
  return recordAction("members.updateRole");
};

async function invite(context: LoadContext, { organizationId, owner }: Tenant, email: string): Promise<void> {
  const path = `/api/organizations/${organizationId}/invitations`;
  await mutate(context, { method: "POST", path, token: owner.token, body: { email, role: "MEMBER" } });
  context.state.recordAction(organizationId, "organizations.invitations.create");
}

async function invitationOf(
  context: LoadContext,
  { organizationId, owner }: Tenant,
  email: string,
): Promise<string> {
  const path = `/api/organizations/${organizationId}/invitations`;
  const request = { method: "GET", path, token: owner.token } as const;
  const invitations = await context.client.call<{ id: string; email: string }[]>(request);
  return only(invitations.filter((invitation) => invitation.email === email)).id;
}

async function membershipOf(
  context: LoadContext,
  { organizationId, owner, colleague }: Tenant,
): Promise<string> {
  const path = `/api/organizations/${organizationId}/members`;
  const request = { method: "GET", path, token: owner.token } as const;
  const members = await context.client.call<{ id: string; userId: string }[]>(request);
  return only(members.filter(({ userId }) => userId === colleague.userId)).id;
}

function only<Item>(items: Item[]): Item {
  if (items.length !== 1)
    throw new Error(`Expected one item, found ${items.length}: ${JSON.stringify(items)}`);
  return items[0]!;
}
