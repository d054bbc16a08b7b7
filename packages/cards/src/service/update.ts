import { isDeepStrictEqual } from "node:util";
import { Problem } from "@purser/core";
import { findMembership, lockForMember, lockForOwner } from "@purser/organizations";
import { actOf, actorOf, audit, transactInOrganization } from "@purser/platform";
import type { z } from "zod";
import type { CardsContext } from "../context.ts";
import type { UpdateCard, UpdateCardStatus } from "../contract.ts";
import { type CardChangeType, recordCardChange } from "../feed-events/service.ts";
import { cardJobs } from "../job-definitions.ts";
import { refuseStatus, refuseUpdate } from "../rules.ts";
import { type CardRow, policyExists, setCard } from "../store.ts";
import { lockVisibleCard, requireAssignee } from "./access.ts";
import { setStatus } from "./status.ts";

export function updateCardStatus(ctx: CardsContext, input: z.output<typeof UpdateCardStatus>) {
  const { status, reason } = input;
  return transactInOrganization(ctx, input.organizationId, input, async (transaction) => {
    const { membership } = await lockForMember(ctx, transaction, input.organizationId);
    const card = await lockVisibleCard({ membership }, transaction, input);
    const assignee = await findMembership(transaction, card.organizationId, card.assignedToId);
    const isOwner = membership.role === "OWNER";
    const change = { isOwner, from: card.status, to: status, assigneeIsMember: assignee !== undefined };
    const refusal = refuseStatus(change);
    if (refusal !== null) throw new Problem(refusal);
    const { id, closedAt } = await setStatus(ctx, transaction, actOf(ctx), card, status, reason);
    return { id, status, closedAt };
  });
}

export function updateCard(ctx: CardsContext, input: z.output<typeof UpdateCard>) {
  return transactInOrganization(ctx, input.organizationId, input, async (transaction) => {
    // A member who leaves has their cards frozen under this lock, so a new assignee is a member until the commit.
    await lockForOwner(ctx, transaction, input.organizationId);
    const card = await lockVisibleCard(ctx, transaction, input);
    const {
      nickname = card.nickname,
      policyId = card.policyId,
      assignedToId = card.assignedToId,
      organizationId,
    } = input;
    const from = { nickname: card.nickname, policyId: card.policyId, assignedToId: card.assignedToId };
    const to = { nickname, policyId, assignedToId };
    if (isDeepStrictEqual(from, to)) return card;
    if (policyId !== card.policyId && !(await policyExists(transaction, organizationId, policyId)))
      throw new Problem("CARD_POLICY_NOT_FOUND");
    const isReassigned = assignedToId !== card.assignedToId;
    if (isReassigned) await requireAssignee(transaction, organizationId, assignedToId);
    const refusal = refuseUpdate({ isOwner: true, status: card.status });
    if (refusal !== null) throw new Problem(refusal);
    if (isReassigned) await requireReassignable(ctx, card);
    // The first holder's transactions name none, all later ones name theirs.
    const firstHolderId = isReassigned ? (card.firstHolderId ?? card.assignedToId) : card.firstHolderId;
    const assignedAt = isReassigned ? ctx.clock.now() : card.assignedAt;
    await setCard(transaction, card, { ...to, firstHolderId, assignedAt });
    if (isReassigned)
      await ctx.outbox.enqueue(transaction, cardJobs.setCardholder, { organizationId, cardId: card.id });
    audit(ctx, transaction, { organizationId, subject: card.id, details: { from, to } });
    const after = { ...card, ...to };
    const isEdited = nickname !== card.nickname || policyId !== card.policyId;
    const types: CardChangeType[] = isEdited ? ["card.updated"] : [];
    if (isReassigned) types.push("card.assigned");
    await recordCardChange(ctx, transaction, actorOf(ctx), types, after);
    return after;
  });
}

/** Requires that the card's issuer lets a card change hands. */
async function requireReassignable({ issuers }: CardsContext, { issuer }: CardRow): Promise<void> {
  // Loads the adapter, without a request.
  const { setCardholder } = await issuers.at(issuer);
  if (setCardholder !== null) return;
  const detail = "The issuer binds a card to one person. Close this card, and issue another one.";
  throw new Problem("NOT_SUPPORTED_BY_PROVIDER", { detail });
}
