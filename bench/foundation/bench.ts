import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createContext } from "@purser/platform";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { measure, measureCalls, startTarget } from "../load.ts";
import { measureTable } from "../table.ts";
import { createBenchCaller } from "./router.ts";

const module = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What the foundation costs: the same answers from Hono alone up to the whole service. */
export const foundation = { doors };

async function doors(): Promise<void> {
  const authSecret = randomBytes(32).toString("base64url");
  const purser = await createTestPurser({ settings: { authSecret } });
  try {
    await run(purser, authSecret);
  } finally {
    await purser.close();
  }
}

async function run(purser: TestPurser, authSecret: string): Promise<void> {
  // The hand-written route goes by the database's clock.
  purser.clock.set(new Date());
  const owner = await purser.person();
  const id = await purser.organization(owner);
  const headers = { authorization: `Bearer ${await purser.auth.openSession(owner.userId)}` };
  const environment = {
    DATABASE_URL: purser.platform.settings.databaseUrl!,
    AUTH_SECRET: authSecret,
    ENCRYPTION_KEYS: `1:${randomBytes(32).toString("base64")}`,
    BASE_URL: "http://localhost:3000",
    SMTP_URL: "none",
    LOG_LEVEL: "warn",
    REQUESTS_PER_CALLER: "100000000",
  };
  const limit = await startTarget(module("limit-server.ts"), environment);
  const service = await startTarget(module("service.ts"), environment);
  const caller = createBenchCaller(() =>
    createContext(purser.platform, {
      requestId: "req_bench",
      caller: owner,
      fromTrustedOrigin: true,
      idempotencyKey: null,
    }),
  );
  const input = encodeURIComponent(JSON.stringify({ id }));
  const ask = (url: string) => () => measure({ url });
  const askSignedIn = (url: string) => () => measure({ url, headers });
  const call = (procedure: () => Promise<unknown>) => () => measureCalls(procedure);

  try {
    await measureTable("Without a database", "Hono, zod in and out", [
      ["bare Hono", ask(`${limit.baseUrl}/bare/${id}`)],
      ["Hono, zod in and out", ask(`${limit.baseUrl}/zod/${id}`)],
      ["our REST route on the same bare Hono", ask(`${limit.baseUrl}/api/bench/${id}`), 0.5],
      // Log, metrics, request limit, security headers and CORS come on top; the rows above do without.
      ["our REST route in the whole service", ask(`${service.baseUrl}/api/bench/${id}`), 0.5],
      ["tRPC over HTTP", ask(`${service.baseUrl}/trpc/bench.sample?input=${input}`)],
      ["in process", call(() => caller.bench.sample({ id }))],
    ]);
    await measureTable("Reading an organization from the database", "hand-written, session checked", [
      ["bare Hono, no session", ask(`${limit.baseUrl}/bare-database/${id}`)],
      ["Hono, zod in and out, no session", ask(`${limit.baseUrl}/zod-database/${id}`)],
      ["hand-written, session checked", askSignedIn(`${limit.baseUrl}/hand-written/${id}`)],
      [
        "REST in the whole service, session checked",
        askSignedIn(`${service.baseUrl}/api/organizations/${id}`),
        0.6,
      ],
      [
        "tRPC over HTTP, session checked",
        askSignedIn(`${service.baseUrl}/trpc/organizations.get?input=${input}`),
      ],
      ["in process", call(() => caller.organizations.get({ id }))],
    ]);
  } finally {
    await limit.stop();
    await service.stop();
  }
}
