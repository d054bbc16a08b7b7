import { createHash, timingSafeEqual } from "node:crypto";
import { Problem } from "@purser/core";
import type { Hono } from "hono";
import { respond } from "./http/response.ts";
import type { HttpEnv } from "./http/context.ts";
import { apiHeaders } from "./http/headers.ts";
import type { Service } from "./service.ts";
import { registerGauges } from "./operations/gauges.ts";
import { registerPools } from "./operations/pools.ts";

/** Prometheus' text format; behind a bearer token where METRICS_TOKEN is set. */
export function metricsRoute(app: Hono<HttpEnv>, { metrics, platform }: Service): void {
  const { metricsToken } = platform.settings;
  const readGauges = registerGauges(metrics.registry, platform.db);
  registerPools(metrics.registry, platform);
  app.get("/metrics", async (c) => {
    if (metricsToken !== null && !same(c.req.header("authorization") ?? "", `Bearer ${metricsToken}`)) {
      throw new Problem("UNAUTHENTICATED");
    }
    await readGauges();
    const text = await metrics.registry.metrics();
    return respond(c, 200, text, { ...apiHeaders, "Content-Type": metrics.registry.contentType });
  });
}

/** Comparing digests takes the same time whatever was presented. */
function same(presented: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(presented), digest(expected));
}
