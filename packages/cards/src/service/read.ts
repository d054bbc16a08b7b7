import { type LimitInterval, cardLimitsOf } from "@purser/core";
import type { Executor } from "@purser/db";
import { findUsers } from "@purser/identity/users";
import { findMemberIds } from "@purser/organizations";
import { listReachableMembershipsOf } from "@purser/organizations/members";
import { type Caller, callerId, isOrganizationKey, requireItem, toPage } from "@purser/platform";
import type { z } from "zod";
import type { CardsContext } from "../context.ts";
import type { ListCards, TheCard } from "../contract.ts";
import { counterNames, leastBudgetOf, spendingOf } from "../authorizations/rules/decide.ts";
import { type Windows, windowsAt } from "../authorizations/rules/windows.ts";
import type { CardStatus, IssuerName } from "../ports.ts";
import { isNearLimit, maySee, nextStatuses, refuseReveal, refuseUpdate } from "../rules.ts";
import {
  type CounterRange,
  findCard,
  findCardIn,
  findCardOfTransactionIn,
  listCardRows,
  listCounters,
} from "../store.ts";
import { visibleCard } from "./access.ts";

export async function listCards(ctx: CardsContext, input: z.output<typeof ListCards>) {
  const { organizationId, status, after, limit } = input;
  const isOwner = ctx.membership.role === "OWNER";
  const assignedToId = isOwner ? undefined : callerId(ctx.caller);
  // A card vanishes from a member's list when it gets another holder.
  if (isOwner) await requireItem(after, (id) => findCard(ctx.db, { organizationId, id }));
  const filter = { assignedToId, status, after, rows: limit + 1 };
  const cards = toPage(ctx, limit, await listCardRows(ctx.db, organizationId, filter));
  const holderIds = cards.map((card) => card.assignedToId);
  const users = await findUsers(ctx.db, holderIds);
  const spending = await spendingOfCards(ctx, organizationId, cards);
  const members = await findMemberIds(ctx.db, organizationId, holderIds);
  const abilities = await abilitiesOfIssuers(ctx, cards);
  return cards.map((card) => {
    const { assignedToId: id, issuer, ...shown } = card;
    // A deleted account has no name and no e-mail.
    const { name = null, email = "", avatarUrl = null } = users.get(id) ?? {};
    return {
      ...shown,
      assignedTo: { id, name, email, avatarUrl },
      spending: spending.get(card.id)!,
      ...cardPermissions(ctx, card, { assigneeIsMember: members.has(id), ...abilities.get(issuer) }),
    };
  });
}

/** What an issuer can do about its cards. */
interface IssuerAbilities {
  /** Whether a card may change hands. */
  rebinds: boolean;
  /** Whether the number of a card can be shown. */
  displays: boolean;
}

/** What the configured issuers of these cards can do. Loads the adapters, without a request. */
async function abilitiesOfIssuers(
  { issuers }: CardsContext,
  cards: readonly { issuer: IssuerName }[],
): Promise<ReadonlyMap<IssuerName, IssuerAbilities>> {
  const names = issuers.configured.filter((name) => cards.some(({ issuer }) => issuer === name));
  const loaded = names.map(async (name): Promise<[IssuerName, IssuerAbilities]> => {
    const { setCardholder, display } = await issuers.at(name);
    return [name, { rebinds: setCardholder !== null, displays: display !== null }];
  });
  return new Map(await Promise.all(loaded));
}

/** What the caller may change about a card now: what its use cases do not refuse. */
function cardPermissions(
  { membership, caller }: CardsContext,
  card: { assignedToId: string; status: CardStatus },
  {
    assigneeIsMember,
    rebinds = false,
    displays = false,
  }: { assigneeIsMember: boolean } & Partial<IssuerAbilities>,
) {
  const isOwner = membership.role === "OWNER";
  const canUpdate = refuseUpdate({ isOwner, status: card.status }) === null;
  return {
    nextStatuses: nextStatuses({ isOwner, from: card.status, assigneeIsMember }),
    canUpdate,
    canReassign: canUpdate && rebinds,
    canReveal: displays && refuseReveal(card, callerId(caller)) === null,
  };
}

/** The limit with the least remaining of each card, and what is used of it now, by card. */
async function spendingOfCards(
  { db, clock }: CardsContext,
  organizationId: string,
  cards: Awaited<ReturnType<typeof listCardRows>>,
) {
  const at = clock.now();
  const calendars = cards.map(({ id, timeZone, limits }) => {
    return { id, limits: cardLimitsOf(limits), timeZone, windows: windowsAt(at, timeZone) };
  });
  const ranges = calendars.flatMap(({ id: cardId, limits, windows }) =>
    limits.flatMap(({ interval }): CounterRange[] => {
      const range = counterRange(interval, windows);
      return range === null ? [] : [{ cardId, ...range }];
    }),
  );
  const counters = await listCounters(db, organizationId, ranges);
  return new Map(
    calendars.map(({ id, limits, timeZone, windows }) => {
      const spending = spendingOf({ counters: counters.get(id) ?? null, windows, at, timeZone });
      const { used, ...budget } = leastBudgetOf(limits, spending);
      return [id, { ...budget, used: used ?? 0, isNearLimit: isNearLimit(budget.limit, used) }];
    }),
  );
}

/** The counters that a limit counts; null for a limit per transaction. A year, and all time, are made of months. */
function counterRange(interval: LimitInterval, windows: Windows): Omit<CounterRange, "cardId"> | null {
  const { day, week, month, year } = windows;
  if (interval === "PER_TRANSACTION") return null;
  const name = counterNames(windows)[interval];
  if (interval === "DAILY") return { name, period: "DAY", first: day, last: day };
  if (interval === "WEEKLY") return { name, period: "WEEK", first: week, last: week };
  if (interval === "MONTHLY") return { name, period: "MONTH", first: month, last: month };
  if (interval === "YEARLY") return { name, period: "MONTH", first: year, last: `${year.slice(0, 4)}-12-01` };
  return { name, period: "MONTH", first: "-infinity", last: "infinity" };
}

export function getCard(ctx: CardsContext, input: z.output<typeof TheCard>) {
  return visibleCard(ctx, ctx.db, input);
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
  // A key of an organization holds no card.
  if (isOrganizationKey(caller)) return null;
  const memberships = await listReachableMembershipsOf(db, caller.userId);
  if (memberships.length === 0) return null;
  const card = await find(memberships.map(({ organizationId }) => organizationId));
  const membership = memberships.find(({ organizationId }) => organizationId === card?.organizationId);
  return card && membership && maySee(membership, card) ? card.organizationId : null;
}
