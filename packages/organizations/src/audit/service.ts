import { findAuditEntry, listAuditEntries, requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import type { ListContext } from "../access.ts";
import type { ListAudit } from "./contract.ts";

export async function listAudit(ctx: ListContext, input: z.output<typeof ListAudit>) {
  await requireItem(input.after, (id) => findAuditEntry(ctx.readDb, input.id, id));
  const rows = await listAuditEntries(ctx.readDb, input.id, input.after, input.limit + 1);
  return toPage(ctx, input.limit, rows).map(({ actorId, actorName, ...entry }) => ({
    ...entry,
    actor: actorId === null ? null : { id: actorId, name: actorName ?? "" },
  }));
}
