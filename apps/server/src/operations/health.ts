import type { Hono } from "hono";
import type { HttpEnv } from "../http/context.ts";
import { respondWithJson } from "../http/response.ts";
import type { AppService } from "../service.ts";
import { usesOf } from "./pools.ts";

/** Serves the probes of process managers and load balancers: is the process alive, and can it take requests? */
export function mountHealth(app: Hono<HttpEnv>, { platform, monitor, isDraining }: AppService): void {
  app.get("/health/live", (c) => respondWithJson(c, 200, { status: "ok" }));
  app.get("/health/ready", async (c) => {
    if (isDraining()) return respondWithJson(c, 503, { status: "draining" });
    const state = await monitor.probe();
    // A pool without a free connection does not make the process unready. The cause, such as a locked table, slows
    // every process, and requests that do not need it are still served.
    const slow = usesOf(platform)
      .filter(({ use }) => use.waiting > 0)
      .map(({ pool }) => pool);
    const body = { status: state, ...(slow.length > 0 && { slow }) };
    return respondWithJson(c, state === "ok" ? 200 : 503, body);
  });
}
