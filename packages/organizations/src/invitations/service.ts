import { Problem, newId } from "@purser/core";
import { findUserIdByEmail } from "@purser/identity/users";
import { type UserContext, audit, consumeAttempt, toPage, transact } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import type { Mail } from "@purser/platform/mail";
import type { z } from "zod";
import type { MemberContext } from "../access.ts";
import { insertMembership } from "../members/store.ts";
import { findMembership } from "../membership.ts";
import { lockOrganization } from "../store.ts";
import type { CreateInvitation, ListInvitations, RevokeInvitation, TheInvitation } from "./contract.ts";
import { findInvitation, listInvitationRows, putInvitation, takeInvitation } from "./store.ts";

export async function listInvitations(ctx: MemberContext, input: z.output<typeof ListInvitations>) {
  const rows = await listInvitationRows(ctx.db, input.organizationId, input.after, input.limit + 1);
  return toPage(ctx, input.limit, rows);
}

/** Returns the invitation to the invited person and to owners. Anyone else gets null, as for an unknown id. */
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
    // Limits invitation mails per recipient, across all organizations.
    const limit = { limit: ctx.settings.authAttemptsPerAccount, windowSeconds: 900 };
    await consumeAttempt({ ...ctx, db: transaction }, `invitation:${email}`, limit);
    const createdAt = ctx.clock.now();
    const id = newId("inv", createdAt);
    const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
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
    // Serializes concurrent accepts and a concurrent revoke.
    await lockOrganization(transaction, organizationId);
    const membership = await findMembership(transaction, organizationId, ctx.caller.userId);
    const invited = isInvited(invitation.email, ctx.caller, ctx.settings.requireVerifiedEmail);
    if (invited === "no") throw new Problem(membership ? "FORBIDDEN" : "INVITATION_NOT_FOUND");
    if (invited === "unverified") throw new Problem("EMAIL_NOT_VERIFIED");
    if (membership) throw new Problem("ALREADY_MEMBER");
    const now = ctx.clock.now();
    if (now.getTime() >= invitation.expiresAt.getTime()) throw new Problem("INVITATION_EXPIRED");
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

/** An invitation lasts exactly 7 days. */
const lifetimeMs = 7 * 24 * 60 * 60 * 1000;

/** Compares the caller with the invited address. `unverified` means that the address matches but is not proven. */
function isInvited(
  invitedEmail: string,
  caller: { email: string; emailVerified: boolean },
  requireVerifiedEmail: boolean,
): "yes" | "unverified" | "no" {
  if (caller.email.toLowerCase() !== invitedEmail) return "no";
  return caller.emailVerified || !requireVerifiedEmail ? "yes" : "unverified";
}

function invitationMail(invitation: {
  to: string;
  organization: string;
  invitedBy: string;
  link: string;
  expiresAt: Date;
}): Mail {
  const { to, organization, invitedBy, link, expiresAt } = invitation;
  const until = expiresAt.toISOString().slice(0, 16).replace("T", " ");
  return {
    to,
    subject: `Join ${organization} on Purser`,
    text: [
      `${invitedBy} invites you to join ${organization} on Purser.`,
      `Accept the invitation here:`,
      link,
      `It is good until ${until} UTC. If you did not expect it, you need not do anything.`,
    ].join("\n\n"),
  };
}
