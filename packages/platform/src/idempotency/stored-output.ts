import { Problem } from "@purser/core";
import { type Executor, idempotencyKeys, idempotencyResults } from "@purser/db";
import { and, gte } from "drizzle-orm";
import type { CallerContext } from "../context.ts";
import { databaseOf } from "../organization-node.ts";
import { platformMetrics } from "../platform-metrics.ts";
import { type Claim, claimOf, expiry, isOfInput, openOutput, theKey, theResult } from "./claim.ts";

/** The output of the first request with a key. */
interface Replay {
  output: unknown;
}

/**
 * Returns the stored output of this caller's key, or null. Throws IDEMPOTENCY_KEY_REUSED for another input, and for an
 * output that was withheld.
 */
export async function findStoredOutput(ctx: CallerContext, input: unknown): Promise<Replay | null> {
  const claim = claimOf(ctx, input);
  return claim && (await storedOutput(ctx, ctx.db, claim));
}

/** Returns the stored output of a key that another request has claimed. Throws while there is none. */
export async function storedOrInProgress(ctx: CallerContext, db: Executor, claim: Claim): Promise<Replay> {
  const first = await storedOutput(ctx, db, claim);
  if (first === null) throw new Problem("IDEMPOTENCY_IN_PROGRESS");
  return first;
}

async function storedOutput(ctx: CallerContext, db: Executor, claim: Claim): Promise<Replay | null> {
  const { fingerprint, output, resultIn, createdAt } = idempotencyKeys;
  const [row] = await db
    .select({ fingerprint, output, resultIn })
    .from(idempotencyKeys)
    .where(and(theKey(claim), gte(createdAt, expiry(claim.now))));
  if (row === undefined) return null;
  if (row.resultIn === null) return openStored(ctx, claim, row, null);
  if (!isOfInput(ctx, claim, row.fingerprint, null)) throw new Problem("IDEMPOTENCY_KEY_REUSED");
  const result = await findResult(await databaseOf(ctx, row.resultIn), row.resultIn, claim);
  return result === undefined ? null : openStored(ctx, claim, result, row.resultIn);
}

/** What is stored with a key, or in its place in an organization. */
type Stored = Pick<typeof idempotencyKeys.$inferSelect, "fingerprint" | "output">;

/** Finds what the first request has stored in an organization. */
export async function findResult(
  db: Executor,
  organizationId: string,
  claim: Claim,
): Promise<Stored | undefined> {
  const [row] = await db
    .select({ fingerprint: idempotencyResults.fingerprint, output: idempotencyResults.output })
    .from(idempotencyResults)
    .where(and(theResult(organizationId, claim), gte(idempotencyResults.createdAt, expiry(claim.now))));
  return row;
}

/** Returns a stored output, or null while there is none. Throws as `findStoredOutput` does. */
export function openStored(
  ctx: CallerContext,
  claim: Claim,
  { fingerprint, output }: Stored,
  organizationId: string | null,
): Replay | null {
  if (!isOfInput(ctx, claim, fingerprint, organizationId)) throw new Problem("IDEMPOTENCY_KEY_REUSED");
  if (output === null) return null;
  const stored = openOutput(ctx, claim, output, organizationId);
  if (stored.withheld) throw new Problem("IDEMPOTENCY_KEY_REUSED", withheldOutput);
  ctx.response.replayed = true;
  ctx.meter.count(platformMetrics.idempotentReplays, { procedure: ctx.procedure });
  return { output: stored.output };
}

/** Why an output with a secret is not repeated. The advice of the catalog would lead to a second key or endpoint. */
const withheldOutput = {
  detail:
    "The first request with this idempotency key succeeded. Its response holds a secret, which is shown once and not stored.",
  help: "If you have lost the response, do not create another: revoke the API key that it created, or rotate the secret of the webhook endpoint. To reveal a card, call again with another idempotency key.",
};

/** Refuses a repeat whose output another version stored, and the contract of this version does not accept. */
export function outdatedOutput(cause: unknown): Problem {
  return new Problem("IDEMPOTENCY_KEY_REUSED", {
    cause,
    detail:
      "The first request with this idempotency key succeeded. Another version of the service stored its response, which this version cannot return.",
    help: "Do not make the request again with another key: read its result from the lists.",
  });
}
