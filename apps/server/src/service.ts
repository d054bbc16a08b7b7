import type { Service } from "@purser/service";
import type { ConsoleState } from "./console/index.ts";
import type { RequestLine } from "./http/request-line.ts";
import type { Metrics } from "./operations/metrics.ts";
import type { Tracing } from "./tracing/port.ts";

/** Everything that handles requests. Created once when the process starts. */
export interface AppService extends Pick<
  Service,
  "platform" | "auth" | "limits" | "mailbox" | "monitor" | "receivers"
> {
  metrics: Metrics;
  /** Logs a request that has not failed. By default, `platform.logger` does. */
  logRequest?: (line: RequestLine) => void;
  /** Null without tracing. */
  tracing?: Tracing | null;
  /** The console as it is now. Absent or null where the process serves none. */
  webConsole?: (() => ConsoleState) | null;
  /** Whether the process is shutting down. */
  isDraining: () => boolean;
}
