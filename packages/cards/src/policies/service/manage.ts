import { Problem, newId, parseInput } from "@purser/core";
import { lockForOwner } from "@purser/organizations";
import { audit, requireItem, toPage, transactInOrganization } from "@purser/platform";
import { recordEvent } from "@purser/platform/events";
import type { z } from "zod";
import type { CardsContext } from "../../context.ts";
import type { CardEvent } from "../../feed-events/contract.ts";
import { type CreatePolicy, type ListPolicies, ResultingPolicy, type UpdatePolicy } from "../contract.ts";
import { type StoredPolicy, affectsDecisions, policyChanges, termsOf } from "../rules/terms.ts";
import { findPolicy, insertPolicy, listPolicyRows, lockPolicy, setPolicy } from "../store/policies.ts";

export async function listCardPolicies(ctx: CardsContext, input: z.output<typeof ListPolicies>) {
  const { organizationId, after, limit } = input;
  await requireItem(after, (id) => findPolicy(ctx.db, { organizationId, id }));
  return toPage(ctx, limit, await listPolicyRows(ctx.db, organizationId, { after, rows: limit + 1 }));
}

/** Stores a policy with its defaults: all that it does not restrict is allowed. */
export function createCardPolicy(ctx: CardsContext, input: z.output<typeof CreatePolicy>) {
  const { organizationId, name, ...draft } = input;
  return transactInOrganization(ctx, organizationId, input, async (transaction) => {
    await lockForOwner(ctx, transaction, organizationId);
    const createdAt = ctx.clock.now();
    const details = { name, ...termsOf(draft) };
    const policy = { id: newId("pol", createdAt), organizationId, ...details };
    await insertPolicy(transaction, { ...policy, createdAt });
    audit(ctx, transaction, { organizationId, subject: policy.id, details });
    await recordEvent<CardEvent>(ctx, transaction, {
      organizationId,
      type: "card_policy.created",
      subject: policy.id,
      data: policy,
    });
    return policy;
  });
}

/**
 * Changes a policy. The next purchase of each of its cards is decided by the new one, which counts what was spent before. The
 * policy that results is validated, not the patch alone.
 */
export function updateCardPolicy(ctx: CardsContext, input: z.output<typeof UpdatePolicy>) {
  const { organizationId, policyId: id, ...patch } = input;
  return transactInOrganization(ctx, organizationId, input, async (transaction) => {
    await lockForOwner(ctx, transaction, organizationId);
    const before = await lockPolicy(transaction, { organizationId, id });
    if (before === undefined) throw new Problem("CARD_POLICY_NOT_FOUND");
    const change = policyChanges(before, patch);
    const fields = Object.keys(change) as (keyof StoredPolicy)[];
    if (fields.length === 0) return before;
    const after = { ...before, ...change };
    parseInput(ResultingPolicy, after);
    await setPolicy(transaction, before, change, { isNewVersion: affectsDecisions(change) });
    const from = Object.fromEntries(fields.map((field) => [field, before[field]]));
    audit(ctx, transaction, { organizationId, subject: id, details: { from, to: change } });
    await recordEvent<CardEvent>(ctx, transaction, {
      organizationId,
      type: "card_policy.updated",
      subject: id,
      data: { ...after, before: from },
    });
    return after;
  });
}
