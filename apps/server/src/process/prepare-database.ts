import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedDatabase } from "@purser/db/embedded";

/** Loading modules blocks this process, so PostgreSQL's own programs start first. */
const spawnMs = 150;

// `node prepare-database.ts <data folder>`, by a service that starts. It sends a message when the database is ready, and holds
// the lock of the data folder until it may leave the running database to the service. If the service ends before, it stops the
// database.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
const starting = startEmbeddedDatabase(process.argv[2]!, () => undefined);
process.once("message", () => process.exit());
process.once("disconnect", () => void stop());
const [{ url }, { migrate }] = await Promise.all([starting, sleep(spawnMs).then(() => import("@purser/db"))]);
// If a migration has to wait, the service runs it and logs the wait.
const waits = Promise.withResolvers<void>();
const logger = { warn: () => waits.resolve() };
await Promise.race([migrate(url, { logger }), waits.promise]).catch(() => undefined);
// Without a service, `stop` is at work, or will be in a moment if the service has ended just now. An error of a message
// without a receiver would end the process before it.
if (process.connected) process.send!("ready", () => undefined);

async function stop(): Promise<void> {
  const database = await starting;
  await database.close();
  process.exit();
}
