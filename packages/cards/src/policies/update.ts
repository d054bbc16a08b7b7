import { Problem, validationFailed } from "@purser/core";
import type { z } from "zod";
import { audit } from "@purser/platform";
import { transact } from "@purser/platform";
import type { CardsContext } from "../context.ts";
import { type UpdatePolicy, beginsBeforeItEnds, endsBeforeItBegins } from "./contract.ts";
import { type Policy, affectsDecisions, changesOf } from "./rules/terms.ts";
import { lockPolicy, setPolicy, touchFollowers } from "./store/policies.ts";

export function updatePolicy(ctx: CardsContext, input: z.output<typeof UpdatePolicy>) {
  const { organizationId, policyId: id, ...patch } = input;
  return transact(ctx, input, async (transaction) => {
    const before = await lockPolicy(transaction, { organizationId, id });
    if (before === undefined) throw new Problem("CARD_POLICY_NOT_FOUND");
    const change = changesOf(before, patch);
    const fields = Object.keys(change) as (keyof Policy)[];
    if (fields.length === 0) return before;
    const after = { ...before, ...change };
    if (!beginsBeforeItEnds(after)) {
      const { path, error: message } = endsBeforeItBegins;
      throw validationFailed([{ path, code: "custom", message }]);
    }
    await setPolicy(transaction, before, change);
    if (affectsDecisions(change)) await touchFollowers(transaction, before);
    const from = Object.fromEntries(fields.map((field) => [field, before[field]]));
    await audit(ctx, transaction, { organizationId, subject: id, details: { from, to: change } });
    return after;
  });
}
