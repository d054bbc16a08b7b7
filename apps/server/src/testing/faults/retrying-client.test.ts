import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "@purser/core";
import { expect, it } from "vitest";
import { FaultyProxy } from "./faulty-proxy.ts";
import type { ServerInstance } from "./process-supervisor.ts";
import { RetryingClient } from "./retrying-client.ts";

it("a closed client retries nothing, although the fault has not been undone", async () => {
  // No process listens on this port.
  const [port, random] = [1, createRandom("client", 1)];
  const proxy = await FaultyProxy.open(() => port, random);
  const server: ServerInstance = {
    name: "server",
    role: "server",
    port,
    state: "down",
    kills: 0,
    stops: 0,
    process: null,
    proxy,
  };
  const processes = {
    servers: [server],
    settleLimitMs: 30_000,
    faultEndedAt: Infinity,
    timeoutFactor: 1,
    nodes: null,
    authSecret: "",
  };
  const client = new RetryingClient(processes, random, expect.unreachable);
  void sleep(50).then(() => client.close());
  const sending = client.send({ method: "GET", path: "/" });
  await expect(sending).rejects.toThrow("GET / got no final response before the run ended");
  await proxy.close();
});
