import type { TenantCard, LoadPolicy, Tenant } from "../acknowledged-state.ts";
import type { LoadContext, Workload } from "../load-context.ts";
import { mutate } from "./mutate.ts";

/** Raises limits, pauses and reactivates cards, and issues new ones. */
export const cardWorkload: Workload = (context, tenant, random) => async () => {
  const { organizationId, owner } = tenant;
  const { token } = owner;
  const { policy, id: cardId } = random.pick(tenant.cards);
  const choice = random.fraction();
  if (choice < 0.5) {
    const spendingLimit = policy.limit + 1000;
    const path = `/api/cards/policies/${policy.id}`;
    await mutate(context, { method: "PATCH", path, token, body: { organizationId, spendingLimit } });
    policy.limit = spendingLimit;
    context.state.recordAction(organizationId, "cards.policies.update");
  } else if (choice < 0.8) {
    for (const status of ["PAUSED", "ACTIVE"]) {
      await mutate(context, {
        method: "PATCH",
        path: "/api/cards/status",
        token,
        body: { organizationId, cardId, status },
      });
      context.state.recordAction(organizationId, "cards.updateStatus");
    }
  } else if (tenant.cards.length < 12) tenant.cards.push(await issueCard(context, tenant, policy));
};

export async function createLoadPolicy(
  context: LoadContext,
  { organizationId, owner: { token }, name }: Tenant,
  policy: Omit<LoadPolicy, "id">,
): Promise<LoadPolicy> {
  const body = { organizationId, name, spendingLimit: policy.limit, limitInterval: policy.interval };
  const request = { method: "POST", path: "/api/cards/policies", token, body } as const;
  const { id } = await mutate<{ id: string }>(context, request);
  context.state.recordAction(organizationId, "cards.policies.create");
  return { id, ...policy };
}

export async function issueCard(
  context: LoadContext,
  tenant: Tenant,
  policy: LoadPolicy,
): Promise<TenantCard> {
  const { organizationId, owner, bank } = tenant;
  const body = {
    organizationId,
    policyId: policy.id,
    assignedToId: owner.userId,
    fundingAccountId: bank.accountId,
    purpose: "BUSINESS",
  };
  const request = { method: "POST", path: "/api/cards", token: owner.token, body } as const;
  const { id } = await mutate<{ id: string }>(context, request);
  context.state.recordAction(organizationId, "cards.create");
  const rows = await context.processes.query<{ reference: string }>(
    (sql) => sql`SELECT issuer_reference AS reference FROM cards WHERE id = ${id}`,
  );
  return { id, policy, reference: rows[0]!.reference };
}
