import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { eventTypes } from "@purser/core";
import { createTestPurser, testRunFolder } from "@purser/testing";
import { expect, it } from "vitest";
import { Event } from "../contract.ts";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/webhooks.md"), "utf8");
const [, sample = ""] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];

it("docs/webhooks.md: the receiver in TypeScript takes a delivery once, and refuses a forged one", async () => {
  const folder = join(testRunFolder(), "webhook-receiver");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  const library = join(import.meta.dirname, "../../node_modules/standardwebhooks");
  symlinkSync(library, join(folder, "node_modules/standardwebhooks"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "receiver.ts"), sample);
  const purser = await createTestPurser();
  // The receiver compares the timestamp with the real time.
  purser.clock.set(new Date());
  const owner = await purser.person();
  const organizationId = await purser.organization(owner);
  const { webhookEndpoints, organizations } = purser.as(owner);
  const { id, secret } = await webhookEndpoints.create({ organizationId, url: "http://127.0.0.1/later" });
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: "0" };
  const receiver = spawn(process.execPath, ["receiver.ts"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  createInterface(receiver.stdout).on("line", (line) => lines.push(line));
  const line = async (index: number) => {
    while (lines.length <= index) {
      if (receiver.exitCode !== null) throw new Error(`The receiver ended with ${receiver.exitCode}`);
      await pause(5);
    }
    return lines[index]!;
  };
  try {
    const [, port = ""] = /^Listening on (\d+)$/.exec(await line(0)) ?? [];
    const url = `http://127.0.0.1:${port}/`;
    await webhookEndpoints.update({ id, url });
    await organizations.update({ id: organizationId, name: "Renamed" });
    await purser.webhooks.drain();
    expect(await line(1)).toMatch(/^organization\.updated \{.*"name":"Renamed"/);
    const [delivery] = await webhookEndpoints.deliveries.list({ organizationId });
    expect(delivery).toMatchObject({ status: "DELIVERED", attempts: [{ statusCode: 204 }] });
    await webhookEndpoints.deliveries.redeliver({ id: delivery!.id });
    await purser.webhooks.drain();
    const forged = await fetch(url, {
      method: "POST",
      body: "{}",
      headers: { "webhook-id": "evt_1", "webhook-timestamp": "1773863316", "webhook-signature": "v1,AAAA" },
    });
    expect(forged.status).toBe(400);
    expect(lines).toHaveLength(2);
  } finally {
    receiver.kill();
    if (receiver.exitCode === null) await once(receiver, "exit");
    await purser.close();
    rmSync(folder, { recursive: true });
  }
});

it("docs/webhooks.md: has an example of every type of event, which its contract accepts", () => {
  const [, list = ""] = page.split("<!-- events:begin -->");
  const examples = [...list.matchAll(/^```json\n(.*?)^```/gms)].map(
    ([, json = ""]) => JSON.parse(json) as { type: string; createdAt: string },
  );
  expect(examples.map(({ type }) => type).toSorted()).toEqual(eventTypes.toSorted());
  const refused = examples.filter((example) => !Event.safeParse(withDates(example)).success);
  expect(refused.map(({ type }) => type)).toEqual([]);
});

/** The dates of an example, which are text in JSON. */
function withDates(value: unknown): unknown {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value))
    return new Date(value);
  if (Array.isArray(value)) return value.map(withDates);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withDates(item)]));
}
