import { defineGauge } from "@purser/platform";
import { readFeedDelay } from "../store.ts";

/** The metrics of the feed, which webhooks and streams read too. */
export const feedMetrics = {
  delay: defineGauge("purser_event_feed_delay_seconds", {
    help: "How long the oldest transaction that has written anything has been open, in any database of the server. Events that were recorded since then wait for it",
    labels: [],
    read: readFeedDelay,
  }),
};
