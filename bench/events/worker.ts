import { openService } from "@purser/service";
import { readSettings } from "@purser/service/settings";
import { processLogger } from "../../apps/server/src/process/logger.ts";

// A process that only works, as `ROLE=worker` does. It serves nothing, so it has no address.
const settings = readSettings(process.env);
const service = await openService(settings, { logger: processLogger(settings) });
await service.monitor.start();
const worker = await service.startWorker();
process.on("SIGTERM", () => {
  void worker
    .stop(500)
    .then(() => service.close())
    .then(() => process.exit(0));
});
process.send?.({ baseUrl: "" });
