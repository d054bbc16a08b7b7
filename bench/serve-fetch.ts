import { serve } from "@hono/node-server";

/** Serves on a free port, reports `{ baseUrl }` to the parent process, and ends with SIGTERM. */
export function serveUntilStopped(
  fetch: Parameters<typeof serve>[0]["fetch"],
  close: () => Promise<unknown> = async () => undefined,
): void {
  const server = serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => {
    process.send?.({ baseUrl: `http://127.0.0.1:${port}` });
  });
  process.on("SIGTERM", () => {
    server.close();
    void close().then(() => process.exit(0));
  });
}
