import { type TestPurser, createTestPurser } from "@purser/testing";
import { measure, startTarget } from "../load.ts";
import { measureTable } from "../table.ts";
import { type Secrets, newSecrets, variablesOfService } from "../whole-service.ts";

/** Measures one small request, from Hono alone up to the whole service. All targets send the same response. */
export async function requests(): Promise<void> {
  const secrets = newSecrets();
  const purser = await createTestPurser({ settings: secrets });
  try {
    await compareTargets(purser, secrets);
  } finally {
    await purser.close();
  }
}

async function compareTargets(purser: TestPurser, secrets: Secrets): Promise<void> {
  // The hand-written route uses the database's clock.
  purser.clock.set(new Date());
  const owner = await purser.person();
  const id = await purser.organization(owner);
  const headers = { authorization: `Bearer ${await purser.auth.openSession(owner.userId)}` };
  const environment = {
    ...variablesOfService(purser.platform.settings.databaseUrl!, secrets),
    LOG_LEVEL: "warn",
    BENCH_CALLER: JSON.stringify(owner),
    BENCH_ORGANIZATION: id,
  };
  const limit = await startTarget("foundation/limit-server.ts", environment);
  const service = await startTarget("foundation/service.ts", environment);
  const input = encodeURIComponent(JSON.stringify({ id }));
  const get = (url: string) => () => measure({ url });
  const getSignedIn = (url: string) => () => measure({ url, headers });
  const call = (name: string) => () => service.measureCall(name);

  try {
    await measureTable("Without a database", "Hono, zod in and out", [
      ["bare Hono", get(`${limit.baseUrl}/bare/${id}`)],
      ["Hono, zod in and out", get(`${limit.baseUrl}/zod/${id}`)],
      ["our REST route on the same bare Hono", get(`${limit.baseUrl}/api/bench/${id}`), 0.5],
      // This row adds log, metrics, rate limit, security headers and CORS.
      ["our REST route in the whole service", get(`${service.baseUrl}/api/bench/${id}`), 0.5],
      ["tRPC over HTTP", get(`${service.baseUrl}/trpc/bench.sample?input=${input}`)],
      ["in process", call("sample")],
    ]);
    await measureTable("Reading an organization from the database", "hand-written, session checked", [
      ["bare Hono, no session", get(`${limit.baseUrl}/bare-database/${id}`)],
      ["Hono, zod in and out, no session", get(`${limit.baseUrl}/zod-database/${id}`)],
      ["hand-written, session checked", getSignedIn(`${limit.baseUrl}/hand-written/${id}`)],
      [
        "REST in the whole service, session checked",
        getSignedIn(`${service.baseUrl}/api/organizations/${id}`),
        0.6,
      ],
      [
        "tRPC over HTTP, session checked",
        getSignedIn(`${service.baseUrl}/trpc/organizations.get?input=${input}`),
      ],
      ["in process", call("organization")],
    ]);
  } finally {
    await limit.stop();
    await service.stop();
  }
}
