import { Problem } from "@purser/core";
import type { ListContext } from "@purser/organizations";
import { toPage } from "@purser/platform";
import type { z } from "zod";
import { findConnection } from "../../connections/store.ts";
import type { ListSyncs } from "../contract.ts";
import { listSyncRows } from "../store/runs.ts";

export async function listSyncs(ctx: ListContext, input: z.output<typeof ListSyncs>) {
  const { teamId, connectionId, after, limit } = input;
  if (connectionId !== undefined && !(await findConnection(ctx.readDb, teamId, connectionId))) {
    throw new Problem("CONNECTION_NOT_FOUND");
  }
  return toPage(ctx, limit, await listSyncRows(ctx.readDb, teamId, { connectionId, after, rows: limit + 1 }));
}
