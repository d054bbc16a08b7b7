import { serve } from "@hono/node-server";
import { openService, readSettings } from "@purser/service";
import { createApp } from "../../apps/server/src/app.ts";
import { createMetrics } from "../../apps/server/src/operations/metrics.ts";
import { processLogger } from "../../apps/server/src/process/logger.ts";
import { benchRouter } from "./router.ts";

/** The service as it runs in production, all of its checks included, serving the procedures that are measured. */
const settings = readSettings(process.env);
const service = await openService(settings, { logger: processLogger(settings) });
const app = createApp({ ...service, metrics: createMetrics(), isDraining: () => false }, benchRouter);

const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
  process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
});
process.on("SIGTERM", () => {
  server.close();
  void service.close().then(() => process.exit(0));
});
