import { errorText } from "@purser/core";
import type { Database, Executor } from "@purser/db";
import { type SQL, and, sql } from "drizzle-orm";
import { type Keyring, seal, unseal } from "../secrets.ts";
import { type SealedColumn, sealedColumns } from "./sealed-columns.ts";

/** The number of secrets in one column that are sealed or hashed with one key version. */
export interface KeyUse {
  /** Table and column, or `jobs` for the payloads in the outbox. */
  location: string;
  version: number;
  secrets: number;
}

/**
 * Lists the key versions that seal something. A version that is not in use, not even by hashes (`countBankHashes` of
 * `@purser/banking`), can be removed from ENCRYPTION_KEYS. After that, a consent is no longer found by the single-use secret
 * that it was connected with, only by its id.
 */
export async function keyStatus(db: Executor): Promise<KeyUse[]> {
  const uses = await Promise.all(sealedColumns().map((column) => usesOf(db, column)));
  return uses.flat();
}

export interface RotationProgress {
  location: string;
  done: number;
  total: number;
}

/** A secret that did not open, and is unchanged. */
export interface UnreadableSecret {
  location: string;
  /** The primary key of its row. */
  key: readonly string[];
  reason: string;
}

export interface Rotation {
  resealed: number;
  unreadable: UnreadableSecret[];
}

const batchSize = 100;

/**
 * Reseals, in batches, every secret that is not sealed with the first key. Servers may run meanwhile if they have the
 * same first key. An interrupted rotation can start again.
 */
export async function rotateKeys(
  db: Database,
  keys: Keyring,
  onProgress: (progress: RotationProgress) => void,
): Promise<Rotation> {
  const current = keys[0]?.version ?? 0;
  const rotation: Rotation = { resealed: 0, unreadable: [] };
  for (const column of sealedColumns()) {
    const uses = await usesOf(db, column);
    const total = uses
      .filter(({ version }) => version !== current)
      .reduce((sum, { secrets }) => sum + secrets, 0);
    let done = 0;
    let after: readonly string[] | null = null;
    for (;;) {
      const isOther = sql`<> ${String(current)}`;
      const batch: Secret[] = await secretsWhere(db, column, { version: isOther, after, limit: batchSize });
      if (batch.length === 0) break;
      await resealBatch(db, keys, column, batch, rotation);
      after = batch.at(-1)!.key;
      done += batch.length;
      onProgress({ location: column.location, done, total: Math.max(done, total) });
    }
  }
  return rotation;
}

/**
 * Opens one secret per column and key version. Returns the first column that these keys do not open, with the reason, or
 * null. It reads only columns for which `isFilled` is true, such as `public.users.name`: others may not exist.
 */
export async function findUndecryptable(
  db: Executor,
  keys: Keyring,
  isFilled: (column: string) => boolean,
): Promise<{ location: string; reason: string } | null> {
  for (const column of sealedColumns().filter((sealed) => isFilled(sealed.column))) {
    for (const { version } of await usesOf(db, column)) {
      const [secret] = await secretsWhere(db, column, {
        version: sql`= ${String(version)}`,
        after: null,
        limit: 1,
      });
      try {
        unseal(keys, secret!.sealed, column.contextOf(secret!.key));
      } catch (error) {
        return { location: column.location, reason: errorText(error) };
      }
    }
  }
  return null;
}

interface Secret {
  key: readonly string[];
  sealed: string;
}

async function usesOf(db: Executor, { location, table, text }: SealedColumn): Promise<KeyUse[]> {
  const version = sql<number>`split_part(${text}, '.', 2)::integer`;
  const rows = await db
    .select({ version, secrets: sql<number>`count(*)::integer` })
    .from(table)
    .where(isSealedText(text))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  return rows.map((row) => ({ location, ...row }));
}

function secretsWhere(
  db: Executor,
  { table, text, key }: SealedColumn,
  { version, after, limit }: { version: SQL; after: readonly string[] | null; limit: number },
): Promise<Secret[]> {
  const position = after === null ? undefined : sql`(${list(key)}) > (${list(after)})`;
  return db
    .select({ key: sql<string[]>`json_build_array(${list(key)})`, sealed: sql<string>`${text}` })
    .from(table)
    .where(and(isSealedText(text), sql`split_part(${text}, '.', 2) ${version}`, position))
    .orderBy(...key)
    .limit(limit);
}

/** The outputs of idempotency keys that an earlier version stored are plain, and expire within a day. */
const isSealedText = (text: SQL) => sql`${text} LIKE 'v1.%'`;

async function resealBatch(
  db: Database,
  keys: Keyring,
  column: SealedColumn,
  batch: readonly Secret[],
  rotation: Rotation,
): Promise<void> {
  await db.transaction(async (transaction) => {
    await Promise.all(
      batch.map(async ({ key, sealed }) => {
        const context = column.contextOf(key);
        let resealed: string;
        try {
          resealed = seal(keys, unseal(keys, sealed, context), context);
        } catch (error) {
          rotation.unreadable.push({ location: column.location, key, reason: errorText(error) });
          return;
        }
        // A server may have replaced the secret since it was read. The new one is sealed with the first key.
        const isUnchanged = sql`(${list(column.key)}) = (${list(key)}) AND ${column.text} = ${sealed}`;
        const changed = await transaction.execute(
          sql`UPDATE ${column.table} SET ${column.assign(resealed)} WHERE ${isUnchanged}`,
        );
        rotation.resealed += changed.count;
      }),
    );
  });
}

function list(items: readonly unknown[]): SQL {
  return sql.join(
    items.map((item) => sql`${item}`),
    sql`, `,
  );
}
