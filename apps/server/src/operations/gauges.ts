import type { DatabaseMonitor } from "@purser/db";
import { type Platform, withTimeout } from "@purser/platform";
import { registeredMetrics } from "@purser/service";
import { Gauge, type Registry } from "prom-client";

/** How long the gauges of one scrape take together, and how long one of them may. */
const timeoutMs = 1000;

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
      name,
      gauge: new Gauge({ name, help, labelNames: labels, registers }),
      labels,
      read,
    }));
  const gaugeUp = new Gauge({
    name: "purser_gauge_up",
    help: "1 if a gauge of the database was read, otherwise 0: it took too long or failed, and has no value",
    labelNames: ["gauge"],
    registers,
  });
  const readAll = async () => {
    const until = performance.now() + timeoutMs;
    const isUp = (await monitor.probe()) === "ok";
    up.set(isUp ? 1 : 0);
    // One after the other, so that a scrape takes only one connection from the requests.
    let tried = 0;
    for (const { name, gauge, labels, read } of gauges) {
      const isTried = isUp && performance.now() <= until;
      if (isTried) tried += 1;
      const series = isTried ? await readInTime(read(db)) : null;
      gaugeUp.set({ gauge: name }, series === null ? 0 : 1);
      gauge.reset();
      // Resetting a gauge without labels sets it to 0, which would be a value.
      if (labels.length === 0) gauge.remove();
      for (const one of series ?? [])
        gauge.set(Object.fromEntries(labels.map((label) => [label, one[label]!])), Number(one["value"]));
    }
    // So a gauge that takes all of the time comes last at the next scrape.
    gauges.push(...gauges.splice(0, tried));
  };
  let reading: Promise<void> | undefined;
  return () => (reading ??= readAll().finally(() => (reading = undefined)));
}

/** Resolves to the result, or to null after a second or a failure. */
async function readInTime<Value>(reading: PromiseLike<Value>): Promise<Value | null> {
  const settled = Promise.resolve(reading).catch(() => null);
  return (await withTimeout(settled, timeoutMs)) ?? null;
}
