import { createServer as createTcpServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type WebhookReceiverServer, startReceiver } from "../testing/receiver.ts";
import { type WebhookClientOptions, createWebhookClient } from "./client.ts";

let receiver: WebhookReceiverServer;
const closed: (() => unknown)[] = [];

beforeEach(async () => {
  receiver = await startReceiver("127.0.0.2");
});
afterEach(async () => {
  for (const close of closed.splice(0)) await close();
  await receiver.close();
});

function client(options: Partial<WebhookClientOptions> = {}) {
  const made = createWebhookClient({ allowPrivate: true, ...options });
  closed.push(() => made.close());
  const never = new AbortController().signal;
  return (url: string, signal = never) =>
    made.send({ url, headers: { "webhook-id": "evt_1" }, body: '{"é":1}', signal });
}

const refused = { statusCode: null, error: "The address is not public, or not allowed for webhooks." };

describe("the HTTP client of webhooks", () => {
  it("dials the address that was checked, and never another one that the name resolves to later", async () => {
    const inner = await startReceiver("127.0.0.3");
    closed.push(() => inner.close());
    const innerPort = new URL(inner.url).port;
    const answers = [["127.0.0.2"], ["127.0.0.3"], ["127.0.0.2", "127.0.0.3"], ["::ffff:127.0.0.3"], []];
    const lookedUp: string[] = [];
    const send = client({
      // Stands for the public part of the internet.
      isAllowed: (address) => address === "127.0.0.2",
      resolve: async (hostname) => {
        lookedUp.push(hostname);
        return answers.shift() ?? [];
      },
    });
    const { port: outerPort } = new URL(receiver.url);
    expect(await send(`http://rebinding.example:${outerPort}/`)).toMatchObject({ statusCode: 204 });
    expect(receiver.received[0]).toMatchObject({
      body: '{"é":1}',
      headers: { host: `rebinding.example:${outerPort}`, "content-length": "8", "webhook-id": "evt_1" },
    });
    // An open connection is used again: it goes to the address that was checked.
    expect(await send(`http://rebinding.example:${outerPort}/`)).toMatchObject({ statusCode: 204 });
    expect(lookedUp).toHaveLength(1);
    // The same name, now inside; one of two; mapped; none. Another port, so that nothing is open yet.
    for (let time = 0; time < 4; time += 1)
      expect(await send(`http://rebinding.example:${innerPort}/`)).toMatchObject(refused);
    expect(lookedUp).toHaveLength(5);
    expect(inner.received).toEqual([]);
  });

  it("refuses addresses, ports, schemes and names that are not public", async () => {
    const lookedUp: string[] = [];
    const send = client({
      allowPrivate: false,
      resolve: async (hostname) => {
        lookedUp.push(hostname);
        return ["169.254.169.254"];
      },
    });
    const { port } = new URL(receiver.url);
    for (const url of [
      `https://127.0.0.2:${port}/`,
      "https://127.0.0.2/",
      "https://2130706434/",
      "https://0x7f.2/",
      "https://[::1]/",
      "https://[::ffff:127.0.0.2]/",
      "https://[64:ff9b::7f00:2]/",
      "http://demo.example/",
      "https://demo.example:8443/",
      "https://user:password@demo.example/",
    ])
      expect(await send(url), url).toMatchObject(refused);
    expect(lookedUp).toEqual([]);
    expect(await send("https://metadata.demo.example/")).toMatchObject(refused);
    expect(lookedUp).toEqual(["metadata.demo.example"]);
    expect(receiver.received).toEqual([]);
  });

  it("never follows a redirect", async () => {
    receiver.answer = (_, response) => response.writeHead(307, { location: `${receiver.url}other` }).end();
    const answer = await client()(receiver.url);
    expect(answer).toMatchObject({ statusCode: 307, error: "Redirects are not followed." });
    expect(receiver.received).toHaveLength(1);
  });

  it("reads at most 64 kB of the response, and takes its status", async () => {
    let written = 0;
    receiver.answer = (_, response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && written < 64 * 1024 * 1024) {
          written += 16 * 1024;
          if (!response.write(Buffer.alloc(16 * 1024))) return;
        }
      };
      response.on("drain", write);
      write();
    };
    expect(await client()(receiver.url)).toMatchObject({ statusCode: 200, error: null });
    // What the buffers of both sides hold is written, but not read.
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  it("gives up a receiver that does not answer, and one that never ends its answer", async () => {
    receiver.answer = () => undefined;
    expect(await client({ timeoutMs: 200 })(receiver.url)).toMatchObject({
      statusCode: null,
      error: "No response within 0.2 seconds.",
    });
    receiver.answer = (_, response) => response.writeHead(200).write("x");
    // The beginning of this answer must arrive in time.
    expect(await client({ timeoutMs: 2000 })(receiver.url)).toMatchObject({ statusCode: 200, error: null });
  });

  it.each(["", "Connection: Upgrade\r\nUpgrade: example\r\n"])(
    "takes 101 for a failure, which Node calls no response: %j",
    async (headers) => {
      const switching = createTcpServer((socket) => {
        socket.on("error", () => undefined);
        socket.once("data", () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`));
      });
      switching.listen(0, "127.0.0.2");
      await once(switching, "listening");
      closed.push(() => switching.close());
      const { port } = switching.address() as AddressInfo;
      expect(await client()(`http://127.0.0.2:${port}/`)).toMatchObject({ statusCode: 101 });
    },
  );

  it("ends at its signal, and says so by rejecting", async () => {
    const end = new AbortController();
    receiver.answer = () => end.abort();
    await expect(client()(receiver.url, end.signal)).rejects.toThrow("aborted");
  });

  it("says what went wrong without an address", async () => {
    const send = client();
    // A port below 1024 that no system assigns by itself, and on which nothing listens.
    expect((await send("http://127.0.0.2:1/")).error).toBe("The connection failed (ECONNREFUSED).");
    const tls = await send(receiver.url.replace("http:", "https:"));
    expect(tls.error).toMatch(/^The TLS connection failed|^The connection failed \(EPROTO\)/);
    const garbage = createTcpServer((socket) => socket.end("SSH-2.0\r\n\r\n")).listen(0, "127.0.0.2");
    await once(garbage, "listening");
    closed.push(() => garbage.close());
    const { port: odd } = garbage.address() as AddressInfo;
    expect((await send(`http://127.0.0.2:${odd}/`)).error).toBe("The response was not valid HTTP.");
    const unknown = client({
      resolve: () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" })),
    });
    expect((await unknown("http://demo.example/")).error).toBe(
      "The name of the host could not be resolved (ENOTFOUND).",
    );
  });

  it("sends again what a connection lost that its receiver had just closed", async () => {
    const send = client();
    expect(await send(receiver.url)).toMatchObject({ statusCode: 204 });
    let times = 0;
    receiver.answer = (_, response) => {
      times += 1;
      if (times === 1) response.socket!.resetAndDestroy();
      else response.writeHead(200).end();
    };
    expect(await send(receiver.url)).toMatchObject({ statusCode: 200 });
    expect(times).toBe(2);
  });
});
