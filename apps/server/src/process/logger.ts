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
    timestamp: () => `,"time":"${isoTime(Date.now())}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    // Both names are used for errors.
    serializers: { err: describeError, error: describeError },
    ...(tracing && { mixin: () => tracing.logFields() ?? {} }),
  };
  const logger = pino(options, destination);
  const isOn = logger.isLevelEnabled("info");
  return Object.assign(logger, {
    logRequest: (line: RequestLine) => {
      if (isOn) destination.write({ line, at: Date.now(), trace: tracing?.logFields() });
    },
    flush: () => {
      // flushSync throws if the stream was never opened, and then there is nothing to write.
      if (logLevel !== "silent") destination.flush();
    },
  });
}

/** A request that is answered, until its line is sent. */
interface AnsweredRequest {
  line: RequestLine;
  /** In milliseconds since the epoch. */
  at: number;
  trace: ReturnType<Tracing["logFields"]>;
}

function textOf({ line, at, trace }: AnsweredRequest): string {
  const { method, route, status, ms, requestId, userId, keyId } = line;
  let text = `{"level":"info","time":"${isoTime(at)}","method":"${method}","route":"${route}","status":${status},"ms":${ms}`;
  text += `,"requestId":"${requestId}"`;
  if (userId !== undefined) text += `,"userId":"${userId}"`;
  if (keyId !== undefined) text += `,"keyId":"${keyId}"`;
  if (trace !== undefined) text += `,"trace_id":"${trace.trace_id}","span_id":"${trace.span_id}"`;
  return `${text},"msg":"request"}\n`;
}

let lastMs = 0;
let lastTime = "";

/** Formatting a date costs more than the rest of a line, and many lines share their millisecond. */
function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastTime = new Date(ms).toISOString();
  }
  return lastTime;
}

/** How long a line may wait for others. */
const batchMs = 10;

/** Pino's stream as it is with `contentMode: "buffer"`, which its types do not say. */
interface ByteStream {
  write(bytes: Uint8Array | string): boolean;
  flushSync(): void;
}

interface BatchedLines {
  write(line: string | AnsweredRequest): void;
  flush(): void;
}

/**
 * Writes the lines of a few milliseconds at once. A write for each would be a tenth of a small request's time. Even the texts of
 * requests are put together only then: one after the other, they take a quarter less than each within its request.
 */
function batchedLines(): BatchedLines {
  const stdout: ByteStream = pino.destination({ fd: 1, sync: false, contentMode: "buffer" });
  let waiting: (string | AnsweredRequest)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const lines = waiting;
    waiting = [];
    let text = "";
    for (const line of lines) text += typeof line === "string" ? line : textOf(line);
    // In one piece: sent in two, the first one would be overtaken by the second if the process flushed meanwhile.
    stdout.write(Buffer.from(text));
  };
  // Before pino's own listener, which flushes the stream and ends it.
  process.prependListener("exit", send);
  return {
    write(line) {
      waiting.push(line);
      timer ??= setTimeout(send, batchMs);
    },
    flush() {
      send();
      stdout.flushSync();
    },
  };
}
