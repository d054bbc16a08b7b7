import { setTimeout as sleep } from "node:timers/promises";
import { startEmbeddedDatabase } from "@purser/db/embedded";

/** Loading modules blocks this process, so PostgreSQL's own programs start first. */
const spawnMs = 150;

// `node prepare-database.ts <data folder>`. It leaves the database running, and the service takes it over.
const starting = startEmbeddedDatabase(process.argv[2]!, () => undefined);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void stop());
const [{ url }, { migrate }] = await Promise.all([starting, sleep(spawnMs).then(() => import("@purser/db"))]);
await migrate(url);
// Otherwise the lock of the data folder keeps the process alive.
process.exit();

async function stop(): Promise<void> {
  await (await starting).close();
  process.exit(1);
}
