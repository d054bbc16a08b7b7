import { createRandom } from "@purser/core";
import { reportLine } from "../report.ts";
import { line } from "../table.ts";

/** The processor time of databases that a request takes, in microseconds: on one PostgreSQL, or on a cluster's servers. */
export interface RequestCost {
  plain: number;
  coordinator: number;
  worker: number;
}

/** A busy company: what its people and its cards ask for, in parts of all requests. */
const mix: Record<string, number> = {
  "pages of 50 transactions": 0.45,
  "decisions, 50 organizations with 20 cards each": 0.4,
  "a person's 50 organizations": 0.05,
  "an audited change": 0.1,
};
const workerCounts = [1, 2, 4, 8, 16];
const organizationCounts = [10, 100, 1000, 10_000, 100_000];
/** Citus's default. */
const shardCount = 32;

/**
 * Computes from measured costs how many times the requests of one PostgreSQL a cluster serves before one of its servers is
 * busy all the time. All servers are alike. A tenth of the organizations has half of all requests; each organization is in
 * one shard, and each worker has as many shards as the others.
 */
export function simulate(costs: ReadonlyMap<string, RequestCost>): void {
  const average = averageCost(costs);
  reportLine(
    `\nSimulated: requests of a cluster as a multiple of one PostgreSQL's, and how busy the coordinator is then\n`,
  );
  reportLine(line("organizations", ...workerCounts.map((count) => `${count} workers`)));
  for (const organizations of organizationCounts) {
    const cells = workerCounts.map((workers) => {
      const busiest = busiestShare(organizations, workers);
      const perMicrosecond = Math.min(1 / (average.worker * busiest), 1 / average.coordinator);
      const multiple = perMicrosecond * average.plain;
      return `${multiple.toFixed(2)} (${Math.round(perMicrosecond * average.coordinator * 100)} %)`;
    });
    reportLine(line(organizations.toLocaleString("en"), ...cells));
  }
}

function averageCost(costs: ReadonlyMap<string, RequestCost>): RequestCost {
  const average = { plain: 0, coordinator: 0, worker: 0 };
  for (const [title, part] of Object.entries(mix)) {
    const cost = costs.get(title)!;
    for (const where of ["plain", "coordinator", "worker"] as const) average[where] += part * cost[where];
  }
  return average;
}

/** The part of all requests that the busiest worker serves: the median of some placements. */
function busiestShare(organizations: number, workers: number): number {
  const shares = Array.from({ length: 21 }, (_, seed) => placeOnce(organizations, workers, seed));
  return shares.toSorted((one, other) => one - other)[10]!;
}

function placeOnce(organizations: number, workers: number, seed: number): number {
  const random = createRandom("placement", seed);
  const load = Array.from({ length: workers }, () => 0);
  const large = Math.max(1, Math.floor(organizations / 10));
  for (let nth = 0; nth < organizations; nth += 1) {
    const worker = random.whole(0, shardCount - 1) % workers;
    load[worker]! += nth < large ? 0.5 / large : 0.5 / (organizations - large);
  }
  return Math.max(...load);
}
