import { serve } from "@hono/node-server";
import { openService, readSettings } from "@purser/service";
import { createApp } from "../../apps/server/src/app.ts";
import { createMetrics } from "../../apps/server/src/operations/metrics.ts";
import { processLogger } from "../../apps/server/src/process/logger.ts";

/** The service as it runs in production, with every procedure and all of its checks. */
const settings = readSettings(process.env);
const service = await openService(settings, { logger: processLogger(settings) });
const app = createApp({ ...service, metrics: createMetrics(), isDraining: () => false });

const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
});
process.on("SIGTERM", () => {
  server.close();
  void service.close().then(() => process.exit(0));
});
