import type { RandomSource } from "@purser/core";
import type { Team, Tenant } from "../ledger.ts";
import type { LoadContext, Role } from "../world.ts";
import { mutate, mutateFor } from "./mutate.ts";

interface Subscription {
  id: string;
  status: "ACTIVE" | "CANCELED" | "PAST_DUE" | "UNPAID" | "INCOMPLETE";
  currentPeriodEnd: string;
  cancelAtPeriodEnd: boolean;
}

/** Buys subscriptions for new organizations, then cancels, resumes, renews and ends them. */
export const subscribing: Role = (world, tenant, chance) => async () => {
  const { teams } = tenant;
  if (teams.length === 0 || chance.happens(0.25)) return begin(world, tenant, chance);
  const team = chance.pick(teams);
  if (!team.isPaid) return pay(world, tenant, team, chance);
  const subscription = await shown(world, tenant, team);
  // The provider's webhook has not been delivered yet.
  if (subscription === null) return;
  await live(world, { tenant, team, subscription, chance });
};

async function begin(world: LoadContext, tenant: Tenant, chance: RandomSource): Promise<void> {
  const { ledger, client } = world;
  const { token } = tenant.owner;
  const name = ledger.nameFor(tenant, "team");
  const { id: teamId } = await mutate<{ id: string }>(world, {
    method: "POST",
    path: "/api/organizations",
    token,
    body: { name },
  });
  tenant.organizations.set(name, "there");
  ledger.acted(teamId, "organizations.create");
  const planId = chance.pick(["local_starter", "local_team", "local_business"]);
  const body = { teamId, planId, variantId: `${planId}_${chance.pick(["monthly", "yearly"])}` };
  const ask = { method: "POST", path: "/api/billing/checkout", token, body } as const;
  const url = await mutate<string>(world, ask);
  ledger.acted(teamId, "billing.checkout");
  if (chance.happens(0.3)) {
    const again = await client.get<string>(ask);
    if (again !== url) world.complain(`One checkout has two pages: ${url} and ${again}`);
  }
  const team = { organizationId: teamId, checkoutPath: new URL(url).pathname, isPaid: false };
  tenant.teams.push(team);
}

/** A customer pays on the provider's page, with several clicks, and usually returns to our page. */
async function pay({ client }: LoadContext, tenant: Tenant, team: Team, chance: RandomSource): Promise<void> {
  const { checkoutPath: path } = team;
  const form = { number: "4242 4242 4242 4242", expiry: "12/40", cvc: "123", name: tenant.name };
  const clicks = Array.from({ length: chance.whole(1, 2) }, () => client.ask({ method: "POST", path, form }));
  for (const { status, headers } of await Promise.all(clicks)) {
    if (status !== 303) throw new Error(`The payment was answered with ${status}`);
    if (chance.happens(0.5)) await client.get({ method: "GET", path: new URL(headers.location!).pathname });
  }
  team.isPaid = true;
}

async function shown({ client }: LoadContext, { owner }: Tenant, { organizationId }: Team) {
  const path = `/api/organizations/${organizationId}/subscription`;
  return client.get<Subscription | null>({ method: "GET", path, token: owner.token });
}

interface Life {
  tenant: Tenant;
  team: Team;
  subscription: Subscription;
  chance: RandomSource;
}

async function live(world: LoadContext, { tenant, team, subscription, chance }: Life): Promise<void> {
  const { organizationId } = team;
  const { id, status, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  const act = async (path: string, action: string, body: object) => {
    const ask = { method: "POST", path: `/api/${path}`, token: tenant.owner.token, body } as const;
    const { isFirst = true } = await mutateFor(world, ask);
    // If an attempt failed after the provider's change, the next one finds it done and writes no audit entry.
    const isCertain = isFirst || !action.startsWith("billing.");
    world.ledger.acted(organizationId, action, { isCertain });
  };
  if (chance.happens(0.3)) return notify(world, tenant, { id, organizationId }, chance.whole(1, 3));
  if (status === "CANCELED") return;
  const what = chance.fraction();
  if (what < 0.5) {
    const verb = cancelAtPeriodEnd ? "resume" : "cancel";
    await act(`billing/${verb}`, `billing.${verb}`, { id });
    const after = await shown(world, tenant, team);
    if (after?.cancelAtPeriodEnd === cancelAtPeriodEnd)
      world.complain(`${verb} of ${id} was acknowledged, and is not to be seen: ${JSON.stringify(after)}`);
  } else if (what < 0.7) {
    const card = chance.pick(["succeeds", "fails"]);
    const body = { subscriptionId: id, card };
    await act("sandbox/billing/replace-card", "sandbox.billing.replaceCard", body);
  } else {
    const body = { subscriptionId: id, to: currentPeriodEnd };
    await act("sandbox/billing/advance", "sandbox.billing.advance", body);
  }
}

/** Sends one of the provider's webhooks several times. */
async function notify(
  { client, ledger }: LoadContext,
  tenant: Tenant,
  { id: subscriptionId, organizationId }: { id: string; organizationId: string },
  times: number,
): Promise<void> {
  const id = ledger.nameFor(tenant, "event");
  const body = { id, type: "subscription.updated", data: { organizationId, subscriptionId } };
  const ask = { method: "POST", path: "/api/webhooks/billing/local", signedFor: "billing", body } as const;
  await Promise.all(Array.from({ length: times }, () => client.get(ask)));
  ledger.events.push(["billing", "local", id]);
}
