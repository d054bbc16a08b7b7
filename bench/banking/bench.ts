import { startTestServer } from "@purser/router/testing";
import { firstSync } from "./first-sync.ts";
import { history } from "./history.ts";
import { lists } from "./lists.ts";

const parts: Record<string, () => Promise<void>> = { "first-sync": firstSync, history, lists };

/**
 * What banking is meant to do fast. `pnpm bench banking` measures all of it, `pnpm bench banking/lists` one part. The
 * database is the embedded one without fsync, for every side alike.
 */
export async function banking(part?: string): Promise<void> {
  const chosen = part === undefined ? Object.keys(parts) : [part];
  const server = await startTestServer();
  try {
    for (const name of chosen) {
      const run = parts[name];
      if (run === undefined)
        throw new Error(`There is no bench banking/${name}; there are ${Object.keys(parts).join(", ")}`);
      await run();
    }
  } finally {
    await server.stop();
  }
}
