import { Problem } from "@purser/core";
import type { ListContext } from "@purser/organizations";
import { callerId, requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import { withdrawalOf } from "../authorizations/store/decision-context.ts";
import type { CardsContext } from "../context.ts";
import { maySee } from "../rules.ts";
import { visibleCard } from "../service/access.ts";
import type { ExplainCardTransaction, ListCardTransactions } from "./contract.ts";
import { explainEvents } from "./rules.ts";
import { findHolder, listCardTransactionRows, listCardEvents } from "./store.ts";

export async function listCardTransactions(ctx: ListContext, input: z.output<typeof ListCardTransactions>) {
  const { limit, ...filter } = input;
  const { organizationId, cardId } = filter;
  if (cardId !== undefined) await visibleCard(ctx, ctx.readDb, { organizationId, cardId });
  await requireItem(filter.after, async (id) => {
    const found = await findHolder(ctx.readDb, organizationId, id);
    return found && maySee(ctx.membership, found) ? found : undefined;
  });
  const holderId = ctx.membership.role === "OWNER" ? undefined : callerId(ctx.caller);
  const rows = await listCardTransactionRows(ctx.readDb, { ...filter, holderId }, limit + 1);
  return toPage(ctx, limit, rows);
}

export async function explainCardTransaction(
  ctx: CardsContext,
  { organizationId, transactionId }: z.output<typeof ExplainCardTransaction>,
) {
  const holder = await findHolder(ctx.db, organizationId, transactionId);
  if (holder === undefined || !maySee(ctx.membership, holder))
    throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  return explainEvents(await listCardEvents(ctx.db, organizationId, transactionId), withdrawalOf);
}
