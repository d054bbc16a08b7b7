import { isDeepStrictEqual } from "node:util";
import { Problem, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import {
  type CallerContext,
  audit,
  changeOrganization,
  requireAdministrator,
  toPage,
  transact,
  transactInOrganization,
  transactAfterProviderCall,
  userOf,
} from "@purser/platform";
import { recordEvent } from "@purser/platform/events";
import type { z } from "zod";
import type { MemberContext } from "../access.ts";
import type { OrganizationsContext } from "../context.ts";
import type {
  CreateOrganization,
  ListOrganizations,
  TheOrganization,
  UpdateOrganization,
} from "../contract.ts";
import type { OrganizationEvent } from "../feed-events/contract.ts";
import { createMembership } from "../members/service.ts";
import { listMembersOf, withUsers } from "../members/store.ts";
import { insertOrganization, listOrganizationsOf, markDeleted, updateOrganizationRow } from "../store.ts";
import { lockForOwner } from "./locks.ts";

/** Lists a user's organizations with all members. Throws FORBIDDEN for those of another user, except to administrators. */
export async function listOrganizations(ctx: CallerContext, input: z.output<typeof ListOrganizations>) {
  const caller = userOf(ctx.caller);
  const { userId = caller.userId } = input;
  if (userId !== caller.userId) requireAdministrator(caller);
  const rows = await listOrganizationsOf(ctx.db, userId, input.after, input.limit + 1);
  const organizations = toPage(ctx, input.limit, rows);
  if (organizations.length === 0) return [];
  const ids = organizations.map(({ id }) => id);
  const members = await withUsers(ctx.db, await listMembersOf(ctx.db, userId, ids));
  const byOrganization = Map.groupBy(members, ({ organizationId }) => organizationId);
  return organizations.flatMap((organization) => {
    const itsMembers = byOrganization.get(organization.id);
    // They have left it since.
    if (itsMembers === undefined) return [];
    return { ...organization, members: itsMembers, memberCount: itsMembers.length };
  });
}

export async function createOrganization(ctx: CallerContext, input: z.output<typeof CreateOrganization>) {
  const { userId } = userOf(ctx.caller);
  return transact(ctx, input, async (transaction) => {
    const now = ctx.clock.now();
    const organization = { id: newId("org", now), name: input.name, createdAt: now };
    await insertOrganization(transaction, organization);
    const membership = await createMembership(transaction, {
      organizationId: organization.id,
      userId,
      role: "OWNER",
      isCreator: true,
      createdAt: now,
    });
    audit(ctx, transaction, {
      organizationId: organization.id,
      subject: organization.id,
      details: { name: input.name },
    });
    return { id: organization.id, name: input.name, avatarUrl: null, memberships: [membership] };
  });
}

export function updateOrganization(ctx: MemberContext, input: z.output<typeof UpdateOrganization>) {
  return transactInOrganization(ctx, input.id, input, async (transaction) => {
    const { organization: before } = await lockForOwner(ctx, transaction, input.id);
    const { name = before.name, avatarUrl = before.avatarUrl } = input;
    const from = { name: before.name, avatarUrl: before.avatarUrl };
    const to = { name, avatarUrl };
    if (isDeepStrictEqual(from, to)) return before;
    await updateOrganizationRow(transaction, input.id, to);
    const changed = { organizationId: input.id, subject: input.id };
    audit(ctx, transaction, { ...changed, details: { from, to } });
    const data = { id: input.id, ...to };
    await recordEvent<OrganizationEvent>(ctx, transaction, {
      ...changed,
      type: "organization.updated",
      data,
    });
    return data;
  });
}

/**
 * Hides the organization from all its members, and keeps its ledgers and audit trail. Areas refuse it with ORGANIZATION_IN_USE, first
 * without a call to a provider, and once more under the lock.
 */
export function deleteOrganization(ctx: OrganizationsContext, input: z.output<typeof TheOrganization>) {
  return transactAfterProviderCall(
    ctx,
    input.id,
    input,
    async () => {
      // A reason of ours needs no request to a provider, and neither does a caller who is no longer an owner.
      await changeOrganization(ctx, input.id, async (transaction) => {
        await lockForOwner(ctx, transaction, input.id);
        await refuseInUse(ctx, transaction, input.id);
      });
      for (const { beforeDeletion } of ctx.organizationHooks) await beforeDeletion?.(input.id);
    },
    async (transaction) => {
      await lockForOwner(ctx, transaction, input.id);
      await refuseInUse(ctx, transaction, input.id);
      for (const { deleted } of ctx.organizationHooks) await deleted?.(transaction, input.id);
      await markDeleted(transaction, input.id, ctx.clock.now());
      audit(ctx, transaction, { organizationId: input.id, subject: input.id });
    },
  );
}

async function refuseInUse(
  { organizationHooks, clock }: OrganizationsContext,
  transaction: Transaction,
  organizationId: string,
): Promise<void> {
  const now = clock.now();
  for (const { blocksDeletion } of organizationHooks) {
    const detail = await blocksDeletion?.(transaction, organizationId, now);
    if (detail) throw new Problem("ORGANIZATION_IN_USE", { detail });
  }
}
