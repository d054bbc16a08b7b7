import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { type CardLimit, eventTypes, limitPairOf } from "@purser/core";
import { createTestPurser, testRunFolder } from "@purser/testing";
import { expect, it } from "vitest";
import { Event } from "../contract.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8");

/** The receivers of the page that can run here, by language. */
const receivers = {
  ts: { file: "receiver.ts", command: process.execPath, isMissing: false },
  python: {
    file: "receiver.py",
    command: "python3",
    isMissing: spawnSync("python3", ["--version"]).status !== 0,
  },
};

for (const [language, { file, command, isMissing }] of Object.entries(receivers)) {
  it.skipIf(isMissing)(
    `docs/webhooks.md: the receiver in ${language} takes a delivery once, and refuses forged ones`,
    async () => {
      const [, sample = ""] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "ms").exec(page) ?? [];
      const folder = join(testRunFolder(), `webhook-receiver-${language}`);
      installClient(join(folder, "node_modules/@purser/client"));
      writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
      writeFileSync(join(folder, file), sample);
      const purser = await createTestPurser();
      // The receiver compares the timestamp with the real time.
      purser.clock.set(new Date());
      const owner = await purser.person();
      const organizationId = await purser.organization(owner);
      const { webhookEndpoints, organizations } = purser.as(owner);
      const { id, secret } = await webhookEndpoints.create({ organizationId, url: "http://127.0.0.1/later" });
      const receiver = runReceiver(command, { file, folder, secret });
      try {
        const [, port = ""] = /^Listening on (\d+)$/.exec(await receiver.line(0)) ?? [];
        const url = `http://127.0.0.1:${port}/`;
        await webhookEndpoints.update({ id, url });
        await organizations.update({ id: organizationId, name: "Renamed" });
        await purser.webhooks.drain();
        expect(await receiver.line(1)).toMatch(/^organization\.updated \{.*"name": ?"Renamed"/);
        const [delivery] = await webhookEndpoints.deliveries.list({ organizationId });
        expect(delivery).toMatchObject({ status: "DELIVERED", attempts: [{ statusCode: 204 }] });
        await webhookEndpoints.deliveries.redeliver({ id: delivery!.id });
        await purser.webhooks.drain();
        const [again] = await webhookEndpoints.deliveries.list({ organizationId });
        expect(again!.attempts.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
        for (const headers of forgeries()) {
          expect((await fetch(url, { method: "POST", body: "{}", headers })).status).toBe(400);
        }
        expect(receiver.lines).toHaveLength(2);
      } finally {
        await receiver.stop();
        await purser.close();
        rmSync(folder, { recursive: true });
      }
    },
  );
}

/** Puts the client into a folder, as its sources. */
function installClient(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    '{ "type": "module", "exports": { "./webhooks": "./webhooks.ts" } }',
  );
  symlinkSync(join(import.meta.dirname, "../../../client/src/webhooks.ts"), join(folder, "webhooks.ts"));
}

/** A wrong signature, old and new, a time that is no number, and a request that is no webhook. */
function forgeries(): Record<string, string>[] {
  const now = String(Math.floor(Date.now() / 1000));
  const signed = { "webhook-id": "evt_1", "webhook-signature": "v1,AAAA" };
  return [...["1773863316", now, "now"].map((time) => ({ ...signed, "webhook-timestamp": time })), {}];
}

function runReceiver(
  command: string,
  { file, folder, secret }: Record<"file" | "folder" | "secret", string>,
) {
  const receiver = spawn(command, [file], {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(receiver, "close");
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface(receiver.stdout).on("line", (line) => lines.push(line));
  createInterface(receiver.stderr).on("line", (line) => errors.push(line));
  return {
    lines,
    async line(index: number): Promise<string> {
      while (lines.length <= index) {
        if (receiver.exitCode !== null)
          throw new Error(`The receiver ended with ${receiver.exitCode}: ${errors.join("\n")}`);
        await sleep(5);
      }
      return lines[index]!;
    },
    async stop(): Promise<void> {
      receiver.kill();
      await ended;
    },
  };
}

interface Example {
  type: string;
  createdAt: string;
  actor: object | null;
  subject: { id: string };
  data: {
    amount?: number;
    approved?: boolean;
    consents?: { status: string; revokedAt: string | null }[];
    decision?: { outcome: string; increments?: object[] };
    expiresAt: string;
    limits?: CardLimit[];
    originalTransactionId?: string;
    revokedAt?: string | null;
    status?: string;
  };
}

const [, list = ""] = page.split("<!-- events:begin -->");
const examples = [...list.matchAll(/^```json\n(.*?)^```/gms)].map(
  ([, json = ""]) => JSON.parse(json) as Example,
);
const exampleOf = (type: string) => examples.find((example) => example.type === type)!;

it("docs/webhooks.md: has an example of every type of event, which its contract accepts", () => {
  expect(examples.map(({ type }) => type).toSorted()).toEqual(eventTypes.toSorted());
  const refused = examples.filter((example) => !Event.safeParse(withDates(example)).success);
  expect(refused.map(({ type }) => type)).toEqual([]);
});

it("docs/webhooks.md: has no example that the service could not send", () => {
  for (const { type, data } of examples) {
    for (const { status, revokedAt } of data.consents ?? [])
      expect([type, revokedAt === null]).toEqual([type, status === "AUTHORIZED"]);
    if (data.limits !== undefined)
      expect({ type, data }).toMatchObject({ type, data: limitPairOf(data.limits) });
    if (data.approved !== undefined)
      expect([type, data.decision!.outcome]).toEqual([type, data.approved ? "approved" : "declined"]);
  }
  const refund = exampleOf("card_transaction.refunded");
  expect(refund.data.amount).toBeLessThan(0);
  expect(refund.data.originalTransactionId).not.toBe(refund.subject.id);
  expect(exampleOf("card_transaction.declined")).toMatchObject({
    actor: null,
    data: { decision: { outcome: "declined", increments: [] } },
  });
  expect(exampleOf("bank_connection.disconnected").data.status).toBe("DISCONNECTED");
  expect(exampleOf("api_key.revoked").data.revokedAt).not.toBeNull();
  const invitation = exampleOf("invitation.created");
  expect(invitation.data.expiresAt > invitation.createdAt).toBe(true);
});

/** The dates of an example, which are text in JSON. */
function withDates(value: unknown): unknown {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value))
    return new Date(value);
  if (Array.isArray(value)) return value.map(withDates);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withDates(item)]));
}
