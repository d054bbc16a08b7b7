import { defineCounter, defineGauge, defineHistogram } from "@purser/platform";
import { readSendingDelays } from "./store/delays.ts";

/** The metrics of outgoing webhooks. Those of incoming ones are the platform's. */
export const webhookMetrics = {
  attemptDuration: defineHistogram("purser_webhook_attempt_duration_seconds", {
    help: "Attempts to send an event to an endpoint: delivered, refused by its status, or unanswered",
    labels: ["outcome"],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  }),
  endpointsDisabled: defineCounter("purser_webhook_endpoints_disabled_total", {
    help: "Endpoints that were disabled because they answered 410 (gone) or failed for five days (failing)",
    labels: ["reason"],
    initialSeries: [{ reason: "gone" }, { reason: "failing" }],
  }),
  delay: defineGauge("purser_webhook_delay_seconds", {
    help: "How long the oldest event has been waiting to be read for an endpoint (feed), and the endpoint that is due for longest to be sent to (sending). Failing endpoints do not count",
    labels: ["stage"],
    read: readSendingDelays,
  }),
};
