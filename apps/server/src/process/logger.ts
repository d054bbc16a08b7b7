import type { Logger } from "@purser/core";
import type { Settings } from "@purser/platform/settings";
import pino from "pino";
import type { Tracing } from "../tracing/port.ts";
import { describeError } from "./error-facts.ts";

/** A logger that can be emptied before the process ends. */
export interface ProcessLogger extends Logger {
  flush(): void;
}

/**
 * One JSON object a line on stdout. Errors are reduced to what cannot hold anybody's data. Where there are traces, a
 * line names the one that it belongs to.
 */
export function processLogger(
  { logLevel }: Pick<Settings, "logLevel">,
  tracing: Pick<Tracing, "logFields"> | null = null,
): ProcessLogger {
  const destination = pino.destination({ fd: 1, sync: false });
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // Both names are in use for an error.
    serializers: { err: describeError, error: describeError },
    ...(tracing && { mixin: () => tracing.logFields() ?? {} }),
  };
  const logger = pino(options, destination);
  return Object.assign(logger, {
    flush: () => {
      // Throws where the stream was never opened: then there is nothing to write.
      if (logLevel !== "silent") destination.flushSync();
    },
  });
}
