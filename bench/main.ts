import { parseArgs } from "node:util";
import { startTestServer } from "@purser/testing";
import { banking } from "./banking/bench.ts";
import { billing } from "./billing/bench.ts";
import { cards } from "./cards/bench.ts";
import { foundation } from "./foundation/bench.ts";
import { saidSince, writeSection } from "./report.ts";
import { scaling } from "./scaling/bench.ts";

/**
 * `pnpm bench`: what is meant to be fast, measured beside its limit in one run. Figures of different runs do not
 * compare, ratios within one do. `pnpm bench banking` runs one area, `pnpm bench banking/lists` one part of it; with
 * `--write` the figures go to RESULTS.md. BENCH_SECONDS is how long each figure takes.
 *
 * The database is the embedded one without fsync, for every side alike.
 */
const areas: Record<string, Record<string, () => Promise<void>>> = {
  foundation,
  banking,
  cards,
  billing,
  scaling,
};
const parts = new Map(
  Object.entries(areas).flatMap(([area, its]) =>
    Object.entries(its).map(([part, run]) => [`${area}/${part}`, run] as const),
  ),
);

const { values, positionals } = parseArgs({
  options: { write: { type: "boolean", default: false } },
  allowPositionals: true,
});
const asked = positionals.length > 0 ? positionals : Object.keys(areas);
const chosen = asked.map((name) => {
  const found = [...parts].filter(([part]) => part === name || part.startsWith(`${name}/`));
  if (found.length === 0)
    throw new Error(`There is no bench ${name}; there are ${[...parts.keys()].join(", ")}`);
  return found;
});

const server = await startTestServer();
try {
  for (const [name, run] of chosen.flat()) {
    const said = saidSince();
    await run();
    if (values.write) await writeSection(name, said());
  }
} finally {
  await server.stop();
}
