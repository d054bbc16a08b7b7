import { Problem } from "@purser/core";
import { type Transaction, idempotencyKeys, isUnavailable } from "@purser/db";
import { and, eq, gt, isNull, lt, or } from "drizzle-orm";
import type { CallerContext } from "../context.ts";
import { latestLeaseEnd, leaseEnd } from "../leases.ts";
import { claimOf, expiry, keyColumns, rowOf, sealOutput, theKey } from "./claim.ts";
import { freeLater } from "./free-later.ts";
import { type KeyInOrganization, endNoteAt, keyIn, noKey, noteKey } from "./in-organization.ts";
import { storedOrInProgress } from "./stored-output.ts";

/** A key that is leased during a provider call. Its row is committed before the call. */
export interface Lease {
  /** Extends the lease. Does nothing if a repeat has taken it over. */
  renew(): Promise<void>;
  /** Stores the output in the transaction that has the effect. Throws if a repeat has taken over the lease. */
  complete(transaction: Transaction, output: unknown): Promise<void>;
  /** Frees the key after a failure: at once, or in the background if the database is unavailable. */
  release(failure: unknown): Promise<void>;
}

/** Leases the key of this request before a provider call. Returns the stored output if there is one. */
export async function leaseKey(ctx: CallerContext, input: unknown): Promise<{ output: unknown } | Lease> {
  const claim = claimOf(ctx, input);
  if (claim === null) return noLease;
  const { now } = claim;
  const row = rowOf(ctx, claim);
  const leasedUntil = leaseEnd(now);
  // A lease that is taken over has another instant of creation.
  const leased = and(theKey(claim), eq(idempotencyKeys.createdAt, now), isNull(idempotencyKeys.output));
  const free = async () => void (await ctx.db.delete(idempotencyKeys).where(leased));
  const added = await ctx.db
    .insert(idempotencyKeys)
    .values({ ...row, leasedUntil })
    .onConflictDoUpdate({
      target: keyColumns,
      set: { fingerprint: row.fingerprint, output: null, resultIn: null, leasedUntil, createdAt: now },
      setWhere: or(lt(idempotencyKeys.createdAt, expiry(now)), hasLapsed(now))!,
    })
    .returning({ key: idempotencyKeys.key })
    .catch((error: unknown) => {
      // The connection may have closed after the commit.
      if (isUnavailable(error)) freeLater(ctx, free);
      throw error;
    });
  if (added.length === 0) return storedOrInProgress(ctx, ctx.db, claim);
  return {
    async renew() {
      await ctx.db
        .update(idempotencyKeys)
        .set({ leasedUntil: leaseEnd(ctx.clock.now()) })
        .where(leased);
    },
    async complete(transaction, output) {
      const updated = await transaction
        .update(idempotencyKeys)
        .set({ output: sealOutput(ctx, claim, output), leasedUntil: null })
        .where(leased)
        .returning({ key: idempotencyKeys.key });
      if (updated.length === 0) throw new Problem("IDEMPOTENCY_IN_PROGRESS");
    },
    async release(failure) {
      // The caller has already waited for a silent database.
      if (isUnavailable(failure)) freeLater(ctx, free);
      else await free().catch(() => freeLater(ctx, free));
    },
  };
}

/** The lease of a request without an idempotency key. */
const noLease: Lease = {
  renew: () => Promise.resolve(),
  complete: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

/** A lease of a key whose output is stored in the shard of an organization. */
export interface LeaseInOrganization extends KeyInOrganization {
  /** Extends the lease. Does nothing if a repeat has taken it over. */
  renew(): Promise<void>;
}

/**
 * The same for a transaction on the node of an organization. A holder whose lease has lapsed may commit too: the row of the output in
 * the shard lets one of them have its effect, and the other returns its output.
 */
export async function leaseKeyIn(
  ctx: CallerContext,
  organizationId: string,
  input: unknown,
): Promise<{ output: unknown } | LeaseInOrganization> {
  const claim = claimOf(ctx, input);
  if (claim === null) return { ...noKey, renew: () => Promise.resolve() };
  const lapse = () => endNoteAt(ctx, claim, claim.now);
  const options = { organizationId, callsProvider: true };
  const noted = await noteKey(ctx, claim, options).catch((error: unknown) => {
    // The connection may have closed after the commit.
    if (isUnavailable(error)) freeLater(ctx, lapse);
    throw error;
  });
  if ("output" in noted) return noted;
  const key = keyIn(ctx, claim, { ...options, ...noted });
  return {
    ...key,
    renew: () => endNoteAt(ctx, claim, leaseEnd(ctx.clock.now())),
    async release(failure) {
      // The transaction may have committed. A repeat finds out, as soon as the lease has lapsed.
      if (isUnavailable(failure)) freeLater(ctx, lapse);
      else await key.release(failure);
    },
  };
}

/**
 * Releases the keys whose process has died during a provider call. Those whose output is in an organization stay: a repeat looks
 * there, and takes over.
 */
export async function releaseLapsedKeys({ db, clock }: Pick<CallerContext, "db" | "clock">): Promise<void> {
  const now = clock.now();
  await db.delete(idempotencyKeys).where(hasLapsed(now));
  await db
    .update(idempotencyKeys)
    .set({ leasedUntil: leaseEnd(now) })
    .where(gt(idempotencyKeys.leasedUntil, latestLeaseEnd(now)));
}

/** The holder of the lease has died, or cannot reach the database. */
const hasLapsed = (now: Date) => and(isNull(idempotencyKeys.output), lt(idempotencyKeys.leasedUntil, now));
