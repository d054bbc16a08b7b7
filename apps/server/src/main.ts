import { processEnvironment } from "@purser/platform/settings";
import { readSettings } from "@purser/service/settings";
import { ensureDatabase } from "./process/database.ts";
import { StartInterrupted, Lifetime } from "./process/lifetime.ts";
import { onParentExit } from "./process/parent-exit.ts";

const lifetime = new Lifetime();
try {
  const settings = readSettings(processEnvironment());
  if (!settings.production) onParentExit(() => lifetime.end());
  // Another process creates the embedded database while this one loads the service. The import comes second: it blocks this
  // process for seconds.
  const database = ensureDatabase(settings, lifetime);
  const loading = import("./serve.ts");
  loading.catch(() => undefined);
  const databaseUrl = await database;
  const { serveUntilEnd } = await loading;
  await serveUntilEnd({ ...settings, databaseUrl }, lifetime);
} catch (error) {
  if (!(error instanceof StartInterrupted)) {
    const { startupFailure } = await import("./process/startup-failure.ts");
    process.exitCode = 1;
    process.stderr.write(`${startupFailure(error)}\n`);
  }
} finally {
  await lifetime.close();
}
