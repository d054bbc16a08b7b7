import { Problem } from "@purser/core";
import { type Transaction, idempotencyKeys, idempotencyResults, isUnavailable } from "@purser/db";
import { and, eq, lt } from "drizzle-orm";
import type { CallerContext } from "../context.ts";
import { leaseEnd } from "../leases.ts";
import {
  type Claim,
  claimOf,
  expiry,
  isOfInput,
  keyColumns,
  resultColumns,
  rowOf,
  sealOutput,
  stillRunning,
  theKey,
  theResult,
} from "./claim.ts";
import { databaseOf } from "../organization-node.ts";
import { findResult, openStored, storedOrInProgress } from "./stored-output.ts";

/** A key whose output is stored in the shard of an organization, in the transaction that has the effect. */
export interface KeyInOrganization {
  /** Returns the stored output if there is one. A concurrent repeat waits here. */
  begin(transaction: Transaction): Promise<{ output: unknown } | null>;
  complete(transaction: Transaction, output: unknown, isSecret: boolean): Promise<void>;
  /** Frees the key after a failure, for any input. */
  release(failure: unknown): Promise<void>;
}

/**
 * Claims the key of this request for a transaction on the node of an organization, which cannot change the table of keys: that is
 * on the coordinator. There the key says in which organization its output is, which is committed first and decides nothing else.
 * The row of the output in the shard is what makes a repeat wait, and it commits with the effect or not at all.
 */
export async function claimKeyIn(
  ctx: CallerContext,
  organizationId: string,
  input: unknown,
  { isSensitive }: { isSensitive: boolean },
): Promise<{ output: unknown } | KeyInOrganization> {
  const claim = claimOf(ctx, input);
  if (claim === null) return noKey;
  const registered = await register(ctx, claim, noteOf(ctx, organizationId, claim, { isSensitive }));
  if ("output" in registered) return registered;
  return keyIn(ctx, organizationId, claim, { isSensitive, ...registered });
}

/** A request without a key. */
export const noKey: KeyInOrganization = {
  begin: () => Promise.resolve(null),
  complete: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

export function keyIn(
  ctx: CallerContext,
  organizationId: string,
  claim: Claim,
  { isOurs, isSensitive = false }: { isOurs: boolean; isSensitive?: boolean },
): KeyInOrganization {
  const row = { organizationId, ...rowOf(ctx, claim, { isSensitive, storedIn: organizationId }) };
  return {
    async begin(transaction) {
      const begun = await transaction
        .insert(idempotencyResults)
        .values(row)
        .onConflictDoUpdate({
          target: resultColumns,
          set: { fingerprint: row.fingerprint, output: null, createdAt: claim.now },
          setWhere: lt(idempotencyResults.createdAt, expiry(claim.now)),
        })
        .returning({ key: idempotencyResults.key })
        .catch(stillRunning);
      if (begun.length > 0) return null;
      const stored = await findResult(transaction, organizationId, claim);
      if (stored === undefined) throw new Problem("IDEMPOTENCY_IN_PROGRESS");
      return openStored(ctx, claim, stored, organizationId);
    },
    async complete(transaction, output, isSecret) {
      const stored = sealOutput(ctx, claim, output, { isSecret, storedIn: organizationId });
      await transaction
        .update(idempotencyResults)
        .set({ output: stored })
        .where(theResult(organizationId, claim));
    },
    async release(failure) {
      // The connection may have closed after the commit. A repeat finds out.
      if (!isOurs || isUnavailable(failure)) return;
      await ctx.db
        .delete(idempotencyKeys)
        .where(ours(claim))
        .catch(() => undefined);
    },
  };
}

/** A key that a repeat has taken over has another instant of creation. */
export const ours = (claim: Claim) => and(theKey(claim), eq(idempotencyKeys.createdAt, claim.now));

/** What the coordinator notes of a key: in which organization its output will be. */
interface Note extends ReturnType<typeof rowOf> {
  resultIn: string;
  /** Null if no provider is called. */
  leasedUntil: Date | null;
}

export const noteOf = (
  ctx: CallerContext,
  resultIn: string,
  claim: Claim,
  options?: { isSensitive: boolean },
): Note => ({ ...rowOf(ctx, claim, options), resultIn, leasedUntil: null });

/**
 * Notes a key on the coordinator, unless another request with the same input has done so. Returns the output if there is one
 * already. Throws IDEMPOTENCY_KEY_REUSED for another input, and IDEMPOTENCY_IN_PROGRESS.
 */
export async function register(
  ctx: CallerContext,
  claim: Claim,
  note: Note,
): Promise<{ output: unknown } | { isOurs: boolean }> {
  const { now } = claim;
  const { fingerprint, resultIn, leasedUntil, createdAt } = note;
  const set = { fingerprint, output: null, resultIn, leasedUntil, createdAt };
  const added = await ctx.db
    .insert(idempotencyKeys)
    .values(note)
    .onConflictDoUpdate({ target: keyColumns, set, setWhere: lt(idempotencyKeys.createdAt, expiry(now)) })
    .returning({ key: idempotencyKeys.key });
  if (added.length > 0) return { isOurs: true };
  const [known] = await ctx.db.select().from(idempotencyKeys).where(theKey(claim));
  // A request that failed has freed it meanwhile.
  if (known === undefined) return register(ctx, claim, note);
  // A process of an earlier version stores the output here.
  if (known.resultIn === null) return storedOrInProgress(ctx, ctx.db, claim);
  const isSame = isOfInput(ctx, claim, known.fingerprint, null);
  // The row in the shard makes it wait.
  if (isSame && leasedUntil === null) return { isOurs: false };
  const result = await findResult(await databaseOf(ctx, known.resultIn), known.resultIn, claim);
  if (result !== undefined && !isSame) throw new Problem("IDEMPOTENCY_KEY_REUSED");
  const stored = result && openStored(ctx, claim, result, known.resultIn);
  if (stored) return stored;
  // The process of the other request may have died before its commit. By now its transaction has ended, unless it takes very long.
  const heldUntil = known.leasedUntil ?? leaseEnd(known.createdAt);
  // A lease that has not lapsed is of a process that lives.
  if (now < heldUntil && known.leasedUntil !== null && !isSame) throw new Problem("IDEMPOTENCY_KEY_REUSED");
  if (now < heldUntil) throw new Problem("IDEMPOTENCY_IN_PROGRESS");
  const taken = await ctx.db
    .update(idempotencyKeys)
    .set(set)
    .where(and(theKey(claim), eq(idempotencyKeys.createdAt, known.createdAt)))
    .returning({ key: idempotencyKeys.key });
  if (taken.length === 0) throw new Problem("IDEMPOTENCY_IN_PROGRESS");
  return { isOurs: true };
}
