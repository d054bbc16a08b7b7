import type { Logger } from "@purser/core";
import type { Settings } from "@purser/platform/settings";
import pino from "pino";
import type { Tracing } from "../tracing/port.ts";
import { describeError } from "./describe-error.ts";

/** A logger that can be flushed before the process ends. */
export interface ProcessLogger extends Logger {
  flush(): void;
}

/**
 * Logs one JSON object per line to stdout. Errors are reduced to fields without personal data. With tracing, each line
 * has its trace id.
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
    // Both names are used for errors.
    serializers: { err: describeError, error: describeError },
    ...(tracing && { mixin: () => tracing.logFields() ?? {} }),
  };
  const logger = pino(options, destination);
  return Object.assign(logger, {
    flush: () => {
      // flushSync throws if the stream was never opened, and then there is nothing to write.
      if (logLevel !== "silent") destination.flushSync();
    },
  });
}
