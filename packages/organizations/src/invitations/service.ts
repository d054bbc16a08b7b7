import { Problem, addMs, dayMs, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import { findUserIdByEmail } from "@purser/identity/users";
import {
  type CallerContext,
  actorOf,
  audit,
  consumeAttempt,
  isOrganizationKey,
  toPage,
  transact,
  transactInOrganization,
  userOf,
} from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { type Mail, singleLine } from "@purser/platform/mail";
import type { z } from "zod";
import { type MemberContext, requireVerifiedAddress } from "../access.ts";
import { recordInvitationEvent, recordMemberEvent } from "../feed-events/service.ts";
import { createMembership } from "../members/service.ts";
import { findMembership } from "../members/store.ts";
import { lockForOwner } from "../service/locks.ts";
import { lockOrganization } from "../store.ts";
import type { CreateInvitation, InvitationById, ListInvitations, RevokeInvitation } from "./contract.ts";
import {
  deleteInvitation,
  deleteInvitationOf,
  findInvitation,
  insertInvitation,
  listInvitationRows,
} from "./store.ts";

export async function listInvitations(ctx: MemberContext, input: z.output<typeof ListInvitations>) {
  const rows = await listInvitationRows(ctx.db, input.organizationId, input.after, input.limit + 1);
  return toPage(ctx, input.limit, rows);
}

/** Returns the invitation to the invited person and to owners. Anyone else gets null, as for an unknown id. */
export async function getInvitation(ctx: CallerContext, input: z.output<typeof InvitationById>) {
  const invitation = await findInvitation(ctx.db, input.id);
  if (invitation === undefined || isOrganizationKey(ctx.caller)) return null;
  const { caller } = ctx;
  const match = matchInvitee(invitation.email, caller, ctx.settings.requireVerifiedEmail);
  if (match === "match") return invitation;
  const membership = await findMembership(ctx.db, invitation.organizationId, caller.userId);
  return membership?.role === "OWNER" ? invitation : null;
}

/**
 * Invites an address for 7 days, and enqueues the mail in the same transaction. An earlier invitation of the address is revoked.
 * Throws RATE_LIMITED beyond the mails that the organization may send, or the caller: in total, or to this address.
 */
export function createInvitation(ctx: MemberContext, input: z.output<typeof CreateInvitation>) {
  const { organizationId, email, role } = input;
  const caller = userOf(ctx.caller);
  const actor = actorOf(ctx);
  return transact(ctx, input, async (transaction) => {
    const { organization } = await lockForOwner(ctx, transaction, organizationId);
    requireVerifiedAddress(ctx);
    // Always looks for a membership, so the time does not reveal whether the address has an account.
    const userId = (await findUserIdByEmail(transaction, email)) ?? "";
    if (await findMembership(transaction, organizationId, userId)) throw new Problem("ALREADY_MEMBER");
    await limitInvitations(ctx, transaction, caller.userId, input);
    // The link of an earlier invitation stops working. Its event comes first, so it is recorded before the new id is made.
    const replaced = await deleteInvitationOf(transaction, { organizationId, email });
    if (replaced) await recordInvitationEvent(ctx, transaction, actor, "invitation.revoked", replaced);
    const createdAt = ctx.clock.now();
    const id = newId("inv", createdAt);
    const expiresAt = addMs(createdAt, lifetimeMs);
    await insertInvitation(transaction, { organizationId, id, email, role, createdAt, expiresAt });
    await ctx.outbox.enqueue(
      transaction,
      platformJobs.sendMail,
      invitationMail({
        to: email,
        // An earlier version accepted names with line breaks.
        organization: singleLine(organization.name),
        // Anyone can take any name, so a proven address says who it is.
        invitedBy: `${singleLine(caller.name)}${caller.emailVerified ? ` (${caller.email})` : ""}`,
        link: `${ctx.settings.appUrl}/invitations/${id}`,
        expiresAt,
      }),
    );
    const details = { email, role, ...(replaced && { replaced: replaced.id }) };
    audit(ctx, transaction, { organizationId, subject: id, details });
    const data = { organizationId, id, email, role, expiresAt };
    await recordInvitationEvent(ctx, transaction, actor, "invitation.created", data);
  });
}

const quarterHour = { windowSeconds: 15 * 60 };
const oneDay = { windowSeconds: 24 * 60 * 60 };

/**
 * Limits the mails that strangers can be sent. A recipient's limit counts per sender, so that no sender can block the
 * invitations of others.
 */
async function limitInvitations(
  { clock, meter, settings }: MemberContext,
  transaction: Transaction,
  senderId: string,
  { organizationId, email }: z.output<typeof CreateInvitation>,
): Promise<void> {
  const { authAttemptsPerAccount, invitationsPerSender, invitationsPerOrganization } = settings;
  const consume = (key: string, limit: { limit: number; windowSeconds: number }) =>
    consumeAttempt({ clock, meter, db: transaction }, key, limit);
  await consume(`invitation:${senderId}:${email}`, { limit: authAttemptsPerAccount, ...quarterHour });
  await consume(`invitations_of_sender:${senderId}`, { limit: invitationsPerSender, ...oneDay });
  const perOrganization = { limit: invitationsPerOrganization, ...oneDay };
  await consume(`invitations_of_organization:${organizationId}`, perOrganization);
}

/**
 * Makes the invited user a member. Of concurrent calls one succeeds. For a caller who is not invited it throws what does not tell
 * strangers that the invitation exists.
 */
export async function acceptInvitation(ctx: CallerContext, input: z.output<typeof InvitationById>) {
  const caller = userOf(ctx.caller);
  const actor = actorOf(ctx);
  return transact(ctx, input, async (transaction) => {
    const invitation = await findInvitation(transaction, input.id);
    if (invitation === undefined) throw new Problem("INVITATION_NOT_FOUND");
    const { organizationId, role } = invitation;
    // Serializes concurrent accepts and a concurrent revoke.
    await lockOrganization(transaction, organizationId);
    const membership = await findMembership(transaction, organizationId, caller.userId);
    const match = matchInvitee(invitation.email, caller, ctx.settings.requireVerifiedEmail);
    if (match === "no_match") throw new Problem(membership ? "FORBIDDEN" : "INVITATION_NOT_FOUND");
    if (match === "unverified") throw new Problem("EMAIL_NOT_VERIFIED");
    if (membership) throw new Problem("ALREADY_MEMBER");
    const now = ctx.clock.now();
    if (now.getTime() >= invitation.expiresAt.getTime()) throw new Problem("INVITATION_EXPIRED");
    if (!(await deleteInvitation(transaction, invitation))) throw new Problem("INVITATION_NOT_FOUND");
    const member = { organizationId, userId: caller.userId, role, isCreator: false };
    const { id } = await createMembership(transaction, { ...member, createdAt: now });
    audit(ctx, transaction, { organizationId, subject: invitation.id, details: { role } });
    await recordInvitationEvent(ctx, transaction, actor, "invitation.accepted", invitation);
    await recordMemberEvent(ctx, transaction, actor, "member.joined", { ...member, id });
    return { name: invitation.organization.name };
  });
}

/** Deletes an invitation, so that its link no longer works. Throws INVITATION_NOT_FOUND for one that was accepted meanwhile. */
export function revokeInvitation(ctx: MemberContext, input: z.output<typeof RevokeInvitation>) {
  const { organizationId } = ctx.membership;
  const actor = actorOf(ctx);
  const id = input.invitationId;
  return transactInOrganization(ctx, organizationId, input, async (transaction) => {
    await lockForOwner(ctx, transaction, organizationId, "INVITATION_NOT_FOUND");
    const revoked = await deleteInvitation(transaction, { organizationId, id });
    if (revoked === undefined) throw new Problem("INVITATION_NOT_FOUND");
    audit(ctx, transaction, { organizationId, subject: id });
    await recordInvitationEvent(ctx, transaction, actor, "invitation.revoked", revoked);
  });
}

/** An invitation lasts exactly 7 days. */
const lifetimeMs = 7 * dayMs;

/** Compares the caller with the invited address. `unverified` means that the address matches but is not proven. */
function matchInvitee(
  invitedEmail: string,
  caller: { email: string; emailVerified: boolean },
  requireVerifiedEmail: boolean,
): "match" | "unverified" | "no_match" {
  if (caller.email.toLowerCase() !== invitedEmail) return "no_match";
  return caller.emailVerified || !requireVerifiedEmail ? "match" : "unverified";
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
      "Accept the invitation here:",
      link,
      `The invitation expires on ${until} UTC. If you did not expect it, ignore this mail.`,
    ].join("\n\n"),
  };
}
