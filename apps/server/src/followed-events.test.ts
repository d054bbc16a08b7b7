// @module-tag slow
import { createTestDatabase, builtService } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Client, importBuiltClient } from "./testing/built-client.ts";
import { type ServiceProcess, startService, stopServices, temporaryFolder } from "@purser/testing/process";

const folder = temporaryFolder();
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let script: string;
let client: Client;

beforeAll(async () => {
  [script, database, client] = await Promise.all([builtService(), createTestDatabase(), importBuiltClient()]);
});
afterAll(async () => {
  await stopServices();
  await database.drop();
  folder.remove();
});

function start(): Promise<ServiceProcess> {
  const env = { DATA_DIR: folder.path, DATABASE_URL: database.url, SEED_DEMO: "0", LOG_LEVEL: "warn" };
  return startService({ script, env });
}

describe("a client that follows events", () => {
  it("sees each event once and in order, whatever happens to the processes that serve it", async () => {
    let [serving, writing] = await Promise.all([start(), start()]);
    const account = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
    const signedUp = await fetch(`${writing.url}/api/auth/sign-up/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(account),
    });
    const token = signedUp.headers.get("set-auth-token")!;
    // A load balancer: the client knows one address, which leads to the process that serves at the time.
    const through = (of: () => ServiceProcess) =>
      client.createPurserClient({
        baseUrl: "http://purser.example",
        token,
        fetch: (url, init) => fetch(url.replace("http://purser.example", of().url), init),
      });
    const follower = through(() => serving);
    const writer = through(() => writing);
    const { id: organizationId } = await writer.organizations.create({ name: "Acme" });

    const seen: string[] = [];
    const leaving = new AbortController();
    const options = { signal: leaving.signal };
    // A stream that begins now begins when the service has found the end of the feed, which nobody outside can tell.
    const { cursor } = await writer.events.feed({ organizationId });
    const following = (async () => {
      for await (const event of follower.events.stream({ organizationId, lastEventId: cursor }, options))
        if (event.type === "organization.updated") seen.push(event.data.name);
    })();
    const written: string[] = [];
    const write = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        written.push(`Name ${written.length}`);
        await writer.organizations.update({ id: organizationId, name: written.at(-1)! });
      }
    };
    const caughtUp = () => vi.waitUntil(() => seen.length >= written.length, { timeout: 60_000 });

    await write(3);
    await caughtUp();
    const killed = serving;
    serving = writing;
    const ended = killed.stop("SIGKILL");
    await write(5);
    await ended;
    await caughtUp();

    const next = await start();
    const stopping = serving;
    serving = writing = next;
    const stopped = stopping.stop("SIGTERM");
    await write(5);
    // The stream neither holds the process up, which would cut it off after 8 s, nor ends it as failed.
    const { code, ms } = await stopped;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(7000);
    await write(2);
    await caughtUp();
    expect(seen).toEqual(written);
    leaving.abort();
    await expect(following).rejects.toMatchObject({ code: "ABORTED" });
  });
});
