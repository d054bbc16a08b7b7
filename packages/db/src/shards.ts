import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql, TransactionSql } from "postgres";
import { type QueryTracer, whenFailed } from "./connection/client.ts";
import { endingTransactions } from "./connection/commits.ts";
import type { Database, Executor } from "./connection/database.ts";
import { hasMoved, movedMessage } from "./connection/failure.ts";
import * as schema from "./schema/index.ts";

/** What one node of a cluster holds of some organizations: a shard of every table of tenants. */
export interface Shard {
  /** The id of the shard of `organizations`. */
  readonly id: string;
  /** The shards, which are tables of the node, by the names of the tables that they are parts of. */
  readonly tables: ReadonlyMap<string, string>;
  /** Those of them that every node has a copy of. A change of one would be of that copy alone. */
  readonly copied: ReadonlySet<string>;
}

/** Reads which shards there are, by the id of the shard of `organizations`. They keep their names when they move. */
export async function readShards(coordinator: Database): Promise<ReadonlyMap<string, Shard>> {
  const rows = await coordinator.execute<{ id: string; name: string; shard: string; isCopied: boolean }>(sql`
    SELECT one.shardid::text AS id, relname AS name, shard_name(part.logicalrelid, part.shardid) AS shard,
      tenant.repmodel = 't' AS "isCopied"
    FROM pg_dist_partition AS root JOIN pg_dist_shard AS one ON one.logicalrelid = root.logicalrelid
      JOIN pg_dist_partition AS tenant ON tenant.colocationid = root.colocationid OR tenant.repmodel = 't'
      JOIN pg_dist_shard AS part ON part.logicalrelid = tenant.logicalrelid
        AND (part.shardminvalue IS NULL OR part.shardminvalue = one.shardminvalue)
      JOIN pg_class ON pg_class.oid = tenant.logicalrelid
    WHERE root.logicalrelid = 'organizations'::regclass`);
  return new Map(
    [...Map.groupBy(rows, ({ id }) => id)].map(([id, parts]) => [
      id,
      {
        id,
        tables: new Map(parts.map(({ name, shard }) => [name, shard])),
        copied: new Set(parts.filter(({ isCopied }) => isCopied).map(({ name }) => name)),
      },
    ]),
  );
}

/**
 * Returns a pool on a node for the organizations of one of its shards. Statements name the tables as always, and are sent with
 * the names of the shards, so that they cost what they cost on one PostgreSQL: Citus would plan each of them twice.
 *
 * A transaction keeps the shard from moving until it ends. A SELECT outside of one fails if the shard has moved away. Then
 * `onMoved` runs.
 *
 * @see inSameRequest
 */
export function openShard(pool: Database, shard: Shard, onMoved: () => void): Database {
  const asking: Sending = {
    statement: (text) => ifHere(read(text, shard), [shard]),
    inTransaction: (text) => onTables(requireOwnTables(text, shard), shard.tables),
    hold: holding(shard),
    onFailure: (error) => hasMoved(error) && onMoved(),
  };
  const db = opened(pool, asking);
  const known = opened(pool, { ...asking, statement: (text) => read(text, shard) });
  for (const one of [db, known]) knownToBeHere.set(one, known);
  return db;
}

/** The pools of shards, with those that do not ask. */
const knownToBeHere = new WeakMap<Executor, Database>();

/** Whether a pool is of a shard (`openShard`). */
export const isOfShard = (db: Executor): boolean => knownToBeHere.has(db);

/**
 * Returns a pool for the other reads of a request that has read from this one: of a shard, they do not ask again whether it is
 * still here. If it moves away meanwhile, they find it as it was then, as if the request had ended then. Keep it no longer
 * than that.
 */
export const inSameRequest = (db: Database): Database => knownToBeHere.get(db) ?? db;

/** Runs a change that is one statement: of a shard in a transaction, which keeps the shard where it is. */
export function changeAtOnce<Result>(
  db: Executor,
  change: (executor: Executor) => Promise<Result>,
): Promise<Result> {
  return isOfShard(db) ? db.transaction(change) : change(db);
}

/** Returns a pool for reading the rows of several shards of a node, of each by itself: without an order, and as many of each. */
export function openShards(pool: Database, shards: readonly Shard[]): Database {
  const statement = (text: string) =>
    ifHere(`(${shards.map((shard) => read(text, shard)).join(nextShard)})`, shards);
  return opened(pool, { statement, inTransaction: statement, hold: null, onFailure: () => undefined });
}

/**
 * Returns a pool on the coordinator that reads the tables which only the coordinator has, and those which every node has, as
 * the tables that they are. Citus would plan each of these statements twice, too. What names another table, changes a row or is
 * part of a transaction stays as it is.
 */
export async function openCoordinator(pool: Database): Promise<Database> {
  let tables = await readOwnTables(pool);
  const statement = (text: string) =>
    isChange.test(text) || namedTables(text).some((name) => tables.get(name) === null)
      ? text
      : onTables(text, tables);
  const readAgain = () =>
    readOwnTables(pool).then(
      (found) => (tables = found),
      () => undefined,
    );
  // A migration has placed a table anew.
  const onFailure = (error: unknown) => hasMoved(error) && readAgain();
  return opened(pool, { statement, inTransaction: (text) => text, hold: null, onFailure });
}

/** The tables of Citus by name. Null for those that other nodes hold. */
async function readOwnTables(coordinator: Database): Promise<ReadonlyMap<string, string | null>> {
  const rows = await coordinator.execute<{ name: string; own: string | null }>(sql`
    SELECT DISTINCT relname AS name, CASE WHEN partmethod = 'n' THEN shard_name(logicalrelid, shardid) END AS own
    FROM pg_dist_partition JOIN pg_class ON oid = logicalrelid JOIN pg_dist_shard USING (logicalrelid)`);
  return new Map(rows.map(({ name, own }) => [name, own]));
}

/** Returns a statement of a transaction on a node, unless it changes a table that is not of one organization. */
function requireOwnTables(text: string, { tables, copied }: Shard): string {
  for (const [, name] of text.matchAll(changedTable))
    if (!tables.has(name!) || copied.has(name!))
      throw new Error(`A transaction of an organization cannot change "${name}"`);
  return text;
}

const changedTable = /\b(?:insert\s+into|update|delete\s+from)\s+"(\w+)"/gi;
const isChange = /\b(?:insert\s+into|update|delete\s+from)\s+"/i;

/** Names the shards in a SELECT. A change could be of a shard that moves away at the same time. */
function read(text: string, { tables }: Shard): string {
  if (isChange.test(text)) throw new Error(`Change the rows of an organization in a transaction: ${text}`);
  return onTables(text, tables);
}

/** Names the shards in a statement. Each keeps the name of its table, or the alias that the statement gives it. */
function onTables(text: string, tables: ReadonlyMap<string, string | null>): string {
  return text.replaceAll(
    namingTable,
    (naming: string, word: string, name: string, alias: string | undefined) => {
      const table = tables.get(name);
      return table ? `${word} ${table}${alias === undefined ? ` AS "${name}"` : ""}` : naming;
    },
  );
}

/** Where a statement names a table, with the beginning of an alias, if there is one. Drizzle quotes all names. */
const namingTable = /\b(from|join|into|update)\s+"(\w+)"(?!\.)(?=(\s+as\b|\s+")?)/gi;

const namedTables = (text: string): string[] => [...text.matchAll(namingTable)].map(([, , name]) => name!);

/** True, or an error with {@link movedMessage} unless all shards are on this node. */
const areHere = (shards: readonly Shard[]) =>
  // A constant would be an error of the plan.
  `SELECT CASE count(*) WHEN ${shards.length} THEN true ELSE ('${movedMessage} ' || count(*))::boolean END ` +
  `FROM pg_dist_placement WHERE shardid IN (${shards.map(({ id }) => id).join()}) ` +
  `AND groupid = (SELECT groupid FROM pg_dist_local_group)`;

const beforeRead = "SELECT * FROM (\n";
const afterRead = "\n) AS found WHERE (";
const nextShard = ") UNION ALL\n(";

/** Reads if the shards are here. PostgreSQL asks that first, and once. */
const ifHere = (text: string, shards: readonly Shard[]) =>
  `${beforeRead}${text}${afterRead}${areHere(shards)})`;

/**
 * Takes the lock that a change through Citus takes, which a move of the shard waits for, and then looks whether it is still here.
 * All shards of an organization move together.
 */
const holding = (shard: Shard) =>
  `SELECT lock_shard_metadata(${shareLock}, ARRAY[${shard.id}::bigint]); ${areHere([shard])}`;
/** PostgreSQL's number of the mode ShareLock. */
const shareLock = 5;

/** Returns a tracer for pools with shards: it receives statements with the names of the tables, the same for all shards. */
export function tracingTables(tracer: QueryTracer): QueryTracer {
  return {
    statement: (text) => tracer.statement(withTableNames(text)),
    transaction: (run) => tracer.transaction(run),
  };
}

function withTableNames(text: string): string {
  let written = text;
  if (text.startsWith(beforeRead)) {
    written = text.slice(beforeRead.length, text.lastIndexOf(afterRead));
    const end = written.indexOf(nextShard);
    if (end !== -1) written = written.slice(1, end);
  }
  return written.replaceAll(/\b(\w+?)_\d{6,}\b(?: AS "\1")?/g, '"$1"');
}

interface Sending {
  /** The text of a statement outside of a transaction, or in one that only reads. */
  statement: (text: string) => string;
  inTransaction: (text: string) => string;
  /** The first statement of a transaction that changes rows. */
  hold: string | null;
  onFailure: (error: unknown) => unknown;
}

function opened(pool: Database, { statement, inTransaction, hold, onFailure }: Sending): Database {
  const { $client } = pool;
  type Callback = (transaction: TransactionSql) => unknown;
  const begin = (...args: [Callback] | [string, Callback]) => {
    const [modes, callback] = args.length === 1 ? ["", args[0]] : args;
    const isReadOnly = modes.includes("read only");
    const ended = $client.begin(modes, async (transaction) => {
      // Sent together with the next statement, which fails if this one does.
      const held = isReadOnly || hold === null ? null : transaction.unsafe(hold).execute();
      held?.catch(() => undefined);
      try {
        return await callback(sending(transaction, isReadOnly ? statement : inTransaction));
      } catch (error) {
        await held;
        throw error;
      }
    });
    ended.catch(onFailure);
    return ended;
  };
  const client = new Proxy(sending($client, statement, onFailure), {
    get: (target, name): unknown => (name === "begin" ? begin : Reflect.get(target, name)),
  });
  const db = Object.assign(drizzle(client, { schema }), {
    use: pool.use,
    close: (timeoutMs?: number) => pool.close(timeoutMs),
  });
  return endingTransactions(db);
}

/** Returns a client that sends other texts. A transaction reports its own failures. */
function sending<Client extends Sql | TransactionSql>(
  client: Client,
  textOf: (text: string) => string,
  onFailure: (error: unknown) => unknown = () => undefined,
): Client {
  const own = {
    unsafe: (text: string, ...rest: never[]) => whenFailed(client.unsafe(textOf(text), ...rest), onFailure),
    savepoint: (...args: unknown[]) => {
      const callback = args.pop() as (nested: TransactionSql) => unknown;
      const nested = (savepoint: TransactionSql) => callback(sending(savepoint, textOf));
      return (client as TransactionSql).savepoint(...(args as [string]), nested);
    },
  };
  return new Proxy(client, {
    get: (target, name): unknown => Reflect.get(Object.hasOwn(own, name) ? own : target, name),
  });
}
