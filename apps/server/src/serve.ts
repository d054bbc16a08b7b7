import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@purser/core";
import { migrateDatabase } from "@purser/platform";
import { processEnvironment } from "@purser/platform/settings";
import { ensureDemo, openService, registeredJobs } from "@purser/service";
import { type ServiceSettings, readSettings } from "@purser/service/settings";
import { createApp } from "./app.ts";
import { type ConsoleState, buildConsole, builtConsole, hasConsoleSources } from "./console/index.ts";
import { crossSiteOrigins } from "./http/cors.ts";
import { createMetrics } from "./operations/metrics.ts";
import { endOnCrash } from "./process/crash.ts";
import { type HttpServer, bindHttpServer } from "./process/http-server.ts";
import type { Lifetime } from "./process/lifetime.ts";
import { processLogger } from "./process/logger.ts";
import { startupMessage } from "./process/startup-message.ts";
import { openTracing } from "./tracing/index.ts";

/**
 * How long running requests may take to finish: a silent database ends the last statement of one after 7.5 seconds. Then
 * closing the pools takes up to half a second, which leaves a busy machine a second until `Lifetime` ends the process with a
 * failure after 9.5.
 */
const drainMs = 8000;
/** How long running jobs may take to finish. The rest runs again in another worker. */
const stopWorkerMs = 7000;
/** When long-polling requests must respond. */
const longPollEndMs = 5000;

/** Migrates the database, opens the service, serves requests, and runs jobs, until the process ends. */
export async function serveUntilEnd(configured: ServiceSettings, lifetime: Lifetime): Promise<void> {
  const tracing = await openTracing(configured, (err) =>
    // The logger exists by then. It needs the tracing, and only the export of a span can fail, of which there is none yet.
    logger.warn({ err }, "Traces could not be exported"),
  );
  const logger = processLogger(configured, tracing);
  lifetime.closeLater(() => logger.flush());
  lifetime.closeLater(() => tracing?.close());
  endOnCrash(lifetime, logger);

  const ready = Promise.withResolvers<void>();
  const webConsole = openConsole(configured, { lifetime, logger, ready: ready.promise });
  const metrics = createMetrics();
  let server: HttpServer | null = null;
  lifetime.closeLater(() => server?.cut());
  let settings = configured;
  if (configured.port === 0) {
    // BASE_URL contains the port by default, so the system must choose it before anything reads the settings.
    server = await bindHttpServer(configured, metrics.edge);
    const bound = readSettings({ ...processEnvironment(), PORT: String(server.port) });
    settings = { ...bound, databaseUrl: configured.databaseUrl };
    logger.warn({ port: server.port }, "The system chose the port");
  }
  for (const origin of crossSiteOrigins(settings))
    logger.warn({ origin }, "A trusted origin is on another site, so browsers send no cookie from it");
  await migrateDatabase(settings, registeredJobs, { logger });

  const service = await openService(settings, {
    logger,
    meter: metrics.meter,
    tracer: tracing,
    shutdownSignal: longPollEnd(lifetime, settings.shutdownDelayMs),
  });
  lifetime.closeLater(() => service.close());
  const { db, decisionDb, lockDb } = service.platform;
  // A database without a connection for each pool ends the start here. Later it would decline the first purchase.
  await Promise.all([db, decisionDb, lockDb].map((pool) => pool.$client`SELECT 1`));
  await service.monitor.start();
  const demo = await ensureDemo(service);

  const { logRequest } = logger;
  const isDraining = () => lifetime.isEnding;
  const app = createApp({ ...service, metrics, tracing, webConsole, logRequest, isDraining });
  const worker = settings.role === "server" ? null : service.startWorker();
  const stopWorker = async () => (await worker)?.stop(stopWorkerMs);
  const drainServer = async () => {
    // Until then /health/ready is 503, so that load balancers send their new connections to other processes.
    await sleep(lifetime.delayMs);
    // Event-stream clients reconnect to another process while this one finishes its requests.
    service.platform.eventStreams.drain();
    await server?.drain(drainMs, logger);
  };
  lifetime.closeLater(() => Promise.all([drainServer(), stopWorker()]));
  // Listen only after the worker has started. Otherwise a process that loses its database during startup looks ready.
  await worker;
  server ??= await bindHttpServer(settings, metrics.edge);
  server.serve(app.fetch);
  lifetime.onHurry(() => server?.cut());
  lifetime.delayBy(settings.shutdownDelayMs);

  if (settings.production)
    logger.info({ role: settings.role, port: server.port, baseUrl: settings.baseUrl }, "ready");
  else process.stdout.write(startupMessage({ settings, demo }));
  ready.resolve();
  await lifetime.ended;
}

/**
 * From source, serves the console only with `--console`, which rebuilds it in the background if its sources changed. Tests
 * therefore serve none.
 */
function openConsole(
  { role }: ServiceSettings,
  { lifetime, logger, ready }: { lifetime: Lifetime; logger: Logger; ready: Promise<void> },
): (() => ConsoleState) | null {
  if (role === "worker") return null;
  if (hasConsoleSources()) {
    if (!process.argv.includes("--console")) return null;
    const ending = new AbortController();
    lifetime.onHurry(() => ending.abort());
    lifetime.closeLater(() => ending.abort());
    return buildConsole(ending.signal, ready);
  }
  const built = builtConsole();
  if (built() === "not built") logger.warn({}, "The console is not built. Run: pnpm build");
  return built;
}

/** Aborts some time after the shutdown begins, so that long-polling requests respond before they are cut off. */
function longPollEnd(lifetime: Lifetime, delayMs: number): AbortSignal {
  const controller = new AbortController();
  void lifetime.ended.then(() => setTimeout(() => controller.abort(), delayMs + longPollEndMs).unref());
  return controller.signal;
}
