import { ensureDemo, openService, readSettings, registeredJobs } from "@purser/service";
import { migrateDatabase } from "@purser/platform";
import { processEnvironment } from "@purser/platform/settings";
import { createApp } from "./app.ts";
import { createMetrics } from "./operations/metrics.ts";
import { endOnCrash } from "./process/crash.ts";
import { databaseOf } from "./database.ts";
import { explain } from "./process/failure.ts";
import { startupMessage } from "./process/greeting.ts";
import { type HttpServer, listen } from "./process/http-server.ts";
import { Interrupted, Lifetime } from "./process/lifetime.ts";
import { processLogger } from "./process/logger.ts";
import { onParentExit } from "./process/parent-exit.ts";
import { openTracing } from "./tracing/index.ts";

/** How long requests and jobs that have begun may take to end. With all else it stays below 10 seconds. */
const drainMs = 8000;
/** When requests that only wait for somebody else are asked to answer. */
const lastCallMs = 5000;

const lifetime = new Lifetime();
try {
  const given = readSettings(processEnvironment());
  const tracing = await openTracing(given, (err) => logger.warn({ err }, "Traces could not be exported"));
  const logger = processLogger(given, tracing);
  lifetime.closeLater(() => logger.flush());
  lifetime.closeLater(() => tracing?.close());
  endOnCrash(lifetime, logger);

  if (!given.production) onParentExit(() => lifetime.end());

  const settings = await databaseOf(given, lifetime, logger);
  await migrateDatabase(settings, registeredJobs);
  const metrics = createMetrics();
  const lastCall = new AbortController();
  void lifetime.ended.then(() => setTimeout(() => lastCall.abort(), lastCallMs).unref());
  const shutdownSignal = lastCall.signal;
  const service = await openService(settings, {
    logger,
    meter: metrics.meter,
    tracer: tracing,
    shutdownSignal,
  });
  lifetime.closeLater(() => service.close());
  const demo = await ensureDemo(service);

  const app = createApp({ ...service, metrics, tracing, isDraining: () => lifetime.isEnding });
  const working = settings.role === "server" ? null : service.startWorker();
  let server: HttpServer | null = null;
  const stopWorking = async () => (await working)?.stop(drainMs);
  lifetime.closeLater(() => Promise.all([server?.drain(drainMs, logger), stopWorking()]));
  // Only then is it ready: who loses the database while a worker starts, ends, and nobody may rely on it yet.
  await working;
  server = await listen(app.fetch, settings);
  lifetime.onHurry(() => server?.cut());

  if (settings.production) logger.info({ role: settings.role, baseUrl: settings.baseUrl }, "ready");
  else process.stdout.write(startupMessage({ settings, demo }));
  await lifetime.ended;
} catch (error) {
  if (!(error instanceof Interrupted)) {
    process.exitCode = 1;
    process.stderr.write(`${explain(error)}\n`);
  }
} finally {
  await lifetime.close();
}
