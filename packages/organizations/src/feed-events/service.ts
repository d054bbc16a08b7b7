import type { Transaction } from "@purser/db";
import type { Actor } from "@purser/platform";
import { type EventPlatform, recordEvents } from "@purser/platform/events";
import type { z } from "zod";
import type { Invitation } from "../invitations/contract.ts";
import { type Membership, withUsers } from "../members/store.ts";
import type { OrganizationEvent } from "./contract.ts";

/** Records an event of a member, with the user's profile. The event of a removal comes before the row is deleted. */
export async function recordMemberEvent(
  platform: EventPlatform,
  transaction: Transaction,
  actor: Actor,
  type: "member.joined" | "member.role_updated" | "member.removed",
  membership: Membership,
): Promise<void> {
  const { organizationId, id: subject } = membership;
  // A user that is being deleted has no profile any more.
  const [data = membership] = await withUsers(transaction, [membership]);
  await recordEvents<OrganizationEvent>(platform, transaction, actor, [
    { organizationId, type, subject, data },
  ]);
}

export function recordInvitationEvent(
  platform: EventPlatform,
  transaction: Transaction,
  actor: Actor,
  type: "invitation.created" | "invitation.accepted" | "invitation.revoked",
  data: z.output<typeof Invitation>,
): Promise<void> {
  const { organizationId, id: subject } = data;
  return recordEvents<OrganizationEvent>(platform, transaction, actor, [
    { organizationId, type, subject, data },
  ]);
}
