import { startTestServer } from "./database.ts";
import { moveTemporaryFiles } from "./temporary-files.ts";

/** For vitest's `globalSetup`. */
export async function setup(): Promise<() => Promise<void>> {
  const remove = moveTemporaryFiles();
  const server = await startTestServer({ overSocket: true });
  return async () => {
    await server.stop();
    remove();
  };
}
