import type { Logger } from "@purser/core";
import type { Lifetime } from "./lifetime.ts";

/**
 * What nobody caught ends the process, as it must: nobody knows what it left half done. It is logged like any other
 * error, without data, and requests that have begun are still answered.
 */
export function endOnCrash(lifetime: Pick<Lifetime, "end">, logger: Logger): void {
  process.on("uncaughtException", (error) => {
    logger.error({ err: error }, "crashed");
    process.exitCode = 1;
    lifetime.end();
  });
}
