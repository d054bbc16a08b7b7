import { Problem } from "@purser/core";
import type { ListContext } from "@purser/organizations";
import { requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import type { CardsContext } from "../context.ts";
import { maySee } from "../rules.ts";
import { visibleCard } from "../service/read.ts";
import type { ExplainCardTransaction, ListCardTransactions } from "./contract.ts";
import { recordedDecision } from "./rules.ts";
import { findDecision, listCardTransactionRows } from "./store.ts";

export async function listCardTransactions(ctx: ListContext, input: z.output<typeof ListCardTransactions>) {
  const { limit, ...filter } = input;
  const { organizationId, cardId } = filter;
  if (cardId !== undefined) await visibleCard(ctx, ctx.readDb, { organizationId, cardId });
  await requireItem(filter.after, async (id) => {
    const found = await findDecision(ctx.readDb, organizationId, id);
    return found && maySee(ctx.membership, found) ? found : undefined;
  });
  const assignedToId = ctx.membership.role === "OWNER" ? undefined : ctx.caller.userId;
  const rows = await listCardTransactionRows(ctx.readDb, { ...filter, assignedToId }, limit + 1);
  return toPage(ctx, limit, rows);
}

export async function explainCardTransaction(
  ctx: CardsContext,
  { organizationId, transactionId }: z.output<typeof ExplainCardTransaction>,
) {
  const found = await findDecision(ctx.db, organizationId, transactionId);
  if (found === undefined || !maySee(ctx.membership, found)) throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  return recordedDecision(found.decision, found);
}
