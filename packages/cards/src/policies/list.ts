import type { z } from "zod";
import { requireItem, toPage } from "@purser/platform";
import type { CardsContext } from "../context.ts";
import type { ListPolicies } from "./contract.ts";
import { findPolicy, listPolicyRows } from "./store/policies.ts";

export async function listPolicies(ctx: CardsContext, input: z.output<typeof ListPolicies>) {
  const { organizationId, after, limit } = input;
  await requireItem(after, (id) => findPolicy(ctx.db, { organizationId, id }));
  return toPage(ctx, limit, await listPolicyRows(ctx.db, organizationId, { after, rows: limit + 1 }));
}
