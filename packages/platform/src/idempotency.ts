import { hash } from "node:crypto";
import { Problem, addMs, dayMs, errorText } from "@purser/core";
import { decodeWire, encodeWire } from "@purser/core/wire";
import {
  type Database,
  type Executor,
  type Transaction,
  deleteInBatches,
  idempotencyKeys,
  isUnavailable,
  sqlState,
} from "@purser/db";
import { and, eq, gt, gte, isNull, lt, or } from "drizzle-orm";
import { callerId } from "./callers.ts";
import type { CallerContext } from "./context.ts";
import { retryWhileUnavailable } from "./retry.ts";
import { latestLeaseEnd, leaseEnd, leaseMs } from "./leases.ts";
import { platformMetrics } from "./platform-metrics.ts";
import { seal, sealedIn, unseal } from "./secrets.ts";

/** How long a key is kept. */
export const idempotencyRetentionMs = dayMs;

interface Claim {
  /** The caller: a user, or a key of an organization. */
  userId: string;
  procedure: string;
  key: string;
  fingerprint: string;
  now: Date;
}

/**
 * Returns the stored output of this caller's key, or null. Throws IDEMPOTENCY_KEY_REUSED for another input, and for an
 * output that was withheld.
 */
export async function findStoredOutput(
  ctx: CallerContext,
  input: unknown,
): Promise<{ output: unknown } | null> {
  const claim = claimOf(ctx, input);
  return claim && (await storedOutput(ctx, ctx.db, claim));
}

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
  const { now } = claim;
  const row = rowOf(ctx, claim, isSensitive);
  const claimed = await transaction
    .insert(idempotencyKeys)
    .values({ ...row, createdAt: now })
    .onConflictDoUpdate({
      target: keyColumns,
      set: { fingerprint: row.fingerprint, output: null, createdAt: now },
      setWhere: lt(idempotencyKeys.createdAt, expiry(now)),
    })
    .returning({ key: idempotencyKeys.key })
    .catch(stillRunning);
  if (claimed.length === 0) return storedOrInProgress(ctx, transaction, claim);
  return {
    complete: async (output, isSecret) => {
      const stored = isSecret
        ? sealOutput(ctx, claim, { withheld: true })
        : sealOutput(ctx, claim, { output });
      await transaction.update(idempotencyKeys).set({ output: stored }).where(theKey(claim));
    },
  };
}

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
  const row = rowOf(ctx, claim, false);
  const leasedUntil = leaseEnd(now);
  // A lease that is taken over has another instant of creation.
  const ours = and(theKey(claim), eq(idempotencyKeys.createdAt, now), isNull(idempotencyKeys.output));
  const free = async () => void (await ctx.db.delete(idempotencyKeys).where(ours));
  // Ends when the lease has expired, or the process stops.
  const freeLater = () =>
    void retryWhileUnavailable(ctx, free, { timeoutMs: leaseMs }).catch((error: unknown) =>
      ctx.logger.warn(
        { reason: errorText(error) },
        "An idempotency key stays in progress until its lease expires",
      ),
    );
  const leased = await ctx.db
    .insert(idempotencyKeys)
    .values({ ...row, leasedUntil, createdAt: now })
    .onConflictDoUpdate({
      target: keyColumns,
      set: { fingerprint: row.fingerprint, output: null, leasedUntil, createdAt: now },
      setWhere: or(lt(idempotencyKeys.createdAt, expiry(now)), hasLapsed(now))!,
    })
    .returning({ key: idempotencyKeys.key })
    .catch((error: unknown) => {
      // The connection may have closed after the commit.
      if (isUnavailable(error)) freeLater();
      throw error;
    });
  if (leased.length === 0) return storedOrInProgress(ctx, ctx.db, claim);
  return {
    async renew() {
      await ctx.db
        .update(idempotencyKeys)
        .set({ leasedUntil: leaseEnd(ctx.clock.now()) })
        .where(ours);
    },
    async complete(transaction, output) {
      const updated = await transaction
        .update(idempotencyKeys)
        .set({ output: sealOutput(ctx, claim, { output }), leasedUntil: null })
        .where(ours)
        .returning({ key: idempotencyKeys.key });
      if (updated.length === 0) throw new Problem("IDEMPOTENCY_IN_PROGRESS");
    },
    async release(failure) {
      // The caller has already waited for a silent database.
      if (isUnavailable(failure)) freeLater();
      else await free().catch(freeLater);
    },
  };
}

/** The lease of a request without an idempotency key. */
const noLease: Lease = {
  renew: () => Promise.resolve(),
  complete: () => Promise.resolve(),
  release: () => Promise.resolve(),
};

/** Releases the keys whose process has died during a provider call. */
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

/** Deletes the keys older than 24 hours, and returns their number. */
export function purgeIdempotencyKeys(db: Database, now: Date): Promise<number> {
  return deleteInBatches(db, idempotencyKeys, lt(idempotencyKeys.createdAt, expiry(now)));
}

function claimOf(ctx: CallerContext, input: unknown): Claim | null {
  if (ctx.idempotencyKey === null) return null;
  return {
    userId: callerId(ctx.caller),
    procedure: ctx.procedure,
    key: ctx.idempotencyKey,
    fingerprint: fingerprint(input),
    now: ctx.clock.now(),
  };
}

/**
 * A fingerprint is sealed if the input could be guessed from it: a date of birth, for example. Others stay as they are, because
 * a process of an earlier version, which may get the repeat, compares them so.
 */
function rowOf({ settings }: CallerContext, claim: Claim, isSensitive: boolean) {
  const { userId, procedure, key, fingerprint: plain } = claim;
  if (!isSensitive) return { userId, procedure, key, fingerprint: plain };
  const context = contextOf(idempotencyKeys.fingerprint, claim);
  return { userId, procedure, key, fingerprint: seal(settings.encryptionKeys, plain, context) };
}

/** Returns the stored output of a key that another request has claimed. Throws while there is none. */
async function storedOrInProgress(
  ctx: CallerContext,
  db: Executor,
  claim: Claim,
): Promise<{ output: unknown }> {
  const first = await storedOutput(ctx, db, claim);
  if (first === null) throw new Problem("IDEMPOTENCY_IN_PROGRESS");
  return first;
}

async function storedOutput(
  ctx: CallerContext,
  db: Executor,
  claim: Claim,
): Promise<{ output: unknown } | null> {
  const [row] = await db
    .select({ fingerprint: idempotencyKeys.fingerprint, output: idempotencyKeys.output })
    .from(idempotencyKeys)
    .where(and(theKey(claim), gte(idempotencyKeys.createdAt, expiry(claim.now))));
  if (row === undefined) return null;
  if (openFingerprint(ctx, claim, row.fingerprint) !== claim.fingerprint)
    throw new Problem("IDEMPOTENCY_KEY_REUSED");
  if (row.output === null) return null;
  const stored = openOutput(ctx, claim, row.output);
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

/** What is stored of an output. An output that holds a secret is withheld: only its existence is stored. */
interface StoredOutput {
  output?: unknown;
  withheld?: true;
}

/** Outputs are sealed, because some carry a link that grants access to its holder. */
function sealOutput({ settings }: CallerContext, claim: Claim, stored: StoredOutput): string {
  return seal(
    settings.encryptionKeys,
    JSON.stringify(encodeWire(stored)),
    contextOf(idempotencyKeys.output, claim),
  );
}

function openOutput({ settings }: CallerContext, claim: Claim, stored: string): StoredOutput {
  // An earlier version stored plain JSON. Its last row expires a day after the upgrade.
  const isPlain = stored.startsWith("{");
  const text = isPlain
    ? stored
    : unseal(settings.encryptionKeys, stored, contextOf(idempotencyKeys.output, claim));
  return decodeWire(JSON.parse(text)) as StoredOutput;
}

function openFingerprint({ settings }: CallerContext, claim: Claim, stored: string): string {
  if (!stored.startsWith("v1.")) return stored;
  return unseal(settings.encryptionKeys, stored, contextOf(idempotencyKeys.fingerprint, claim));
}

const contextOf = (column: Parameters<typeof sealedIn>[0], { userId, procedure, key }: Claim) =>
  sealedIn(column, [userId, procedure, key]);

const keyColumns = [idempotencyKeys.userId, idempotencyKeys.procedure, idempotencyKeys.key];

const theKey = (claim: Claim) =>
  and(
    eq(idempotencyKeys.userId, claim.userId),
    eq(idempotencyKeys.procedure, claim.procedure),
    eq(idempotencyKeys.key, claim.key),
  );

const expiry = (now: Date) => addMs(now, -idempotencyRetentionMs);

/** The first request with this key holds its row until it commits. The wait for it ends with a lock timeout. */
function stillRunning(error: unknown): never {
  if (sqlState(error) === "55P03") throw new Problem("IDEMPOTENCY_IN_PROGRESS", { cause: error });
  throw error;
}

/** A digest of the input that does not depend on the order of its fields. */
function fingerprint(input: unknown): string {
  return hash("sha256", JSON.stringify(sortFields(encodeWire(input)) ?? null), "base64url");
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, item]) => [name, sortFields(item)]));
}
