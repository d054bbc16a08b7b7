import type { Transaction } from "@purser/db";
import { findUsers } from "@purser/identity/users";
import type { Actor } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import { recordInvitationEvent } from "../feed-events/service.ts";
import type { Membership } from "../members/store.ts";
import { deleteInvitationOf } from "./store.ts";

/** Revokes the invitation of a user's address, with which the user could return. Returns its id, or undefined if none is open. */
export async function revokeInvitationOf(
  platform: EventPlatform,
  transaction: Transaction,
  actor: Actor,
  { organizationId, userId }: Pick<Membership, "organizationId" | "userId">,
): Promise<string | undefined> {
  const user = (await findUsers(transaction, [userId])).get(userId);
  if (user === undefined) return undefined;
  const email = user.email.toLowerCase();
  const revoked = await deleteInvitationOf(transaction, { organizationId, email });
  if (revoked) await recordInvitationEvent(platform, transaction, actor, "invitation.revoked", revoked);
  return revoked?.id;
}
