import type { Executor } from "@purser/db";
import { findUsers } from "@purser/identity/users";
import { listMembershipsOf } from "@purser/organizations/members";
import { type Caller, callerId, isOrganizationKey, requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import type { CardsContext } from "../context.ts";
import type { ListCards, TheCard } from "../contract.ts";
import { budgetOf, spendingOf } from "../authorizations/rules/decide.ts";
import { windowsAt } from "../authorizations/rules/windows.ts";
import { maySee } from "../rules.ts";
import {
  type CounterKey,
  findCard,
  findCardIn,
  findCardOfTransactionIn,
  listCardRows,
  listCounters,
} from "../store.ts";
import { toCard, visibleCard } from "./access.ts";

export async function listCards(ctx: CardsContext, input: z.output<typeof ListCards>) {
  const { organizationId, status, after, limit } = input;
  const assignedToId = ctx.membership.role === "OWNER" ? undefined : callerId(ctx.caller);
  await requireItem(after, async (id) => {
    const card = await findCard(ctx.db, { organizationId, id });
    return card && maySee(ctx.membership, card) ? card : undefined;
  });
  const filter = { assignedToId, status, after, rows: limit + 1 };
  const cards = toPage(ctx, limit, await listCardRows(ctx.db, organizationId, filter));
  const users = await findUsers(
    ctx.db,
    cards.map((card) => card.assignedToId),
  );
  const spending = await spendingOfCards(ctx, organizationId, cards);
  return cards.map(({ assignedToId: id, ...card }) => {
    // A deleted account has no name and no e-mail.
    const { name = null, email = "", avatarUrl = null } = users.get(id) ?? {};
    return { ...card, assignedTo: { id, name, email, avatarUrl }, spending: spending.get(card.id)! };
  });
}

/** What is used of each card's limit now, by card. */
async function spendingOfCards(
  { db, clock }: CardsContext,
  organizationId: string,
  cards: Awaited<ReturnType<typeof listCardRows>>,
) {
  const at = clock.now();
  const calendars = cards.map(({ id, timeZone, limit }) => {
    return { id, limit, timeZone, windows: windowsAt(at, timeZone) };
  });
  const keys = calendars.flatMap(({ id: cardId, windows: { day, week, month } }): CounterKey[] => [
    { cardId, period: "DAY", startsOn: day },
    { cardId, period: "WEEK", startsOn: week },
    { cardId, period: "MONTH", startsOn: month },
  ]);
  const counters = await listCounters(db, organizationId, keys);
  return new Map(
    calendars.map(({ id, limit, timeZone, windows }) => {
      const spending = spendingOf({ counters: counters.get(id) ?? null, windows, at, timeZone });
      const { used, ...budget } = budgetOf(limit, spending);
      return [id, { ...budget, used: used ?? 0 }];
    }),
  );
}

export async function getCard(ctx: CardsContext, input: z.output<typeof TheCard>) {
  return toCard(await visibleCard(ctx, ctx.db, input));
}

/** The organization of a card that this caller may see, or null. */
export function findOrganizationOfCard(db: Executor, caller: Caller, cardId: string): Promise<string | null> {
  return findOrganization(db, caller, (organizationIds) => findCardIn(db, organizationIds, cardId));
}

/** The organization of a card transaction that this caller may see, or null. */
export function findOrganizationOfTransaction(
  db: Executor,
  caller: Caller,
  transactionId: string,
): Promise<string | null> {
  return findOrganization(db, caller, (organizationIds) =>
    findCardOfTransactionIn(db, organizationIds, transactionId),
  );
}

async function findOrganization(
  db: Executor,
  caller: Caller,
  find: (
    organizationIds: string[],
  ) => Promise<{ organizationId: string; assignedToId: string | null } | undefined>,
): Promise<string | null> {
  // Nobody has assigned a card to an organization's key.
  if (isOrganizationKey(caller)) return null;
  const memberships = await listMembershipsOf(db, caller.userId);
  if (memberships.length === 0) return null;
  const card = await find(memberships.map(({ organizationId }) => organizationId));
  const membership = memberships.find(({ organizationId }) => organizationId === card?.organizationId);
  return card && membership && maySee(membership, card) ? card.organizationId : null;
}
