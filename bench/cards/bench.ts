import { startTestServer } from "@purser/router/testing";
import { backtest } from "./backtest.ts";
import { decisions } from "./decisions.ts";

const parts: Record<string, () => Promise<void>> = { decisions, backtest };

/**
 * What cards are meant to do fast. `pnpm bench cards` measures all of it, `pnpm bench cards/decisions` one part. The
 * database is the embedded one without fsync, for every side alike.
 */
export async function cards(part?: string): Promise<void> {
  const chosen = part === undefined ? Object.keys(parts) : [part];
  const server = await startTestServer();
  try {
    for (const name of chosen) {
      const run = parts[name];
      if (run === undefined)
        throw new Error(`There is no bench cards/${name}; there are ${Object.keys(parts).join(", ")}`);
      await run();
    }
  } finally {
    await server.stop();
  }
}
