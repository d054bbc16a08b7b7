import { sql } from "drizzle-orm";
import type { Database } from "./connection/database.ts";
import { eventEras } from "./schema/index.ts";

/** The eras of the events that are recorded on a server. */
export interface ServerEras {
  /** The first of them. An event of an earlier era is from another server, so nothing can appear before it any more. */
  first: number;
  /** The era of a new event is this and the server's timeline ({@link eraOnServer}). */
  base: number;
}

interface KnownServer {
  eras?: Promise<ServerEras>;
  /** The pool that is asked for them. */
  readonly asked: Database;
}

const known = new WeakMap<Database, KnownServer>();

/**
 * Returns the eras of the server. A server that the newest era is not from starts a new one, so that events which follow a
 * restored backup come after those in it.
 */
export function serverEras(db: Database): Promise<ServerEras> {
  const server = known.get(db) ?? { asked: db };
  known.set(db, server);
  const eras = (server.eras ??= findEras(server.asked));
  eras.catch(() => delete server.eras);
  return eras;
}

/**
 * Lets the eras be looked up again before they are next used, for example because another server may answer at the address of
 * the pool. Another pool is asked: the transactions that wait for the answer may hold all connections of this one.
 */
export function forgetServer(db: Database, asked: Database): void {
  known.set(db, { asked });
}

async function findEras(db: Database): Promise<ServerEras> {
  const [newest] = await db.execute<EraRow>(newestEra);
  if (newest !== undefined && isOfServer(newest))
    return { first: newest.era, base: newest.era - newest.timeline };
  await startEra(db);
  return findEras(db);
}

/** Starts an era, unless another process has. */
async function startEra(db: Database): Promise<void> {
  await db.transaction(async (transaction) => {
    // Two processes that start at once must not start two eras: the events of one would be hidden behind the other's.
    await transaction.execute(sql`LOCK TABLE ${eventEras} IN SHARE ROW EXCLUSIVE MODE`);
    const [newest] = await transaction.execute<EraRow>(newestEra);
    if (newest === undefined || !isOfServer(newest)) await transaction.execute(startingEra);
  });
}

/** An era, with the server and the timeline that started it and those of now. */
type EraRow = Record<"era" | "timeline" | "currentTimeline", number> &
  Record<"server" | "currentServer", string>;

// A standby does not tell its timeline. It becomes a primary, or a request fails because it cannot write.
const newestEra = sql`
  SELECT era, timeline, system_identifier AS server,
    (SELECT system_identifier::text FROM pg_control_system()) AS "currentServer",
    CASE WHEN pg_is_in_recovery() THEN timeline ELSE server_timeline() END AS "currentTimeline"
  FROM ${eventEras} ORDER BY era DESC LIMIT 1`;

function isOfServer({ server, currentServer, timeline, currentTimeline }: EraRow): boolean {
  // Timeline 0 is that of a distributed database, whose transaction ids are not those of the same server without it.
  const isOfSameKind = (timeline === 0) === (currentTimeline === 0);
  return server === currentServer && isOfSameKind && timeline <= currentTimeline;
}

/**
 * Eras are so far apart that each timeline of a server, which a failover or a recovery starts, has its own in between. They
 * grow by the time, so that servers which start from copies of one backup have different ones: by 1,024 in ten minutes, from
 * 2026 to 2063. After that, or if the clock has stepped back, an era is above the newest one and no more.
 */
const startingEra = sql`
  INSERT INTO ${eventEras} (era, system_identifier)
  SELECT greatest(coalesce((max(era) / 1024 + 1) * 1024, 1),
      least(floor((extract(epoch FROM now()) - 1767225600) / 600), 2000000)::integer * 1024),
    (SELECT system_identifier::text FROM pg_control_system())
  FROM ${eventEras}`;

/**
 * The era of what a statement writes, as an expression. PostgreSQL adds the timeline, because only the server of the
 * statement knows it: no process learns of a failover before its next statement.
 *
 * @param base An expression of `ServerEras.base`
 */
export const eraOnServer = (base: string) => `${base} + server_timeline()`;
