import { startTestServer } from "@purser/router/testing";
import { growth } from "./growth.ts";
import { processes } from "./processes.ts";
import { replica } from "./replica.ts";

const parts: Record<string, () => Promise<void>> = { processes, replica, growth };

/**
 * What happens when there is more of everything. `pnpm bench scaling` measures all of it, `pnpm bench scaling/growth`
 * one part. The database is the embedded one without fsync, for every side alike.
 */
export async function scaling(part?: string): Promise<void> {
  const chosen = part === undefined ? Object.keys(parts) : [part];
  const server = await startTestServer();
  try {
    for (const name of chosen) {
      const run = parts[name];
      if (run === undefined)
        throw new Error(`There is no bench scaling/${name}; there are ${Object.keys(parts).join(", ")}`);
      await run();
    }
  } finally {
    await server.stop();
  }
}
