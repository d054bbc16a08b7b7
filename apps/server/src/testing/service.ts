import type { Logger } from "@purser/core";
import type { DevelopmentMailbox } from "@purser/platform/mail";
import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import type { Hono } from "hono";
import { createApp } from "../app.ts";
import type { HttpEnv } from "../http/context.ts";
import { createMetrics } from "../operations/metrics.ts";
import type { AppService } from "../service.ts";
import type { Tracing } from "../tracing/port.ts";

/** The HTTP app on a test service. `app.request(…)` responds without a socket. */
export interface TestService {
  purser: TestPurser;
  auth: TestPurser["auth"];
  app: Hono<HttpEnv>;
  /** The headers that authenticate this person. */
  signedIn(person: Person): Promise<{ authorization: string }>;
  close(): Promise<void>;
}

export type TestServiceOptions = Parameters<typeof createTestPurser>[0] & {
  mailbox?: DevelopmentMailbox;
  isDraining?: () => boolean;
  logger?: Logger;
  tracing?: Tracing;
  webConsole?: AppService["webConsole"];
};

export async function createTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const { mailbox = null, isDraining = () => false, tracing, webConsole = null } = options;
  const metrics = createMetrics();
  const { meter } = metrics;
  const purser = await createTestPurser({ ...options, meter, ...(tracing && { tracer: tracing }) });
  const platform = { ...purser.platform, logger: options.logger ?? purser.platform.logger };
  const app = createApp({
    ...purser,
    platform,
    mailbox,
    isDraining,
    tracing: tracing ?? null,
    webConsole,
    metrics,
  });
  return {
    purser,
    auth: purser.auth,
    app,
    signedIn: async ({ userId }) => ({ authorization: `Bearer ${await purser.auth.openSession(userId)}` }),
    close: () => purser.close(),
  };
}
