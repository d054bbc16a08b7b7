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
    const state = await databaseState(platform.db.$client);
    return state === "ok" ? answerJson(c, 200, { status: "ok" }) : answerJson(c, 503, { status: state });
  });
}

/** Whether the database responds within a second, and accepts writes. */
export async function databaseState(
  client: AppService["platform"]["db"]["$client"],
): Promise<"ok" | "database read-only" | "database unreachable"> {
  return withTimeout(
    client<{ transaction_read_only: "on" | "off" }[]>`SHOW transaction_read_only`.then(([setting]) =>
      setting!.transaction_read_only === "on" ? "database read-only" : "ok",
    ),
    "database unreachable",
  );
}
