import { Problem, newId, invalidField } from "@purser/core";
import type { Transaction } from "@purser/db";
import { type Platform, audit, requireItem, toPage, transactInOrganization } from "@purser/platform";
import { recordEvent } from "@purser/platform/events";
import type { z } from "zod";
import { type MemberContext, requireVerifiedAddress } from "../access.ts";
import type { OrganizationEvent } from "../feed-events/contract.ts";
import { lockForOwner } from "../service/locks.ts";
import type {
  CreateOrganizationKey,
  ListOrganizationKeys,
  OrganizationKey,
  TheOrganizationKey,
} from "./contract.ts";
import { newKeySecret } from "./resolve.ts";
import { countLiveKeys, findKeyIn, insertKey, listKeyRows, revokeKeyRow } from "./store.ts";

/** Each key has a request limit of its own, so their number is limited too. */
const maxLiveKeys = 100;

export async function listOrganizationKeys(ctx: MemberContext, input: z.output<typeof ListOrganizationKeys>) {
  const { organizationId, after, limit } = input;
  await requireItem(after, (id) => findKeyIn(ctx.db, { organizationId, id }));
  return toPage(ctx, limit, await listKeyRows(ctx.db, organizationId, after, limit + 1));
}

/** Throws VALIDATION_FAILED for a key that would have expired already. */
export function requireFutureExpiry(
  { clock }: Pick<Platform, "clock">,
  { expiresAt }: { expiresAt?: Date | null | undefined },
): void {
  if (expiresAt && expiresAt <= clock.now()) throw invalidField("expiresAt", "Must be in the future");
}

/** Creates a key and returns its only copy. A repeat with the same idempotency key is refused, as no copy is stored. */
export function createOrganizationKey(ctx: MemberContext, input: z.output<typeof CreateOrganizationKey>) {
  const { organizationId, name, access, expiresAt = null } = input;
  const create = async (transaction: Transaction) => {
    await lockForOwner(ctx, transaction, organizationId);
    requireVerifiedAddress(ctx);
    const createdAt = ctx.clock.now();
    if ((await countLiveKeys(transaction, organizationId, createdAt)) >= maxLiveKeys)
      throw new Problem("TOO_MANY_KEYS");
    const { key, start, hash } = newKeySecret();
    const id = newId("key", createdAt);
    const row = { organizationId, id, name, access, start, createdAt, expiresAt };
    await insertKey(transaction, { ...row, hash });
    const details = { name, access, expiresAt: expiresAt?.toISOString() ?? null };
    audit(ctx, transaction, { organizationId, subject: id, details });
    const data = { ...row, lastUsedAt: null, revokedAt: null };
    await recordKeyEvent(ctx, transaction, "api_key.created", data);
    return { ...data, key };
  };
  return transactInOrganization(ctx, organizationId, input, create, { isSecret: true });
}

/** Refuses the key from the commit on. A repetition records nothing. */
export function revokeOrganizationKey(ctx: MemberContext, input: z.output<typeof TheOrganizationKey>) {
  const { organizationId } = ctx.membership;
  return transactInOrganization(ctx, organizationId, input, async (transaction) => {
    await lockForOwner(ctx, transaction, organizationId, "API_KEY_NOT_FOUND");
    const revoked = await revokeKeyRow(transaction, { organizationId, id: input.id }, ctx.clock.now());
    if (revoked === undefined) return;
    audit(ctx, transaction, { organizationId, subject: input.id });
    await recordKeyEvent(ctx, transaction, "api_key.revoked", revoked);
  });
}

function recordKeyEvent(
  ctx: MemberContext,
  transaction: Transaction,
  type: "api_key.created" | "api_key.revoked",
  data: z.output<typeof OrganizationKey>,
): Promise<void> {
  const { organizationId, id: subject } = data;
  return recordEvent<OrganizationEvent>(ctx, transaction, { organizationId, type, subject, data });
}
