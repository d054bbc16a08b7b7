import type { Executor } from "@purser/db";
import { defineGauge } from "@purser/platform";
import { findOldestTransactions } from "../store.ts";

/** The metrics of the feed, which webhooks and streams read too. */
export const feedMetrics = {
  delay: defineGauge("purser_event_feed_delay_seconds", {
    help: "How long the oldest transaction that has written anything has been open, in any database of the server; on a cluster, of the node where that is longest. Events that were recorded since then wait for it. Of a transaction whose begin PostgreSQL does not tell the service, how long the process has seen it",
    labels: [],
    read: readFeedDelay,
  }),
};

/** Since when this process has seen the oldest transaction whose start PostgreSQL does not report, by pool. */
const hiddenSince = new WeakMap<Executor, { id: string; since: number }>();

async function readFeedDelay(db: Executor): Promise<{ value: number }[]> {
  const oldest = await findOldestTransactions(db);
  const now = performance.now();
  const delays = oldest.map(({ seconds, hidden, pool }) => {
    const seen = hiddenSince.get(pool);
    const since = seen !== undefined && seen.id === hidden ? seen.since : now;
    if (hidden === null) hiddenSince.delete(pool);
    else hiddenSince.set(pool, { id: hidden, since });
    return Math.max(seconds, (now - since) / 1000);
  });
  return [{ value: Math.max(...delays) }];
}
