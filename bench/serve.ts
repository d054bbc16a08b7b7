import type { routerOf } from "@purser/router";
import { type Service, openService } from "@purser/service";
import { readSettings } from "@purser/service/settings";
import { createApp } from "../apps/server/src/app.ts";
import { createMetrics } from "../apps/server/src/operations/metrics.ts";
import { listen } from "../apps/server/src/process/http-server.ts";
import { processLogger } from "../apps/server/src/process/logger.ts";

/** Serves the app as it runs in production, with all of its checks, and reports its address to the parent process. */
export async function serveApp(router?: ReturnType<typeof routerOf>): Promise<Service> {
  const settings = readSettings(process.env);
  const logger = processLogger(settings);
  const service = await openService(settings, { logger });
  const metrics = createMetrics();
  const app = createApp(
    { ...service, metrics, logRequest: logger.logRequest, isDraining: () => false },
    router,
  );
  const server = await listen(app.fetch, { ...settings, host: "127.0.0.1", port: 0 }, metrics.edge);
  process.on("SIGTERM", () => {
    server.cut();
    void service.close().then(() => process.exit(0));
  });
  process.send?.({ baseUrl: `http://127.0.0.1:${server.port}` });
  return service;
}
