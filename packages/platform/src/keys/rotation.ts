import type { Database, Executor } from "@purser/db";
import { type SQL, and, sql } from "drizzle-orm";
import { type Keyring, seal, unseal } from "../secrets.ts";
import { errorText } from "@purser/core";
import { type SealedColumn, sealedColumns } from "./sealed-columns.ts";

/** How many secrets of one place are sealed with one version of the key. */
export interface KeyUse {
  /** Table and column, or `jobs` for what waits in the outbox. */
  place: string;
  version: number;
  secrets: number;
}

/** Which key versions are in use: one that is not may be taken out of ENCRYPTION_KEYS. */
export async function keyStatus(db: Executor): Promise<KeyUse[]> {
  const uses = await Promise.all(sealedColumns().map((vault) => usesOf(db, vault)));
  return uses.flat();
}

export interface RotationProgress {
  place: string;
  done: number;
  total: number;
}

export interface Rotation {
  resealed: number;
  /** Secrets that did not open, and why. They stay as they are. */
  unreadable: { place: string; key: readonly string[]; reason: string }[];
}

const batchSize = 100;

/**
 * Seals anew whatever is not sealed with the first key, a batch at a time. Servers may run meanwhile, as long as
 * theirs is the same; it may be broken off and started again.
 */
export async function rotateKeys(
  db: Database,
  keys: Keyring,
  onProgress: (progress: RotationProgress) => void,
): Promise<Rotation> {
  const current = keys[0]?.version ?? 0;
  const rotation: Rotation = { resealed: 0, unreadable: [] };
  for (const vault of sealedColumns()) {
    const uses = await usesOf(db, vault);
    const total = uses
      .filter(({ version }) => version !== current)
      .reduce((sum, { secrets }) => sum + secrets, 0);
    let done = 0;
    let after: readonly string[] | null = null;
    for (;;) {
      const isAnother = sql`<> ${String(current)}`;
      const batch: Secret[] = await secretsWhere(db, vault, { version: isAnother, after, limit: batchSize });
      if (batch.length === 0) break;
      await resealBatch(db, keys, vault, batch, rotation);
      after = batch.at(-1)!.key;
      done += batch.length;
      onProgress({ place: vault.place, done, total: Math.max(done, total) });
    }
  }
  return rotation;
}

/**
 * Tries one secret of each place and key version; gives the first that these keys do not open, and why, or null. Only
 * columns of which `isFilled`, asked as `public.users.name`, says so are looked into: others may not even exist.
 */
export async function findUndecryptable(
  db: Executor,
  keys: Keyring,
  isFilled: (column: string) => boolean,
): Promise<{ place: string; reason: string } | null> {
  for (const vault of sealedColumns().filter(({ column }) => isFilled(column))) {
    for (const { version } of await usesOf(db, vault)) {
      const [secret] = await secretsWhere(db, vault, {
        version: sql`= ${String(version)}`,
        after: null,
        limit: 1,
      });
      try {
        unseal(keys, secret!.sealed, vault.contextOf(secret!.key));
      } catch (error) {
        return { place: vault.place, reason: errorText(error) };
      }
    }
  }
  return null;
}

interface Secret {
  key: readonly string[];
  sealed: string;
}

async function usesOf(db: Executor, { place, table, text }: SealedColumn): Promise<KeyUse[]> {
  const version = sql<number>`split_part(${text}, '.', 2)::integer`;
  const rows = await db
    .select({ version, secrets: sql<number>`count(*)::integer` })
    .from(table)
    .where(sql`${text} IS NOT NULL`)
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  return rows.map((row) => ({ place, ...row }));
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
    .where(and(sql`split_part(${text}, '.', 2) ${version}`, position))
    .orderBy(...key)
    .limit(limit);
}

async function resealBatch(
  db: Database,
  keys: Keyring,
  vault: SealedColumn,
  batch: readonly Secret[],
  rotation: Rotation,
): Promise<void> {
  await db.transaction(async (transaction) => {
    await Promise.all(
      batch.map(async ({ key, sealed }) => {
        const context = vault.contextOf(key);
        let anew: string;
        try {
          anew = seal(keys, unseal(keys, sealed, context), context);
        } catch (error) {
          rotation.unreadable.push({ place: vault.place, key, reason: errorText(error) });
          return;
        }
        // A server may have stored another secret since it was read; that one is sealed with the first key already.
        const untouched = sql`(${list(vault.key)}) = (${list(key)}) AND ${vault.text} = ${sealed}`;
        const changed = await transaction.execute(
          sql`UPDATE ${vault.table} SET ${vault.assign(anew)} WHERE ${untouched}`,
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
