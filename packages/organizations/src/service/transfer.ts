import { Problem } from "@purser/core";
import { type AddressOptions, lockUserOfAddress } from "@purser/identity/users";
import { type Platform, recordAudit, retryTransaction } from "@purser/platform";
import { recordMemberEvent } from "../feed-events/service.ts";
import { revokeInvitationOf } from "../invitations/revoke.ts";
import { createMembership } from "../members/service.ts";
import { findCreator, findMembership, setMembership } from "../members/store.ts";
import { lockOrganization } from "../store.ts";

/**
 * Makes another user the creator and an owner of an organization. The previous creator stays an owner. Revokes an
 * open invitation of the user's address. Throws ORGANIZATION_NOT_FOUND, USER_NOT_FOUND or EMAIL_NOT_VERIFIED.
 */
export function transferOrganization(
  platform: Platform,
  { organizationId, toEmail, ...options }: { organizationId: string; toEmail: string } & AddressOptions,
): Promise<void> {
  return retryTransaction(() =>
    platform.db.transaction(async (transaction) => {
      const organization = await lockOrganization(transaction, organizationId);
      if (organization === undefined) throw new Problem("ORGANIZATION_NOT_FOUND");
      const userId = await lockUserOfAddress(transaction, toEmail, options);
      const creator = await findCreator(transaction, organizationId);
      if (creator?.userId === userId) return;
      const revoked = await revokeInvitationOf(platform, transaction, null, { organizationId, userId });
      // A unique index allows one creator, so update the previous one first.
      if (creator) {
        await setMembership(transaction, creator, { isCreator: false });
        const changed = { ...creator, isCreator: false };
        await recordMemberEvent(platform, transaction, null, "member.role_updated", changed);
      }
      const successor = await findMembership(transaction, organizationId, userId);
      const creatorRole = { role: "OWNER", isCreator: true } as const;
      const at = platform.clock.now();
      if (successor) {
        await setMembership(transaction, successor, creatorRole);
        const changed = { ...successor, ...creatorRole };
        await recordMemberEvent(platform, transaction, null, "member.role_updated", changed);
      } else {
        const member = { organizationId, userId, ...creatorRole };
        const { id } = await createMembership(transaction, { ...member, createdAt: at });
        await recordMemberEvent(platform, transaction, null, "member.joined", { ...member, id });
      }
      recordAudit(transaction, {
        at,
        actor: null,
        action: "organizations.transfer",
        organizationId,
        subject: organizationId,
        details: {
          from: creator?.userId ?? null,
          to: userId,
          ...(revoked && { revoked }),
        },
      });
    }),
  );
}
