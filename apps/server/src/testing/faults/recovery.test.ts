import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { RecoveryProbe } from "./recovery.ts";

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** A server that answers after this time: that it is ready, and writes with this status. */
async function serverThatAnswers({ afterMs, writes }: { afterMs: number; writes: number }) {
  const server = createServer((request, response) => {
    setTimeout(() => response.writeHead(request.method === "GET" ? 200 : writes).end("Text"), afterMs);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { name: "server 1", role: "server", port } as const;
}

async function violationsOf(server: Awaited<ReturnType<typeof serverThatAnswers>>, timeoutFactor: number) {
  const violations: string[] = [];
  const processes = {
    settleLimitMs: 500,
    timeoutFactor,
    reportViolation: (violation: string) => void violations.push(violation),
    nodes: null,
    instances: [server],
  };
  const signedUp = { status: 200, headers: { "set-auth-token": "token" }, body: { user: { id: "user_1" } } };
  const client = { send: () => Promise.resolve(signedUp) };
  const probe = await RecoveryProbe.open(processes, client, { signUps: 0 });
  await probe.measure(performance.now());
  return violations;
}

describe("RecoveryProbe", () => {
  it("reports which process has not recovered, and how the last attempt failed", async () => {
    const server = await serverThatAnswers({ afterMs: 0, writes: 503 });
    expect(await violationsOf(server, 1)).toEqual([
      expect.stringMatching(/^Not recovered after \d+ ms: server 1: \/api\/organizations returned 503 Text$/),
    ]);
  });

  it("gives an attempt more time where everything may take longer", async () => {
    const server = await serverThatAnswers({ afterMs: 1200, writes: 201 });
    expect(await violationsOf(server, 4)).toEqual([]);
  });
});
