import { startTestServer } from "@purser/router/testing";
import { accepting } from "./accepting.ts";
import { applying } from "./applying.ts";

const parts: Record<string, () => Promise<void>> = { accepting, applying };

/**
 * What billing is meant to do fast. `pnpm bench billing` measures all of it, `pnpm bench billing/accepting` one part.
 * The database is the embedded one without fsync, for every side alike.
 */
export async function billing(part?: string): Promise<void> {
  const chosen = part === undefined ? Object.keys(parts) : [part];
  const server = await startTestServer();
  try {
    for (const name of chosen) {
      const run = parts[name];
      if (run === undefined)
        throw new Error(`There is no bench billing/${name}; there are ${Object.keys(parts).join(", ")}`);
      await run();
    }
  } finally {
    await server.stop();
  }
}
