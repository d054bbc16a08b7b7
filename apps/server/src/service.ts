import type { Service as OpenService } from "@purser/service";
import type { WebhookReceiver } from "@purser/platform/inbox";
import type { Metrics } from "./operations/metrics.ts";
import type { Tracing } from "./tracing/port.ts";

/** Everything that answers requests, made once when the process starts. */
export interface Service extends Pick<OpenService, "platform" | "auth" | "limits" | "mailbox"> {
  /** The providers whose webhooks are taken in. */
  receivers: readonly WebhookReceiver[];
  metrics: Metrics;
  /** Null where nobody looks at traces. */
  tracing?: Tracing | null;
  /** Whether the process is about to end. */
  isDraining: () => boolean;
}
