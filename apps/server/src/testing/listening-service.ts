import type { TestClock } from "@purser/core/testing";
import type { ServiceSettings } from "@purser/service/settings";
import { testSettings } from "@purser/testing";
import { createMetrics } from "../operations/metrics.ts";
import { bindHttpServer } from "../process/http-server.ts";
import { type TestService, type TestServiceOptions, createTestService } from "./service.ts";

/** A test service that listens on a port of its own. */
export interface ListeningService {
  service: TestService;
  /** Its origin. */
  base: string;
  close(): Promise<void>;
}

interface StartOptions extends Pick<TestServiceOptions, "logger" | "tracing" | "webConsole"> {
  /** Settings that may depend on the origin. */
  settings?: (base: string) => Partial<ServiceSettings>;
  /** Default: a fixed clock in March 2026. Sessions of /api/auth end by the real time. */
  clock?: TestClock;
}

/** Starts the service in this process. Call `close` after the tests. */
export async function startListeningService({
  settings = () => ({}),
  ...options
}: StartOptions = {}): Promise<ListeningService> {
  const server = await bindHttpServer({ ...testSettings(), port: 0 }, createMetrics().edge);
  const { port } = server;
  const base = `http://localhost:${port}`;
  const addresses = { port, baseUrl: base, appUrl: base, trustedOrigins: [base] };
  const service = await createTestService({
    settings: { ...addresses, ...settings(base) },
    ...options,
  });
  server.serve(service.app.fetch);
  return {
    service,
    base,
    async close() {
      server.cut();
      await service.close();
    },
  };
}
