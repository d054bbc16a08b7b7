import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { newId } from "@purser/core";
import { webhookEndpoints } from "@purser/db";
import type { OrganizationEvent } from "@purser/organizations/feed-events";
import { seal, sealedIn } from "@purser/platform";
import { recordEvents } from "@purser/platform/events";
import { type Person, type TestPurser, createTestPurser, testClock } from "@purser/testing";
import { type Target, startTarget } from "../load.ts";
import { newSecrets, variablesOfService } from "../whole-service.ts";

/** Organizations with webhook endpoints, a receiver in this process, and a worker in another one. */
export interface WebhookScene {
  purser: TestPurser;
  owner: Person;
  receiver: Receiver;
  /** Adds endpoints to an organization. Paths that begin with `hang` are never answered. */
  addEndpoints(organizationId: string, paths: readonly string[]): Promise<void>;
  /** Records events in one transaction, whose webhooks arrive under this name. Returns when it committed. */
  record(organizationId: string, name: string, count?: number): Promise<number>;
  startWorker(): Promise<Target>;
  close(): Promise<void>;
}

export async function webhookScene(): Promise<WebhookScene> {
  const secrets = newSecrets();
  const purser = await createTestPurser({ settings: secrets, clock: testClock(new Date()) });
  const { platform } = purser;
  const owner = await purser.person();
  const receiver = await startCountingReceiver();
  const { first: era } = await platform.eventLog.eras();
  return {
    purser,
    owner,
    receiver,
    async addEndpoints(organizationId, paths) {
      const createdAt = platform.clock.now();
      const rows = paths.map((path) => {
        const id = newId("whe", createdAt);
        const secret = `whsec_${Buffer.alloc(32, id).toString("base64")}`;
        const context = sealedIn(webhookEndpoints.secret, [organizationId, id]);
        return {
          organizationId,
          id,
          url: `${receiver.url}${path}`,
          types: [],
          status: "ENABLED" as const,
          secret: seal(secrets.encryptionKeys, secret, context),
          createdAt,
          era,
          eventId: "",
        };
      });
      await purser.db.insert(webhookEndpoints).values(rows);
    },
    async record(organizationId, name, count = 1) {
      const data = { id: organizationId, name, avatarUrl: null };
      const event = { organizationId, type: "organization.updated" as const, subject: organizationId, data };
      await platform.db.transaction((transaction) =>
        recordEvents<OrganizationEvent>(
          platform,
          transaction,
          null,
          Array.from({ length: count }, () => event),
        ),
      );
      return performance.now();
    },
    startWorker: () =>
      startTarget("events/worker.ts", {
        ...variablesOfService(platform.settings.databaseUrl!, secrets),
        WEBHOOKS_ALLOW_PRIVATE: "1",
        ROLE: "worker",
      }),
    async close() {
      await receiver.close();
      await purser.close();
    },
  };
}

/** The name of the event and the time of each webhook that was answered. */
export interface Receiver {
  url: string;
  arrivals: { name: string; at: number }[];
  close(): Promise<void>;
}

/** Reads the name from the body, and no more: the receiver shares the machine with what is measured. */
async function startCountingReceiver(): Promise<Receiver> {
  const arrivals: Receiver["arrivals"] = [];
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    const at = performance.now();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.url!.startsWith("/hang")) return;
      const [, name = ""] = /"name":"([^"]*)"/.exec(Buffer.concat(chunks).toString()) ?? [];
      arrivals.push({ name, at });
      response.writeHead(204).end();
    });
  };
  const server = createServer(receive).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    arrivals,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
