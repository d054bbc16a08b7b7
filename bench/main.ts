import { foundation } from "./foundation/bench.ts";

/**
 * `pnpm bench`: what is meant to be fast, measured beside its limit in one run. Figures of different runs do not
 * compare, ratios within one do. `pnpm bench foundation` runs one area; BENCH_SECONDS is how long each figure takes.
 */
const areas: Record<string, () => Promise<void>> = { foundation };

const chosen = process.argv.slice(2);
for (const name of chosen.length > 0 ? chosen : Object.keys(areas)) {
  const run = areas[name];
  if (run === undefined)
    throw new Error(`There is no bench ${name}; there are ${Object.keys(areas).join(", ")}`);
  await run();
}
