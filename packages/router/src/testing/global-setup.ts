import { startTestServer } from "./database.ts";

/** For vitest: `globalSetup: ["@purser/router/testing/global-setup"]`. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startTestServer();
  return () => server.stop();
}
