import { Problem, errorText } from "@purser/core";
import { type Transaction, idempotencyKeys, isUnavailable } from "@purser/db";
import { and, gt, isNull, lt, or } from "drizzle-orm";
import type { CallerContext } from "../context.ts";
import { latestLeaseEnd, leaseEnd, leaseMs } from "../leases.ts";
import { retryWhileUnavailable } from "../retry.ts";
import { claimOf, expiry, keyColumns, rowOf, sealOutput } from "./claim.ts";
import { type KeyInOrganization, keyIn, noKey, noteOf, ours, register } from "./in-organization.ts";
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
  const leased = and(ours(claim), isNull(idempotencyKeys.output));
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
  /** Ends the lease after the commit. */
  end(): Promise<void>;
}

/**
 * The same for a transaction on the node of an organization. Of two holders, the row of the output in the shard lets only one have
 * its effect.
 */
export async function leaseKeyIn(
  ctx: CallerContext,
  organizationId: string,
  input: unknown,
): Promise<{ output: unknown } | LeaseInOrganization> {
  const claim = claimOf(ctx, input);
  if (claim === null) return { ...noKey, renew: () => Promise.resolve(), end: () => Promise.resolve() };
  const setEnd = async (leasedUntil: Date | null) =>
    void (await ctx.db.update(idempotencyKeys).set({ leasedUntil }).where(ours(claim)));
  const lapse = () => setEnd(claim.now);
  const note = { ...noteOf(ctx, organizationId, claim), leasedUntil: leaseEnd(claim.now) };
  const registered = await register(ctx, claim, note).catch((error: unknown) => {
    // The connection may have closed after the commit.
    if (isUnavailable(error)) freeLater(ctx, lapse);
    throw error;
  });
  if ("output" in registered) return registered;
  const key = keyIn(ctx, organizationId, claim, registered);
  return {
    ...key,
    renew: () => setEnd(leaseEnd(ctx.clock.now())),
    end: () => setEnd(null).catch(() => freeLater(ctx, lapse)),
    async release(failure) {
      // The transaction may have committed. A repeat finds out, as soon as the lease has lapsed.
      if (isUnavailable(failure)) freeLater(ctx, lapse);
      else await key.release(failure);
    },
  };
}

/** Frees a key when the database is available, at the latest when its lease expires, or until the process stops. */
function freeLater(ctx: CallerContext, free: () => Promise<void>): void {
  void retryWhileUnavailable(ctx, free, { timeoutMs: leaseMs }).catch((error: unknown) =>
    ctx.logger.warn(
      { reason: errorText(error) },
      "An idempotency key stays in progress until its lease expires",
    ),
  );
}

/** Releases the keys whose process has died during a provider call. */
export async function releaseLapsedKeys({ db, clock }: Pick<CallerContext, "db" | "clock">): Promise<void> {
  const now = clock.now();
  await db.delete(idempotencyKeys).where(hasLapsed(now));
  await db
    .update(idempotencyKeys)
    .set({ leasedUntil: leaseEnd(now) })
    .where(gt(idempotencyKeys.leasedUntil, latestLeaseEnd(now)));
}

/**
 * The holder of the lease has died, or cannot reach the database. Where the output is in the shard of an organization, a repeat
 * looks there first.
 */
const hasLapsed = (now: Date) =>
  and(isNull(idempotencyKeys.output), isNull(idempotencyKeys.resultIn), lt(idempotencyKeys.leasedUntil, now));
