import type { Hono } from "hono";
import { answerJson } from "../http/response.ts";
import type { HttpEnv } from "../http/context.ts";
import type { Service } from "../service.ts";
import { withTimeout } from "./timeout.ts";

/** For whoever starts, stops and balances processes: is this one alive, and may it be sent requests? */
export function healthRoutes(app: Hono<HttpEnv>, { platform, isDraining }: Service): void {
  app.get("/health/live", (c) => answerJson(c, 200, { status: "ok" }));
  app.get("/health/ready", async (c) => {
    if (isDraining()) return answerJson(c, 503, { status: "draining" });
    const answers = await databaseAnswers(platform.db.$client);
    return answers ? answerJson(c, 200, { status: "ok" }) : answerJson(c, 503, { status: "database away" });
  });
}

/** Whether the database answers within a second. */
export async function databaseAnswers(client: Service["platform"]["db"]["$client"]): Promise<boolean> {
  return withTimeout(
    client`select 1`.then(() => true),
    false,
  );
}
