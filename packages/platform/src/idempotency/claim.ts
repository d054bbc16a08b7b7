import { hash } from "node:crypto";
import { Problem, addMs, dayMs } from "@purser/core";
import { decodeWire, encodeWire } from "@purser/core/wire";
import { type Database, deleteInBatches, idempotencyKeys, idempotencyResults, sqlState } from "@purser/db";
import { and, eq, lt } from "drizzle-orm";
import { callerId } from "../callers.ts";
import type { CallerContext } from "../context.ts";
import { seal, sealedIn, unseal } from "../secrets.ts";

/** How long a key is kept. */
export const idempotencyRetentionMs = dayMs;

/** The idempotency key of one request. */
export interface Claim {
  /** The caller: a user, or a key of an organization. */
  userId: string;
  procedure: string;
  key: string;
  fingerprint: string;
  now: Date;
}

export function claimOf(ctx: CallerContext, input: unknown): Claim | null {
  if (ctx.idempotencyKey === null) return null;
  return {
    userId: callerId(ctx.caller),
    procedure: ctx.procedure,
    key: ctx.idempotencyKey,
    fingerprint: fingerprint(input),
    now: ctx.clock.now(),
  };
}

/** The organization in whose shard an output is stored. Null for the table of keys, which is on the coordinator. */
type StoredIn = string | null;

/**
 * Returns a key as it is stored. A fingerprint is sealed if the input could be guessed from it: a date of birth, for example.
 * Others stay as they are, because a process of an earlier version, which may get the repeat, compares them so.
 */
export function rowOf(
  { settings }: CallerContext,
  claim: Claim,
  { isSensitive = false, storedIn = null }: { isSensitive?: boolean; storedIn?: StoredIn } = {},
) {
  const { userId, procedure, key, fingerprint: plain, now: createdAt } = claim;
  const row = { userId, procedure, key, createdAt };
  if (!isSensitive) return { ...row, fingerprint: plain };
  const context = contextOf("fingerprint", claim, storedIn);
  return { ...row, fingerprint: seal(settings.encryptionKeys, plain, context) };
}

/** Whether a stored key is of the same input. */
export function isOfInput(
  { settings }: CallerContext,
  claim: Claim,
  stored: string,
  storedIn: StoredIn,
): boolean {
  const context = contextOf("fingerprint", claim, storedIn);
  const plain = stored.startsWith("v1.") ? unseal(settings.encryptionKeys, stored, context) : stored;
  return plain === claim.fingerprint;
}

/** What is stored of an output. An output that holds a secret is withheld: only its existence is stored. */
export interface StoredOutput {
  output?: unknown;
  withheld?: true;
}

/** Outputs are sealed, because some carry a link that grants access to its holder. */
export function sealOutput(
  { settings }: CallerContext,
  claim: Claim,
  output: unknown,
  { isSecret = false, storedIn = null }: { isSecret?: boolean; storedIn?: StoredIn } = {},
): string {
  const stored: StoredOutput = isSecret ? { withheld: true } : { output };
  const context = contextOf("output", claim, storedIn);
  return seal(settings.encryptionKeys, JSON.stringify(encodeWire(stored)), context);
}

export function openOutput(
  { settings }: CallerContext,
  claim: Claim,
  stored: string,
  storedIn: StoredIn,
): StoredOutput {
  // An earlier version stored plain JSON. Its last row expires a day after the upgrade.
  const isPlain = stored.startsWith("{");
  const context = contextOf("output", claim, storedIn);
  const text = isPlain ? stored : unseal(settings.encryptionKeys, stored, context);
  return decodeWire(JSON.parse(text)) as StoredOutput;
}

const contextOf = (column: "fingerprint" | "output", { userId, procedure, key }: Claim, storedIn: StoredIn) =>
  storedIn === null
    ? sealedIn(idempotencyKeys[column], [userId, procedure, key])
    : sealedIn(idempotencyResults[column], [storedIn, userId, procedure, key]);

/** Deletes the keys older than 24 hours, and returns their number. */
export async function purgeIdempotencyKeys(db: Database, now: Date): Promise<number> {
  await deleteInBatches(db, idempotencyResults, lt(idempotencyResults.createdAt, expiry(now)));
  return deleteInBatches(db, idempotencyKeys, lt(idempotencyKeys.createdAt, expiry(now)));
}

export const keyColumns = [idempotencyKeys.userId, idempotencyKeys.procedure, idempotencyKeys.key];

export const theKey = ({ userId, procedure, key }: Claim) =>
  and(
    eq(idempotencyKeys.userId, userId),
    eq(idempotencyKeys.procedure, procedure),
    eq(idempotencyKeys.key, key),
  );

export const resultColumns = [
  idempotencyResults.organizationId,
  idempotencyResults.userId,
  idempotencyResults.procedure,
  idempotencyResults.key,
];

export const theResult = (organizationId: string, { userId, procedure, key }: Claim) =>
  and(
    eq(idempotencyResults.organizationId, organizationId),
    eq(idempotencyResults.userId, userId),
    eq(idempotencyResults.procedure, procedure),
    eq(idempotencyResults.key, key),
  );

export const expiry = (now: Date) => addMs(now, -idempotencyRetentionMs);

/** The first request with this key holds its row until it commits. The wait for it ends with a lock timeout. */
export function stillRunning(error: unknown): never {
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
