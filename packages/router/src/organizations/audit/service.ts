import type { z } from "zod";
import { requireItem, toPage } from "../../page.ts";
import type { MemberContext } from "../../trpc.ts";
import type { ListAudit } from "./contract.ts";
import { findAuditRow, listAuditRows } from "./store.ts";

export async function listAudit(ctx: MemberContext, input: z.output<typeof ListAudit>) {
  await requireItem(input.after, (id) => findAuditRow(ctx.db, input.id, id));
  const rows = await listAuditRows(ctx.db, input.id, input.after, input.limit + 1);
  return toPage(ctx, input.limit, rows).map(({ actorId, actorName, ...entry }) => ({
    ...entry,
    actor: actorId === null ? null : { id: actorId, name: actorName ?? "" },
  }));
}
