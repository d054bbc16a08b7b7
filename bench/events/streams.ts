import { type IncomingMessage, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestPurser } from "@purser/testing";
import { recordEvents } from "@purser/platform/events";
import { seconds } from "../calls.ts";
import { recordGoal, reportLine } from "../report.ts";
import { newSecrets, startServiceTarget } from "../whole-service.ts";

const organizations = 100;
/** As many as a credential may have. */
const perOrganization = 20;
const total = organizations * perOrganization;
const eventsPerSecond = 50;
/** How many connections are opened at a time. */
const openedAtOnce = 20;

/** Measures the memory of 2,000 open streams, and how soon after its commit an event reaches a client. */
export async function streams(): Promise<void> {
  const secrets = newSecrets();
  const purser = await createTestPurser({ settings: secrets });
  purser.clock.set(new Date());
  const target = await startServiceTarget(purser.platform.settings.databaseUrl!, secrets);
  const metrics = async () => (await fetch(`${target.baseUrl}/metrics`)).text();
  const memory = async () =>
    Number(/^process_resident_memory_bytes (\S+)/m.exec(await metrics())![1]) / 2 ** 20;
  const clients: Client[] = [];
  try {
    const followed = await Promise.all(
      Array.from({ length: organizations }, async () => {
        const owner = await purser.person();
        const organizationId = await purser.organization(owner);
        return { organizationId, token: await purser.auth.openSession(owner.userId) };
      }),
    );
    // What the first requests load stays, with streams or without.
    for (const { organizationId, token } of followed) {
      const headers = { authorization: `Bearer ${token}` };
      await (await fetch(`${target.baseUrl}/api/organizations/${organizationId}`, { headers })).text();
    }
    const idle = await memory();
    const delays: number[] = [];
    const committedAt = new Map<string, number>();
    const received = (name: string) => {
      const at = committedAt.get(name);
      // A message may overtake the answer to the commit.
      delays.push(at === undefined ? 0 : performance.now() - at);
    };
    const waiting = followed.flatMap((one) => Array.from({ length: perOrganization }, () => one));
    while (waiting.length > 0) {
      const some = waiting.splice(0, openedAtOnce);
      clients.push(...(await Promise.all(some.map((one) => openClient(target.baseUrl, one, received)))));
    }
    const written = 2 * seconds * eventsPerSecond;
    for (let index = 0; index < written; index += 1) {
      const { organizationId } = followed[index % organizations]!;
      const name = `Name ${index}`;
      void record(organizationId, name).then(() => committedAt.set(name, performance.now()));
      await sleep(1000 / eventsPerSecond);
    }
    await sleep(2000);
    const largest = await memory();
    report({ idle, largest, delays, expected: written * perOrganization });
  } finally {
    for (const client of clients) client.destroy();
    await target.stop();
    await purser.close();
  }

  function record(organizationId: string, name: string): Promise<void> {
    return purser.db.transaction((transaction) =>
      recordEvents(purser.platform, transaction, null, [
        {
          organizationId,
          type: "organization.updated",
          subject: organizationId,
          data: { id: organizationId, name, avatarUrl: null },
        },
      ]),
    );
  }
}

type Client = IncomingMessage;

/** Resolves when the stream has begun. */
function openClient(
  baseUrl: string,
  { organizationId, token }: { organizationId: string; token: string },
  received: (name: string) => void,
): Promise<Client> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const url = `${baseUrl}/api/events/stream?organizationId=${organizationId}`;
    const request = get(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`A stream got ${response.statusCode}`));
      response.setEncoding("utf8");
      response.on("error", () => undefined);
      response.on("data", (text: string) => {
        resolve(response);
        for (const [, name = ""] of text.matchAll(/"name":"(Name \d+)"/g)) received(name);
      });
    });
    request.on("error", reject);
  });
}

interface Figures {
  /** In MiB. */
  idle: number;
  largest: number;
  /** From the commit to each client, in milliseconds. */
  delays: number[];
  expected: number;
}

function report({ idle, largest, delays, expected }: Figures): void {
  if (delays.length !== expected) throw new Error(`${delays.length} of ${expected} messages arrived`);
  const sorted = delays.toSorted((one, other) => one - other);
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)]!;
  const p95 = percentile(0.95);
  const memoryVerdict = recordGoal({
    what: `Memory of a process with ${total} open streams`,
    measured: `${(largest - idle).toFixed(0)} MiB above idle`,
    goal: "under 300 MiB",
    holds: largest - idle < 300,
  });
  const delayVerdict = recordGoal({
    what: `p95 from commit to client at ${eventsPerSecond} events/s`,
    measured: `${p95.toFixed(0)} ms`,
    goal: "under 250 ms",
    holds: p95 < 250,
  });
  reportLine(`\n${total} streams into ${organizations} organizations, ${eventsPerSecond} events/s\n`);
  reportLine(
    `resident memory   ${idle.toFixed(0)} MiB idle, ${largest.toFixed(0)} MiB with streams: ${memoryVerdict}`,
  );
  reportLine(
    `commit to client  p50 ${percentile(0.5).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, ` +
      `p99 ${percentile(0.99).toFixed(0)} ms, ${delays.length} messages: ${delayVerdict}`,
  );
}
