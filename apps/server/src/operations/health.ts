import type { Hono } from "hono";
import type { HttpEnv } from "../http/context.ts";
import { answerJson } from "../http/response.ts";
import type { AppService } from "../service.ts";
import { withTimeout } from "./timeout.ts";

/** Serves the probes of process managers and load balancers: is the process alive, and can it take requests? */
export function mountHealth(app: Hono<HttpEnv>, { platform, isDraining }: AppService): void {
  app.get("/health/live", (c) => answerJson(c, 200, { status: "ok" }));
  app.get("/health/ready", async (c) => {
    if (isDraining()) return answerJson(c, 503, { status: "draining" });
    const isUp = await databaseAnswers(platform.db.$client);
    return isUp ? answerJson(c, 200, { status: "ok" }) : answerJson(c, 503, { status: "database away" });
  });
}

/** Whether the database responds within a second. */
export async function databaseAnswers(client: AppService["platform"]["db"]["$client"]): Promise<boolean> {
  return withTimeout(
    client`select 1`.then(() => true),
    false,
  );
}
