import { Problem } from "@purser/core";
import type { Executor } from "@purser/db";
import type { z } from "zod";
import { requireItem, toPage } from "../../platform/page.ts";
import type { CardsContext } from "../context.ts";
import type { ListCards, TheCard } from "../contract.ts";
import { maySee } from "../rules.ts";
import { type CardRow, findCard, listCardRows } from "../store.ts";

export async function listCards(ctx: CardsContext, input: z.output<typeof ListCards>) {
  const { organizationId, status, after, limit } = input;
  const assignedToId = ctx.membership.role === "OWNER" ? undefined : ctx.caller.userId;
  await requireItem(after, async (id) => {
    const card = await findCard(ctx.db, { organizationId, id });
    return card && maySee(ctx.membership, card) ? card : undefined;
  });
  const filter = { assignedToId, status, after, rows: limit + 1 };
  return toPage(ctx, limit, await listCardRows(ctx.db, organizationId, filter));
}

export async function getCard(ctx: CardsContext, input: z.output<typeof TheCard>) {
  return present(await visibleCard(ctx, ctx.db, input));
}

/** A card that the caller may see; to everybody else there is none. */
export async function visibleCard(
  { membership }: Pick<CardsContext, "membership">,
  db: Executor,
  { organizationId, cardId }: z.output<typeof TheCard>,
): Promise<CardRow> {
  const card = await findCard(db, { organizationId, id: cardId });
  if (card === undefined || !maySee(membership, card)) throw new Problem("CARD_NOT_FOUND");
  return card;
}

/** A card as callers see it. Only issued ones are ever shown, and they have numbers and an expiry. */
export function present(card: CardRow) {
  return {
    ...card,
    lastFour: card.lastFour!,
    expiryMonth: card.expiryMonth!,
    expiryYear: card.expiryYear!,
  };
}
