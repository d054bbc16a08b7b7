import { type Database, isDistributedDatabase } from "@purser/db";
import { type SQL, sql } from "drizzle-orm";

/** Creates or drops a trigger. Citus allows that only to those who ask for it; elsewhere the setting has no effect. */
export async function changeTestTrigger(db: Database, definition: SQL): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.execute(sql`SET LOCAL citus.enable_unsafe_triggers = on`);
    await transaction.execute(definition);
  });
}

/**
 * Creates a table that triggers use. Triggers run where the row is, so a cluster has the table on every server: placed by
 * organization if it has one, copied otherwise. A function that uses it needs
 * `SET citus.allow_nested_distributed_execution = on`, which has no effect elsewhere.
 */
export async function createTestTable(db: Database, name: string, columns: string): Promise<void> {
  await db.execute(sql.raw(`CREATE TABLE ${name} (${columns})`));
  if (!(await isDistributedDatabase(db))) return;
  await db.execute(
    columns.includes("organization_id")
      ? sql`SELECT create_distributed_table(${name}, 'organization_id', colocate_with => 'organizations')`
      : sql`SELECT create_reference_table(${name})`,
  );
}

/** Creates a sequence that triggers use. Each server of a cluster has its own. */
export async function createTestSequence(db: Database, name: string): Promise<void> {
  await onEachServer(db, `CREATE SEQUENCE ${name}`);
}

/** Runs a statement on every server of a cluster, or on one PostgreSQL. Returns the first value of each. */
export async function onEachServer(db: Database, statement: string): Promise<string[]> {
  if (!(await isDistributedDatabase(db))) {
    const [row = {}] = await db.execute(sql.raw(statement));
    return Object.values(row).slice(0, 1).map(String);
  }
  const results = await db.execute<{ success: boolean; result: string }>(
    sql`SELECT success, result FROM run_command_on_all_nodes(${statement})`,
  );
  const failed = results.find(({ success }) => !success);
  if (failed !== undefined) throw new Error(failed.result);
  return results.map(({ result }) => result);
}
