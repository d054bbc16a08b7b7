import type { Logger } from "@purser/core";
import type { RequestLine } from "../http/request-line.ts";
import type { Settings } from "@purser/platform/settings";
import pino from "pino";
import type { Tracing } from "../tracing/port.ts";
import { describeError } from "./describe-error.ts";

/** A logger that can be flushed before the process ends. */
export interface ProcessLogger extends Logger {
  /** Logs a request as `info` would, in a fifth of the time: none of its fields needs to be escaped. */
  logRequest: (line: RequestLine) => void;
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
  const destination = batchedLines();
  const options = {
    level: logLevel,
    base: null,
    timestamp: () => `,"time":"${isoTime()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    // Both names are used for errors.
    serializers: { err: describeError, error: describeError },
    ...(tracing && { mixin: () => tracing.logFields() ?? {} }),
  };
  const logger = pino(options, destination);
  const isOn = logger.isLevelEnabled("info");
  return Object.assign(logger, {
    logRequest: (line: RequestLine) => {
      if (!isOn) return;
      const { method, route, status, ms, requestId, userId, keyId } = line;
      let text = `{"level":"info","time":"${isoTime()}","method":"${method}","route":"${route}","status":${status},"ms":${ms}`;
      text += `,"requestId":"${requestId}"`;
      if (userId !== undefined) text += `,"userId":"${userId}"`;
      if (keyId !== undefined) text += `,"keyId":"${keyId}"`;
      const trace = tracing?.logFields();
      if (trace) text += `,"trace_id":"${trace.trace_id}","span_id":"${trace.span_id}"`;
      destination.write(`${text},"msg":"request"}\n`);
    },
    flush: () => {
      // flushSync throws if the stream was never opened, and then there is nothing to write.
      if (logLevel !== "silent") destination.flush();
    },
  });
}

let lastMs = 0;
let lastTime = "";

/** The present time. Formatting a date costs more than the rest of a line, and many lines share their millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastTime = new Date(now).toISOString();
  }
  return lastTime;
}

/** How long a line may wait for others. */
const batchMs = 10;

/** The room for lines. It grows for a burst of them. */
const batchBytes = 64 * 1024;

/** Pino's stream as it is with `contentMode: "buffer"`, which its types do not say. */
interface ByteStream {
  write(bytes: Uint8Array | string): boolean;
  flushSync(): void;
}

/**
 * Writes the lines of a few milliseconds at once. A write for each would be a tenth of a small request's time. Each line
 * becomes bytes while its pieces are still in the processor's cache.
 */
function batchedLines(): { write(line: string): void; flush(): void } {
  const stdout: ByteStream = pino.destination({ fd: 1, sync: false, contentMode: "buffer" });
  let batch = Buffer.allocUnsafe(batchBytes);
  let used = 0;
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    if (used === 0) return;
    stdout.write(batch.subarray(0, used));
    // The stream keeps the bytes until the system has taken them.
    batch = Buffer.allocUnsafe(batchBytes);
    used = 0;
  };
  // Before pino's own listener, which flushes the stream and ends it.
  process.prependListener("exit", send);
  return {
    write(line) {
      const needed = used + line.length * 3;
      // Sent earlier, the first half would be overtaken by the second if the process flushed meanwhile.
      if (needed > batch.length) batch = Buffer.concat([batch.subarray(0, used)], 2 * needed);
      used += batch.write(line, used);
      timer ??= setTimeout(send, batchMs);
    },
    flush() {
      send();
      stdout.flushSync();
    },
  };
}
