import { banking } from "./banking/bench.ts";
import { billing } from "./billing/bench.ts";
import { cards } from "./cards/bench.ts";
import { foundation } from "./foundation/bench.ts";
import { scaling } from "./scaling/bench.ts";

/**
 * `pnpm bench`: what is meant to be fast, measured beside its limit in one run. Figures of different runs do not
 * compare, ratios within one do. `pnpm bench foundation` runs one area, and `pnpm bench banking/lists` one part of an
 * area that has parts; BENCH_SECONDS is how long each figure takes.
 */
const areas: Record<string, (part?: string) => Promise<void>> = {
  foundation,
  banking,
  cards,
  billing,
  scaling,
};

const chosen = process.argv.slice(2);
for (const name of chosen.length > 0 ? chosen : Object.keys(areas)) {
  const [area = "", part] = name.split("/");
  const run = areas[area];
  if (run === undefined)
    throw new Error(`There is no bench ${name}; there are ${Object.keys(areas).join(", ")}`);
  await run(part);
}
