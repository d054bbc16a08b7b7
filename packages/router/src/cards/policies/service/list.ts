import type { z } from "zod";
import { requireItem, toPage } from "../../../page.ts";
import type { MemberContext } from "../../../trpc.ts";
import type { ListPolicies } from "../contract.ts";
import { findPolicy, listPolicyRows } from "../store/policies.ts";

export async function listPolicies(ctx: MemberContext, input: z.output<typeof ListPolicies>) {
  const { organizationId, after, limit } = input;
  await requireItem(after, (id) => findPolicy(ctx.db, { organizationId, id }));
  return toPage(ctx, limit, await listPolicyRows(ctx.db, organizationId, { after, rows: limit + 1 }));
}
