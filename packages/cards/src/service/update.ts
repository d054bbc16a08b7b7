import { Problem } from "@purser/core";
import type { Transaction } from "@purser/db";
import { findMembership, lockOrganization } from "@purser/organizations";
import { type Actor, type Platform, actorOf, audit, recordAudit, transact } from "@purser/platform";
import type { z } from "zod";
import type { CardsContext } from "../context.ts";
import type { UpdateCard, UpdateCardStatus } from "../contract.ts";
import { cardJobs } from "../job-definitions.ts";
import type { CardStatus } from "../ports.ts";
import { maySee, refuseStatus } from "../rules.ts";
import { type CardRow, listOpenCardsOf, lockCard, policyExists, setCard } from "../store.ts";
import { toCard } from "./read.ts";

export function updateCardStatus(ctx: CardsContext, input: z.output<typeof UpdateCardStatus>) {
  const { status, reason } = input;
  return transact(ctx, input, async (transaction) => {
    const card = await lockVisible(ctx, transaction, input);
    const assignee = await findMembership(transaction, card.organizationId, card.assignedToId);
    const isOwner = ctx.membership.role === "OWNER";
    const change = { isOwner, from: card.status, to: status, assigneeIsMember: assignee !== undefined };
    const refusal = refuseStatus(change);
    if (refusal !== null) throw new Problem(refusal);
    const { id, closedAt } = await setStatus(ctx, transaction, actorOf(ctx), card, status, reason);
    return { id, status, closedAt };
  });
}

/** Freezes the cards of a member who leaves, until an owner assigns them to another member. */
export async function freezeCardsOf(
  platform: Pick<Platform, "clock" | "outbox">,
  transaction: Transaction,
  by: Actor,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  for (const { id } of await listOpenCardsOf(transaction, organizationId, userId)) {
    const card = await lockCard(transaction, { organizationId, id });
    if (card === undefined || card.status === "CLOSED") continue;
    await setStatus(platform, transaction, by, card, "FROZEN", "The cardholder is not a member any more.");
  }
}

/** Sets a status. It holds for the next decision; the outbox updates the issuer, which may be down. */
async function setStatus(
  { clock, outbox }: Pick<Platform, "clock" | "outbox">,
  transaction: Transaction,
  by: Actor,
  card: CardRow,
  status: CardStatus,
  reason: string | undefined,
): Promise<Pick<CardRow, "id" | "closedAt">> {
  if (status === card.status) return card;
  const { organizationId, id } = card;
  const now = clock.now();
  const closedAt = status === "CLOSED" ? now : null;
  await setCard(transaction, card, { status, closedAt });
  await outbox.enqueue(transaction, cardJobs.status, { organizationId, cardId: id });
  const details = { from: card.status, to: status, ...(reason !== undefined && { reason }) };
  await recordAudit(transaction, { ...by, at: now, organizationId, subject: id, details });
  return { id, closedAt };
}

export function updateCard(ctx: CardsContext, input: z.output<typeof UpdateCard>) {
  return transact(ctx, input, async (transaction) => {
    // A member who leaves has their cards frozen under this lock, so the new assignee is a member until the commit.
    if (input.assignedToId !== undefined) await lockOrganization(transaction, input.organizationId);
    // Lock order everywhere: organization, policy, cards by id. A change of a policy locks it and waits for its
    // cards, so no transaction may hold a card and wait for a policy.
    const hasPolicy =
      input.policyId === undefined || (await policyExists(transaction, input.organizationId, input.policyId));
    const card = await lockVisible(ctx, transaction, input);
    const {
      nickname = card.nickname,
      policyId = card.policyId,
      assignedToId = card.assignedToId,
      organizationId,
    } = input;
    const from = { nickname: card.nickname, policyId: card.policyId, assignedToId: card.assignedToId };
    const to = { nickname, policyId, assignedToId };
    if (JSON.stringify(from) === JSON.stringify(to)) return toCard(card);
    if (card.status === "CLOSED") throw new Problem("CARD_CLOSED");
    if (!hasPolicy) throw new Problem("CARD_POLICY_NOT_FOUND");
    if (assignedToId !== card.assignedToId) await requireMember(transaction, organizationId, assignedToId);
    await setCard(transaction, card, to);
    await audit(ctx, transaction, { organizationId, subject: card.id, details: { from, to } });
    return toCard({ ...card, ...to });
  });
}

/** Throws MEMBERSHIP_NOT_FOUND for a user who is not a member. */
export async function requireMember(
  transaction: Transaction,
  organizationId: string,
  userId: string,
): Promise<void> {
  if (await findMembership(transaction, organizationId, userId)) return;
  throw new Problem("MEMBERSHIP_NOT_FOUND", { detail: "The assignee is not a member of the organization." });
}

async function lockVisible(
  ctx: CardsContext,
  transaction: Transaction,
  { organizationId, cardId }: { organizationId: string; cardId: string },
): Promise<CardRow> {
  const card = await lockCard(transaction, { organizationId, id: cardId });
  const isVisible = card !== undefined && card.issuedAt !== null && maySee(ctx.membership, card);
  if (!isVisible) throw new Problem("CARD_NOT_FOUND");
  return card;
}
