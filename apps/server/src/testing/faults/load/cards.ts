import type { HeldCard, Policy, Tenant } from "../ledger.ts";
import type { LoadContext, Role } from "../world.ts";
import { mutate } from "./mutate.ts";

/** Raises limits, pauses and reactivates cards, and issues new ones. */
export const issuing: Role = (world, tenant, chance) => async () => {
  const { organizationId, owner } = tenant;
  const { token } = owner;
  const { policy, id: cardId } = chance.pick(tenant.cards);
  const what = chance.fraction();
  if (what < 0.5) {
    const spendingLimit = policy.limit + 1000;
    const path = `/api/cards/policies/${policy.id}`;
    await mutate(world, { method: "PATCH", path, token, body: { organizationId, spendingLimit } });
    policy.limit = spendingLimit;
    world.ledger.acted(organizationId, "cards.policies.update");
  } else if (what < 0.8) {
    for (const status of ["PAUSED", "ACTIVE"]) {
      await mutate(world, {
        method: "PATCH",
        path: "/api/cards/status",
        token,
        body: { organizationId, cardId, status },
      });
      world.ledger.acted(organizationId, "cards.updateStatus");
    }
  } else if (tenant.cards.length < 12) tenant.cards.push(await issueCard(world, tenant, policy));
};

export async function createPolicy(
  world: LoadContext,
  { organizationId, owner: { token }, name }: Tenant,
  terms: Omit<Policy, "id">,
): Promise<Policy> {
  const body = { organizationId, name, spendingLimit: terms.limit, limitInterval: terms.interval };
  const ask = { method: "POST", path: "/api/cards/policies", token, body } as const;
  const { id } = await mutate<{ id: string }>(world, ask);
  world.ledger.acted(organizationId, "cards.policies.create");
  return { id, ...terms };
}

export async function issueCard(world: LoadContext, tenant: Tenant, policy: Policy): Promise<HeldCard> {
  const { organizationId, owner, bank } = tenant;
  const body = {
    organizationId,
    policyId: policy.id,
    assignedToId: owner.userId,
    fundingAccountId: bank.accountId,
    purpose: "BUSINESS",
  };
  const ask = { method: "POST", path: "/api/cards", token: owner.token, body } as const;
  const { id } = await mutate<{ id: string }>(world, ask);
  world.ledger.acted(organizationId, "cards.create");
  const rows = await world.processes.look<{ reference: string }>(
    (sql) => sql`SELECT issuer_reference AS reference FROM cards WHERE id = ${id}`,
  );
  return { id, policy, reference: rows[0]!.reference };
}
