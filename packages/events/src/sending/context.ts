import type { Platform } from "@purser/platform";
import type { WebhookClient } from "./client.ts";

/** What sending webhooks needs of the process. */
export type SendingPlatform = Pick<
  Platform,
  "db" | "nodes" | "clock" | "logger" | "meter" | "outbox" | "eventLog" | "settings" | "shutdownSignal"
>;

/** What sends, and how much at once. */
export interface SendingOptions {
  client: WebhookClient;
  /** Endpoints that this process sends to at the same time. Half of them may be failing or slow ones. Default: 1,000. */
  maxEndpoints?: number;
}
