import { sql } from "drizzle-orm";
import type { Database } from "./connection/database.ts";
import { eventEras } from "./schema/index.ts";

const known = new WeakMap<Database, Promise<number>>();

/**
 * Returns the era of the server's transaction ids. A server that the database has not lived on before starts a new one,
 * so that events which follow a restored backup are behind those in it.
 */
export function currentEra(db: Database): Promise<number> {
  const era = known.get(db) ?? findEra(db);
  known.set(db, era);
  era.catch(() => known.delete(db));
  return era;
}

async function findEra(db: Database): Promise<number> {
  const [found] = await db.execute<{ era: number }>(eraOfServer);
  if (found !== undefined) return found.era;
  // Another process may start the era at the same time. Then this one starts none, and finds it.
  await db.execute(sql`
    INSERT INTO ${eventEras} (era, system_identifier)
    SELECT (SELECT coalesce(max(era), 0) + 1 FROM ${eventEras}), system_identifier FROM pg_control_system()
    ON CONFLICT DO NOTHING`);
  return findEra(db);
}

const eraOfServer = sql`
  SELECT era FROM ${eventEras} JOIN pg_control_system() AS server ON server.system_identifier::text = ${sql.raw("event_eras.system_identifier")}`;
