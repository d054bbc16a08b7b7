import type { DatabaseMonitor } from "@purser/db";
import { type Platform, withTimeout } from "@purser/platform";
import { registeredMetrics } from "@purser/service";
import { Gauge, type Registry } from "prom-client";

/**
 * Registers the gauges of the database. The returned function reads them; call it before each scrape. What could not be read
 * has no series. Scrapes at the same time share a reading.
 */
export function registerGauges(
  registry: Registry,
  db: Platform["db"],
  monitor: Pick<DatabaseMonitor, "probe">,
): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({
    name: "purser_database_up",
    help: "1 if the database responds within a second and accepts writes, otherwise 0",
    registers,
  });
  const gauges = registeredMetrics
    .filter((metric) => metric.type === "gauge")
    .map(({ name, help, labels, read }) => ({
      gauge: new Gauge({ name, help, labelNames: labels, registers }),
      labels,
      read,
    }));
  const readAll = async () => {
    const until = performance.now() + 1000;
    // One after the other, so that a scrape takes only one connection from the requests.
    let isUp = (await monitor.probe()) === "ok";
    up.set(isUp ? 1 : 0);
    for (const { gauge, labels, read } of gauges) {
      const isRead = isUp && performance.now() <= until;
      const series = isRead ? await readInTime(read(db)) : [];
      isUp &&= series !== null;
      gauge.reset();
      // Resetting a gauge without labels sets it to 0, which would be a value.
      if (labels.length === 0) gauge.remove();
      for (const one of series ?? [])
        gauge.set(Object.fromEntries(labels.map((label) => [label, one[label]!])), Number(one["value"]));
    }
  };
  let reading: Promise<void> | undefined;
  return () => (reading ??= readAll().finally(() => (reading = undefined)));
}

const timeoutMs = 1000;

/** Resolves to the result, or to null after a second or a failure. */
async function readInTime<Value>(reading: PromiseLike<Value>): Promise<Value | null> {
  const settled = Promise.resolve(reading).catch(() => null);
  return (await withTimeout(settled, timeoutMs)) ?? null;
}
