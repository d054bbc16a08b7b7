import type { Logger } from "@purser/core";
import type { Lifetime } from "./lifetime.ts";

/**
 * Ends the process after an uncaught error, because its state is unknown. The error is logged without data, and running
 * requests are still finished.
 */
export function endOnCrash(lifetime: Pick<Lifetime, "end">, logger: Logger): void {
  process.on("uncaughtException", (error) => {
    logger.error({ err: error }, "Crashed");
    process.exitCode = 1;
    lifetime.end();
  });
}
