import { randomBytes } from "node:crypto";
import { createTestPurser } from "@purser/testing";
import { sample } from "../foundation/contract.ts";
import { measure, startTarget } from "../load.ts";
import { measureTable } from "../table.ts";
import { serviceEnvironment } from "./requests.ts";
import { installPeers, startPeer } from "./start.ts";

/** Compares the check of a session, and a signed-in request, with Hono, better-auth and drizzle as their documentation shows. */
export async function peerSessions(): Promise<void> {
  await installPeers();
  const authSecret = randomBytes(32).toString("base64url");
  const purser = await createTestPurser({ settings: { authSecret } });
  try {
    purser.clock.set(new Date());
    const owner = await purser.person();
    const id = await purser.organization(owner);
    const authorization = `Bearer ${await purser.auth.openSession(owner.userId)}`;
    const environment = {
      ...serviceEnvironment(purser.platform.settings.databaseUrl!),
      AUTH_SECRET: authSecret,
      BENCH_CALLER: JSON.stringify(owner),
      BENCH_ORGANIZATION: id,
      BENCH_AUTHORIZATION: authorization,
    };
    const peer = await startPeer("better-auth", environment);
    const service = await startTarget("foundation/service.ts", environment, "ignore");
    const cookie = await (await fetch(`${peer.baseUrl}/cookie`)).text();
    const input = encodeURIComponent(JSON.stringify({ id }));
    const signedIn = (url: string, headers: Record<string, string>) => () => measure({ url, headers });
    try {
      await measureTable("Checking a session, in process", "better-auth, drizzle", [
        ["better-auth, drizzle", () => peer.measureCall("session")],
        ["our session check", () => service.measureCall("session"), 1],
      ]);
      await measureTable("Reading an organization with a session", "Hono, better-auth, drizzle", [
        [
          "Hono, better-auth, drizzle",
          signedIn(`${peer.baseUrl}/api/organizations/${sample.id}`, { cookie }),
        ],
        [
          "our REST in the whole service, log on",
          signedIn(`${service.baseUrl}/api/organizations/${id}`, { authorization }),
          1,
        ],
        [
          "our tRPC in the whole service, log on",
          signedIn(`${service.baseUrl}/trpc/organizations.get?input=${input}`, { authorization }),
          1,
        ],
      ]);
    } finally {
      await peer.stop();
      await service.stop();
    }
  } finally {
    await purser.close();
  }
}
