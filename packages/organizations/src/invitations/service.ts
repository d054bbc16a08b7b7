import { Problem, newId } from "@purser/core";
import type { z } from "zod";
import { consumeAttempt } from "@purser/platform";
import { findUserIdByEmail } from "@purser/identity/users";
import { toPage } from "@purser/platform";
import { audit } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { transact } from "@purser/platform";
import type { MemberContext } from "../access.ts";
import type { UserContext } from "@purser/platform";
import { insertMembership } from "../members/store.ts";
import { findMembership } from "../membership.ts";
import { lockOrganization } from "../store.ts";
import type { CreateInvitation, ListInvitations, RevokeInvitation, TheInvitation } from "./contract.ts";
import { invitationMail } from "./mail.ts";
import { expiryOf, isExpired, isInvited } from "./rules.ts";
import { findInvitation, listInvitationRows, putInvitation, takeInvitation } from "./store.ts";

export async function listInvitations(ctx: MemberContext, input: z.output<typeof ListInvitations>) {
  const rows = await listInvitationRows(ctx.db, input.organizationId, input.after, input.limit + 1);
  return toPage(ctx, input.limit, rows);
}

/** The invited person and the owners see it; to anybody else it is null, as if it had never been. */
export async function getInvitation(ctx: UserContext, input: z.output<typeof TheInvitation>) {
  const invitation = await findInvitation(ctx.db, input.id);
  if (invitation === undefined) return null;
  if (isInvited(invitation.email, ctx.caller, ctx.settings.requireVerifiedEmail) === "yes") return invitation;
  const membership = await findMembership(ctx.db, invitation.organizationId, ctx.caller.userId);
  return membership?.role === "OWNER" ? invitation : null;
}

export function createInvitation(ctx: MemberContext, input: z.output<typeof CreateInvitation>) {
  const { organizationId, email, role } = input;
  return transact(ctx, input, async (transaction) => {
    const organization = await lockOrganization(transaction, organizationId);
    if (organization === undefined) throw new Problem("ORGANIZATION_NOT_FOUND");
    const userId = await findUserIdByEmail(transaction, email);
    if (userId !== undefined && (await findMembership(transaction, organizationId, userId)))
      throw new Problem("ALREADY_MEMBER");
    // As with other mails, whoever it is that has them sent.
    const limit = { limit: ctx.settings.authAttemptsPerAccount, windowSeconds: 900 };
    await consumeAttempt({ ...ctx, db: transaction }, `invitation:${email}`, limit);
    const createdAt = ctx.clock.now();
    const id = newId("inv", createdAt);
    const expiresAt = expiryOf(createdAt);
    await putInvitation(transaction, { organizationId, id, email, role, createdAt, expiresAt });
    await ctx.outbox.enqueue(
      transaction,
      platformJobs.sendMail,
      invitationMail({
        to: email,
        organization: organization.name,
        invitedBy: ctx.caller.name,
        link: `${ctx.settings.appUrl}/invitations/${id}`,
        expiresAt,
      }),
    );
    await audit(ctx, transaction, { organizationId, subject: id, details: { email, role } });
  });
}

export function acceptInvitation(ctx: UserContext, input: z.output<typeof TheInvitation>) {
  return transact(ctx, input, async (transaction) => {
    const invitation = await findInvitation(transaction, input.id);
    if (invitation === undefined) throw new Problem("INVITATION_NOT_FOUND");
    const { organizationId, role } = invitation;
    // Of several who accept at once, or against one who revokes, the lock lets one through at a time.
    await lockOrganization(transaction, organizationId);
    const membership = await findMembership(transaction, organizationId, ctx.caller.userId);
    const invited = isInvited(invitation.email, ctx.caller, ctx.settings.requireVerifiedEmail);
    if (invited === "no") throw new Problem(membership ? "FORBIDDEN" : "INVITATION_NOT_FOUND");
    if (invited === "unverified") throw new Problem("EMAIL_NOT_VERIFIED");
    if (membership) throw new Problem("ALREADY_MEMBER");
    const now = ctx.clock.now();
    if (isExpired(invitation.expiresAt, now)) throw new Problem("INVITATION_EXPIRED");
    if (!(await takeInvitation(transaction, invitation))) throw new Problem("INVITATION_NOT_FOUND");
    await insertMembership(transaction, {
      organizationId,
      userId: ctx.caller.userId,
      role,
      isCreator: false,
      createdAt: now,
    });
    await audit(ctx, transaction, { organizationId, subject: invitation.id, details: { role } });
    return { name: invitation.organization.name };
  });
}

export function revokeInvitation(ctx: MemberContext, input: z.output<typeof RevokeInvitation>) {
  const { organizationId } = ctx.membership;
  const id = input.invitationId;
  return transact(ctx, input, async (transaction) => {
    if (!(await takeInvitation(transaction, { organizationId, id })))
      throw new Problem("INVITATION_NOT_FOUND");
    await audit(ctx, transaction, { organizationId, subject: id });
  });
}
