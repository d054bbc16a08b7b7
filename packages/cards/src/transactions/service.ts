import { Problem } from "@purser/core";
import type { ListContext } from "@purser/organizations";
import { type CsvLines, callerId, requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import type { CardsContext } from "../context.ts";
import { maySee } from "../rules.ts";
import { visibleCard } from "../service/access.ts";
import type { ExplainCardTransaction, ListCardTransactions } from "./contract.ts";
import { canCheck, explainEntries, toCardTransaction, withdrawnApproval } from "./rules.ts";
import {
  findCardTransaction,
  listCardTransactionLines,
  listCardTransactionRows,
  listLedgerEntries,
} from "./store.ts";

type Input = z.output<typeof ListCardTransactions>;

export async function listCardTransactions(ctx: ListContext, input: Input) {
  const rows = await listCardTransactionRows(ctx.readDb, await filterOf(ctx, input), input.limit + 1);
  return toPage(ctx, input.limit, rows);
}

/** Lists a page as lines of CSV. */
export async function exportCardTransactions(ctx: ListContext, input: Input): Promise<CsvLines> {
  const filter = await filterOf(ctx, input);
  const { text, last } = await listCardTransactionLines(ctx.readDb, filter, input.limit, ctx.csv?.signal);
  return { text, nextAfter: last };
}

/** Throws if the caller may not see the card, or if there is no item that the page follows. */
async function filterOf(ctx: ListContext, { limit: _limit, ...filter }: Input) {
  const { organizationId, cardId } = filter;
  const isOwner = ctx.membership.role === "OWNER";
  if (cardId !== undefined) await visibleCard(ctx, ctx.readDb, { organizationId, cardId });
  // Transactions vanish from a member's list when their card gets another holder.
  if (isOwner) await requireItem(filter.after, (id) => findCardTransaction(ctx.readDb, organizationId, id));
  return { ...filter, holderId: isOwner ? undefined : callerId(ctx.caller) };
}

/**
 * Derives the decision from the ledger of the transaction, so it is the one that was made, whatever the policy is now. Throws
 * CARD_TRANSACTION_NOT_FOUND for another member's.
 */
export async function explainCardTransaction(
  ctx: CardsContext,
  { organizationId, transactionId }: z.output<typeof ExplainCardTransaction>,
) {
  const found = await findCardTransaction(ctx.db, organizationId, transactionId);
  if (found === undefined || !maySee(ctx.membership, found)) throw new Problem("CARD_TRANSACTION_NOT_FOUND");
  const { channel, merchantCountry } = found;
  const entries = await listLedgerEntries(ctx.db, organizationId, transactionId);
  const decision = explainEntries(entries);
  return {
    ...decision,
    transaction: toCardTransaction(found),
    channel,
    merchantCountry,
    withdrawnApproval: withdrawnApproval(entries),
    canCheck: canCheck(decision),
  };
}
