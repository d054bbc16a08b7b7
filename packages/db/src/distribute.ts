import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import type { Database, Executor, Transaction } from "./connection/database.ts";
import { limitTransactions } from "./connection/limits.ts";
import { idempotencyKeys } from "./schema/index.ts";

/** Whether the tables of this database are distributed over the servers of a Citus cluster. */
export async function isDistributed(db: Executor): Promise<boolean> {
  if (!(await hasCitus(db))) return false;
  const [found] = await db.execute<{ found: boolean }>(sql`
    SELECT EXISTS (
      SELECT FROM pg_dist_partition
      WHERE logicalrelid = to_regclass('public.organizations') AND partmethod = 'h'
    ) AS found`);
  return found!.found;
}

const known = new WeakMap<Database, Promise<boolean>>();

/**
 * The same, with one query per pool. Afterwards transactions of the pool set their time limits themselves: those of a
 * connection do not reach the other servers.
 */
export function isDistributedDatabase(db: Database): Promise<boolean> {
  const distributed = known.get(db) ?? isDistributed(db);
  known.set(db, distributed);
  distributed.then(
    (yes) => yes && limitTransactions(db),
    () => known.delete(db),
  );
  return distributed;
}

/** Whether the database has Citus. A database without it does not know the tables that `isDistributed` asks. */
export async function hasCitus(db: Executor): Promise<boolean> {
  const [found] = await db.execute<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS found`,
  );
  return found!.found;
}

/**
 * Makes a transaction that writes a table which Citus does not know, such as a job, commit on all servers or on none. Citus
 * prepares the commit on the others if it knows of a write on the coordinator. This is one, of no row. Does nothing on one
 * PostgreSQL.
 *
 * @param db The pool of the transaction, which knows whether the database is distributed
 */
export async function commitOnAllServers(db: Database, transaction: Transaction): Promise<void> {
  if (!(await isDistributedDatabase(db))) return;
  await transaction.delete(idempotencyKeys).where(eq(idempotencyKeys.userId, ""));
}

/**
 * Waits until the commits that other servers have prepared by now are done, at most `maxWaitMs`. The coordinator commits first
 * ({@link commitOnAllServers}), so a reader of a job would not yet see its effect. It takes longer only where a server
 * failed in the middle: Citus ends those commits within a minute. While a server does not answer, this waits for no commit
 * and never throws for that. Does nothing on one PostgreSQL.
 */
export async function awaitPreparedCommits(db: Database, { maxWaitMs = 1000 } = {}): Promise<void> {
  if (!(await isDistributedDatabase(db))) return;
  const deadline = performance.now() + maxWaitMs;
  let awaited = await listPreparedCommits(db, maxWaitMs);
  while (awaited.length > 0 && performance.now() < deadline) {
    await sleep(2);
    const still = new Set(await listPreparedCommits(db, deadline - performance.now()));
    awaited = awaited.filter((name) => still.has(name));
  }
}

/** The names of commits that are prepared on the servers, none if a server does not answer in this time. */
async function listPreparedCommits(db: Database, timeoutMs: number): Promise<string[]> {
  const limit = sql.raw(`SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(timeoutMs))}`);
  try {
    const found = await db.transaction(async (transaction) => {
      // Citus waits for a silent server until it is cancelled.
      await transaction.execute(limit);
      return transaction.execute<{ names: string }>(sql`
        SELECT result AS names FROM run_command_on_workers($$
          SELECT string_agg(gid, ' ') FROM pg_prepared_xacts WHERE database = current_database() AND gid LIKE 'citus\_%'
        $$) WHERE success`);
    });
    return found.flatMap(({ names }) => names?.split(" ") ?? []).filter((name) => name !== "");
  } catch {
    // Nothing to wait for: the commits of a server that is away are done when it is back, which may take hours.
    return [];
  }
}

/** On a node: whether it has prepared a commit that the coordinator has not ended yet. */
export const hasPreparedCommits = sql<boolean>`EXISTS (
  SELECT FROM pg_prepared_xacts WHERE database = current_database() AND gid LIKE 'citus\\_%')`;

/** On a node: whether it has prepared a commit that the coordinator has neither finished nor undone within a second. */
export const hasLeftCommits = sql<boolean>`EXISTS (
  SELECT FROM pg_prepared_xacts
  WHERE database = current_database() AND gid LIKE 'citus\\_%' AND prepared < now() - interval '1 second')`;

/**
 * Ends the commits that nodes have prepared and whose transaction is over, on the pool of the coordinator: it was cut off from the
 * node before the end. Their rows stay locked until Citus does the same, once a minute.
 */
export async function endLeftCommits(coordinator: Database, timeoutMs: number): Promise<void> {
  await coordinator.transaction(async (transaction) => {
    await transaction.execute(sql.raw(`SET LOCAL statement_timeout = ${timeoutMs}`));
    await transaction.execute(sql`SELECT recover_prepared_transactions()`);
  });
}

/** Counts the tables that are placed by organization. */
export async function countDistributed(db: Executor): Promise<number> {
  const [found] = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM pg_dist_partition WHERE partmethod = 'h'`,
  );
  return found!.count;
}

/**
 * Places every table of tenants that is not distributed yet on the servers of a Citus cluster, by organization, and copies
 * `users` to each of them. All other tables stay on the coordinator, and Citus knows of them, so that a transaction that
 * writes there and on another server commits on both or on neither. Everything or nothing; a table that Citus refuses is
 * an error. Changes nothing when all are distributed. Run it in a transaction, under the lock of `migrate`.
 *
 * What Citus cannot have is changed: a key that is unique across organizations becomes a plain index. PL/pgSQL, because
 * a migration on a distributed database runs it after each new table, before the foreign keys of the table are added.
 */
export const distributingTables = /* sql */ `DO $$
DECLARE
  tenant record; local_table record; unique_key record; foreign_key record; made record;
  restored text[] := '{}'; statement text; lead text; positioning text;
BEGIN
  -- One connection per server, because later steps of the transaction change tables that earlier ones refer to.
  PERFORM set_config('citus.multi_shard_modify_mode', 'sequential', true);
  -- So does deleting a user. And the limits that a transaction sets hold on every server. A statement on all servers needs all
  -- of them, and a process also starts while one is down: so only if something changes, here and below.
  FOR made IN
    SELECT * FROM (VALUES ('multi_shard_modify_mode', 'sequential'), ('propagate_set_commands', 'local')) AS setting (name, value)
    WHERE NOT EXISTS (
      SELECT FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
      WHERE datname = current_database() AND setrole = 0 AND format('citus.%s=%s', name, value) = ANY (setconfig))
  LOOP
    EXECUTE format('ALTER DATABASE %I SET citus.%I = %s', current_database(), made.name, made.value);
  END LOOP;
  -- Triggers on rows of a shard. Ours refuse a change, or complete a row that a previous version writes.
  PERFORM set_config('citus.enable_unsafe_triggers', 'on', true);
  CREATE TEMP TABLE undistributed ON COMMIT DROP AS
    SELECT c.oid AS id, c.oid::regclass AS name, a.attname AS key, a.attnum AS key_number
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      AND a.attname = CASE c.relname WHEN 'organizations' THEN 'id' ELSE 'organization_id' END
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT a.attisdropped
      AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid AND p.partmethod = 'h');
  FOR unique_key IN
    SELECT i.indexrelid::regclass AS name, u.name AS of, k.conname,
      replace(pg_get_indexdef(i.indexrelid), 'CREATE UNIQUE INDEX', 'CREATE INDEX') AS plain
    FROM undistributed u JOIN pg_index i ON i.indrelid = u.id
      LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.contype = 'u'
    WHERE i.indisunique AND NOT u.key_number = ANY (i.indkey::int2[])
  LOOP
    EXECUTE CASE WHEN unique_key.conname IS NULL THEN format('DROP INDEX %s', unique_key.name)
      ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', unique_key.of, unique_key.conname) END;
    EXECUTE unique_key.plain;
  END LOOP;
  -- Citus refuses a foreign key while only one of its tables is distributed.
  FOR foreign_key IN
    SELECT conname, conrelid::regclass AS child, pg_get_constraintdef(oid) AS definition FROM pg_constraint
    WHERE contype = 'f' AND (conrelid IN (SELECT id FROM undistributed)
      OR confrelid IN (SELECT id FROM undistributed))
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', foreign_key.child, foreign_key.conname);
    restored := restored || format('ALTER TABLE %s ADD CONSTRAINT %I %s',
      foreign_key.child, foreign_key.conname, foreign_key.definition);
  END LOOP;
  IF NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'users'::regclass AND repmodel = 't') THEN
    PERFORM create_reference_table('users');
  END IF;
  FOR tenant IN SELECT * FROM undistributed ORDER BY name <> 'organizations'::regclass, name::text LOOP
    PERFORM create_distributed_table(tenant.name, tenant.key,
      colocate_with => CASE tenant.name WHEN 'organizations'::regclass THEN 'none' ELSE 'organizations' END);
  END LOOP;
  FOREACH statement IN ARRAY restored LOOP EXECUTE statement; END LOOP;
  LOOP
    -- One at a time: it brings those along that it has foreign keys with. Some stay as they are: Citus refuses statements
    -- that count attempts and requests, which need no effect, and would remove the trigger against TRUNCATE from webhooks.
    SELECT c.oid::regclass AS name INTO local_table FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND c.relname NOT IN ('sign_in_attempts', 'rate_limits', 'webhook_events', 'webhook_deliveries')
      AND NOT EXISTS (SELECT FROM pg_dist_partition p WHERE p.logicalrelid = c.oid) LIMIT 1;
    EXIT WHEN NOT FOUND;
    PERFORM citus_add_local_table_to_metadata(local_table.name, cascade_via_foreign_keys => true);
  END LOOP;
  -- The next table of the same transaction needs its own list.
  DROP TABLE undistributed;
  -- The coordinator evaluates defaults, with its own transaction ids. Readers of the feed compare with those of the server
  -- that has the organization: an event would be hidden until that server has had as many transactions.
  IF to_regprocedure('event_transaction_id()') IS NULL THEN RETURN; END IF;
  -- A failover or a recovery of a server starts a new timeline of its log. Transaction ids repeat there if some were lost, so
  -- those of events are further ahead on each timeline.
  lead := $body$
    SELECT (CASE WHEN pg_is_in_recovery() THEN (SELECT timeline_id FROM pg_control_checkpoint())
      ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer END - 1) * 1000000::bigint $body$;
  BEGIN
    PERFORM pg_walfile_name(pg_current_wal_lsn());
  EXCEPTION WHEN feature_not_supported OR object_not_in_prerequisite_state OR insufficient_privilege THEN
    lead := 'SELECT 0::bigint';
  END;
  -- An event or an endpoint from a backup keeps its position.
  positioning := $body$
    BEGIN
      IF current_setting('purser.restoring', true) IS DISTINCT FROM 'on' THEN
        NEW.transaction_id := event_transaction_id();
        NEW.recorded_at := (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
      END IF;
      RETURN NEW;
    END $body$;
  FOR made IN
    SELECT * FROM (VALUES
      ('feed_lead', 'bigint', 'sql STABLE', lead),
      ('event_transaction_id', 'xid8', 'plpgsql', $body$
        BEGIN
          RETURN (greatest(
            pg_current_xact_id()::text::bigint,
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1
          ) + feed_lead())::text::xid8;
        END $body$),
      -- A commit that was prepared before the failover may still record an event with an id of then.
      ('feed_horizon', 'xid8', 'sql STABLE', $body$
        SELECT CASE
          WHEN feed_lead() = 0
            OR EXISTS (SELECT FROM pg_prepared_xacts WHERE prepared < clock_timestamp() - interval '1 second')
          THEN pg_snapshot_xmin(pg_current_snapshot())
          ELSE (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + feed_lead())::text::xid8 END $body$),
      ('position_event_on_server', 'trigger', 'plpgsql', positioning),
      ('position_endpoint_on_server', 'trigger', 'plpgsql', positioning)
    ) AS function (name, returns, kind, body)
    WHERE starts_with(name, 'position_') OR to_regprocedure('feed_horizon()') IS NOT NULL
  LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_proc WHERE oid = to_regprocedure(made.name || '()') AND prosrc = made.body);
    EXECUTE format('CREATE OR REPLACE FUNCTION %I() RETURNS %s LANGUAGE %s AS %L', made.name, made.returns, made.kind, made.body);
  END LOOP;
  IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'position_on_server' AND tgrelid = to_regclass('events'))
  THEN RETURN; END IF;
  -- They are not the ids of the events that there are, either, so these get an era of their own ("serverEras").
  IF to_regprocedure('server_timeline()') IS NOT NULL THEN
    CREATE OR REPLACE FUNCTION server_timeline() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 0';
  END IF;
  CREATE TRIGGER position_on_server BEFORE INSERT ON events
    FOR EACH ROW EXECUTE FUNCTION position_event_on_server();
  -- Without an event, an endpoint is where an event would be that is recorded while it is enabled.
  CREATE TRIGGER position_on_server BEFORE INSERT OR UPDATE OF status ON webhook_endpoints
    FOR EACH ROW WHEN (NEW.status = 'ENABLED' AND NEW.event_id = '')
    EXECUTE FUNCTION position_endpoint_on_server();
END $$`;
