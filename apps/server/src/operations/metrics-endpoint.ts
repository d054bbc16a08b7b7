import { hash, timingSafeEqual } from "node:crypto";
import { Problem } from "@purser/core";
import type { Hono } from "hono";
import { respondCompressed } from "../http/compression.ts";
import type { HttpEnv } from "../http/context.ts";
import { apiHeaders } from "../http/headers.ts";
import type { AppService } from "../service.ts";
import { registerGauges } from "./gauges.ts";
import { registerPools } from "./pools.ts";

/** Serves metrics in Prometheus' text format. METRICS_TOKEN, if set, is required as a bearer token. */
export function mountMetrics(app: Hono<HttpEnv>, { metrics, platform, monitor }: AppService): void {
  const { metricsToken } = platform.settings;
  const readGauges = registerGauges(metrics.registry, platform.db, monitor);
  registerPools(metrics.registry, platform, monitor);
  app.get("/metrics", async (c) => {
    if (metricsToken !== null && !isEqual(c.req.header("authorization") ?? "", `Bearer ${metricsToken}`)) {
      throw new Problem("UNAUTHENTICATED");
    }
    await readGauges();
    const text = await metrics.registry.metrics();
    return respondCompressed(c, 200, text, { ...apiHeaders, "Content-Type": metrics.registry.contentType });
  });
}

/** Compares digests, so that the time does not depend on the presented value. */
function isEqual(presented: string, expected: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(presented), digest(expected));
}
