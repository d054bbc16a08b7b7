import { Problem } from "@purser/core";
import { type Transaction, idempotencyKeys, idempotencyResults, isUnavailable } from "@purser/db";
import { and, eq, isNull, lt } from "drizzle-orm";
import type { CallerContext } from "../context.ts";
import { latestLeaseEnd, leaseEnd } from "../leases.ts";
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
import { changeOrganization, databaseOf } from "../organization-node.ts";
import { freeLater } from "./free-later.ts";
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
 * on the coordinator. There a note says in which organization the output is, and until when the request holds the key: it is
 * committed first. The row of the output in the shard is what makes a repeat wait, and it commits with the effect or not at all.
 */
export async function claimKeyIn(
  ctx: CallerContext,
  organizationId: string,
  input: unknown,
  { isSensitive }: { isSensitive: boolean },
): Promise<{ output: unknown } | KeyInOrganization> {
  const claim = claimOf(ctx, input);
  if (claim === null) return noKey;
  const options = { organizationId, isSensitive, callsProvider: false };
  const noted = await noteKey(ctx, claim, options);
  return "output" in noted ? noted : keyIn(ctx, claim, { ...options, ...noted });
}

/** A request without a key. */
export const noKey: KeyInOrganization = {
  begin: () => Promise.resolve(null),
  complete: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

interface NoteOptions {
  organizationId: string;
  isSensitive?: boolean;
  /** A repeat is refused during the call, instead of waiting. */
  callsProvider: boolean;
}

export function keyIn(
  ctx: CallerContext,
  claim: Claim,
  { organizationId, isSensitive, isOurs }: NoteOptions & { isOurs: boolean },
): KeyInOrganization {
  const row = resultRow(ctx, claim, organizationId, isSensitive);
  return {
    async begin(transaction) {
      if (await insertResult(transaction, row, claim)) return null;
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
      const free = () => endNoteAt(ctx, claim, claim.now);
      await free().catch(() => freeLater(ctx, free));
    },
  };
}

const resultRow = (ctx: CallerContext, claim: Claim, organizationId: string, isSensitive = false) => ({
  organizationId,
  ...rowOf(ctx, claim, { isSensitive, storedIn: organizationId }),
});

/** Inserts the row of an output. Returns false if there is one, after waiting for the transaction that has inserted it. */
async function insertResult(
  transaction: Transaction,
  row: ReturnType<typeof resultRow>,
  { now }: Claim,
): Promise<boolean> {
  const inserted = await transaction
    .insert(idempotencyResults)
    .values(row)
    .onConflictDoUpdate({
      target: resultColumns,
      set: { fingerprint: row.fingerprint, output: null, createdAt: now },
      setWhere: lt(idempotencyResults.createdAt, expiry(now)),
    })
    .returning({ key: idempotencyResults.key })
    .catch(stillRunning);
  return inserted.length > 0;
}

/**
 * Sets until when a request holds its key, unless a repeat has taken it over. The note itself stays: another request with the same
 * input may rely on it.
 */
export async function endNoteAt(ctx: CallerContext, claim: Claim, resultLeasedUntil: Date): Promise<void> {
  // A key that was taken over has another instant of creation.
  const ours = and(theKey(claim), eq(idempotencyKeys.createdAt, claim.now));
  await ctx.db.update(idempotencyKeys).set({ resultLeasedUntil }).where(ours);
}

/**
 * Notes a key on the coordinator, unless another request with the same input has done so. Returns the output if there is one
 * already. Throws IDEMPOTENCY_KEY_REUSED for another input, and IDEMPOTENCY_IN_PROGRESS.
 */
export async function noteKey(
  ctx: CallerContext,
  claim: Claim,
  { organizationId, isSensitive = false, callsProvider }: NoteOptions,
): Promise<{ output: unknown } | { isOurs: boolean }> {
  const { now } = claim;
  const row = {
    ...rowOf(ctx, claim, { isSensitive }),
    resultIn: organizationId,
    resultLeasedUntil: leaseEnd(now),
  };
  const set = { ...row, output: null, leasedUntil: null };
  const added = await ctx.db
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({ target: keyColumns, set, setWhere: lt(idempotencyKeys.createdAt, expiry(now)) })
    .returning({ key: idempotencyKeys.key });
  if (added.length > 0) return { isOurs: true };
  const [known] = await ctx.db.select().from(idempotencyKeys).where(theKey(claim));
  // It has just been purged.
  if (known === undefined) throw new Problem("IDEMPOTENCY_IN_PROGRESS");
  const { resultIn, resultLeasedUntil, createdAt } = known;
  // A transaction through the coordinator stores the output here: of an earlier version, for example.
  if (resultIn === null) return storedOrInProgress(ctx, ctx.db, claim);
  const isSame = isOfInput(ctx, claim, known.fingerprint, null);
  // The row in the shard makes it wait.
  if (isSame && !callsProvider) return { isOurs: false };
  const result = await findResult(await databaseOf(ctx, resultIn), resultIn, claim);
  if (result !== undefined && !isSame) throw new Problem("IDEMPOTENCY_KEY_REUSED");
  const stored = result && openStored(ctx, claim, result, resultIn);
  if (stored) return stored;
  // Earlier versions did not say until when.
  if (isHeld(resultLeasedUntil ?? leaseEnd(createdAt), now))
    throw new Problem(callsProvider && !isSame ? "IDEMPOTENCY_KEY_REUSED" : "IDEMPOTENCY_IN_PROGRESS");
  if (resultIn !== organizationId) await fence(ctx, claim, resultRow(ctx, claim, resultIn, isSensitive));
  const isUnchanged =
    resultLeasedUntil === null
      ? isNull(idempotencyKeys.resultLeasedUntil)
      : eq(idempotencyKeys.resultLeasedUntil, resultLeasedUntil);
  const taken = await ctx.db
    .update(idempotencyKeys)
    .set(set)
    .where(and(theKey(claim), eq(idempotencyKeys.createdAt, createdAt), isUnchanged))
    .returning({ key: idempotencyKeys.key });
  if (taken.length === 0) throw new Problem("IDEMPOTENCY_IN_PROGRESS");
  return { isOurs: true };
}

/** Whether a lease has not lapsed. One that is longer than any is from before the clock stepped back. */
const isHeld = (until: Date, now: Date) => now < until && until <= latestLeaseEnd(now);

/**
 * Keeps a late holder, whose process stood still for example, from having its effect in an organization when the key is taken over
 * for another one: its row would be this one. In the same organization, the rows of both are one anyway.
 */
async function fence(ctx: CallerContext, claim: Claim, row: ReturnType<typeof resultRow>): Promise<void> {
  const isFenced = await changeOrganization(ctx, row.organizationId, (transaction) =>
    insertResult(transaction, row, claim),
  );
  if (!isFenced) throw new Problem("IDEMPOTENCY_KEY_REUSED");
}
