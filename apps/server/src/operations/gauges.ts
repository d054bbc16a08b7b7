import { type Platform, databaseGauges } from "@purser/router";
import { Gauge, type Registry } from "prom-client";
import { databaseAnswers } from "./health.ts";
import { withinASecond } from "./patience.ts";

type Client = Platform["db"]["$client"];

/** Registers the gauges; what it gives reads them anew, to be called before they are told. */
export function registerGauges(registry: Registry, client: Client): () => Promise<void> {
  const registers = [registry];
  const up = new Gauge({
    name: "purser_database_up",
    help: "Whether the database answers within a second: 1 or 0",
    registers,
  });
  const gauges = databaseGauges.map(({ name, help, labels, ask }) => ({
    gauge: new Gauge({ name, help, labelNames: labels, registers }),
    labels,
    ask,
  }));
  return async () => {
    const until = performance.now() + 1000;
    // One after the other: whoever reads the metrics takes one connection from the requests, not all.
    let isUp = await databaseAnswers(client);
    up.set(isUp ? 1 : 0);
    for (const { gauge, labels, ask } of gauges) {
      gauge.reset();
      if (!isUp || performance.now() > until) continue;
      const rows = await withinASecond(ask(client), null);
      isUp = rows !== null;
      for (const row of (rows ?? []) as Row[])
        gauge.set(Object.fromEntries(labels.map((label) => [label, row[label]!])), row.value);
    }
  };
}

type Row = Record<string, string> & { value: number };
