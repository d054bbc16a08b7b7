import { newId } from "@purser/core";
import type { z } from "zod";
import { audit } from "@purser/platform";
import { transact } from "@purser/platform";
import type { CardsContext } from "../context.ts";
import type { CreatePolicy } from "./contract.ts";
import { termsOf } from "./rules/terms.ts";
import { insertPolicy } from "./store/policies.ts";

export function createPolicy(ctx: CardsContext, input: z.output<typeof CreatePolicy>) {
  const { organizationId, name, ...given } = input;
  return transact(ctx, input, async (transaction) => {
    const createdAt = ctx.clock.now();
    const said = { name, ...termsOf(given) };
    const policy = { id: newId("pol", createdAt), organizationId, ...said };
    await insertPolicy(transaction, { ...policy, createdAt });
    await audit(ctx, transaction, { organizationId, subject: policy.id, details: said });
    return policy;
  });
}
