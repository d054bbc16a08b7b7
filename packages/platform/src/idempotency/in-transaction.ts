import { type Transaction, idempotencyKeys } from "@purser/db";
import { lt } from "drizzle-orm";
import type { CallerContext } from "../context.ts";
import { claimOf, expiry, keyColumns, rowOf, sealOutput, stillRunning, theKey } from "./claim.ts";
import { storedOrInProgress } from "./stored-output.ts";

/**
 * Claims the key of this request inside the transaction that has its effect, so that claim, effect and output
 * commit together or not at all. Returns the stored output if there is one.
 */
export async function claimKey(
  ctx: CallerContext,
  transaction: Transaction,
  input: unknown,
  { isSensitive }: { isSensitive: boolean },
): Promise<{ output: unknown } | { complete(output: unknown, isSecret: boolean): Promise<void> }> {
  const claim = claimOf(ctx, input);
  if (claim === null) return { complete: () => Promise.resolve() };
  const row = rowOf(ctx, claim, { isSensitive });
  const claimed = await transaction
    .insert(idempotencyKeys)
    .values(row)
    .onConflictDoUpdate({
      target: keyColumns,
      set: { fingerprint: row.fingerprint, output: null, resultIn: null, createdAt: claim.now },
      setWhere: lt(idempotencyKeys.createdAt, expiry(claim.now)),
    })
    .returning({ key: idempotencyKeys.key })
    .catch(stillRunning);
  if (claimed.length === 0) return storedOrInProgress(ctx, transaction, claim);
  return {
    complete: async (output, isSecret) => {
      const stored = sealOutput(ctx, claim, output, { isSecret });
      await transaction.update(idempotencyKeys).set({ output: stored }).where(theKey(claim));
    },
  };
}
