import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { text } from "node:stream/consumers";
import type { HttpBindings } from "@hono/node-server";
import { testSettings } from "@purser/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../operations/metrics.ts";
import { type HttpServer, listen } from "./http-server.ts";

const mebibyte = 1024 * 1024;
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const head = (...headers: string[]) =>
  ["POST / HTTP/1.1", "Host: localhost", ...headers, "", ""].join("\r\n");
const post = `${head("Content-Length: 2")}{}`;
const isOk = "HTTP/1.1 200 ";
const countIn = (received: string) => received.split(isOk).length - 1;

/** Starts a server whose responses wait in `releases` until they are called. */
async function waiting() {
  const releases: (() => void)[] = [];
  const sockets: Socket[] = [];
  let begun = 0;
  const app = async (request: Request, bindings: unknown) => {
    begun += 1;
    sockets.push((bindings as HttpBindings).incoming.socket);
    await request.text();
    await new Promise<void>((resolve) => void releases.push(resolve));
    return new Response("ok", request.url.endsWith("/last") ? { headers: { Connection: "close" } } : {});
  };
  const server = await listen(app, { ...testSettings(), port: 0 }, createMetrics().edge);
  onTestFinished(() => server.drain(0, logger));
  /** From now on, lets no response wait. */
  const releaseAll = () => {
    const releasing = setInterval(() => releases.splice(0).forEach((release) => release()), 0);
    onTestFinished(() => clearInterval(releasing));
  };
  return { server, releases, sockets, begun: () => begun, releaseAll };
}

async function open({ port }: HttpServer, bytes = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

/** Counts the responses that arrive. */
function responsesOn(socket: Socket): () => number {
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += String(chunk)));
  return () => countIn(received);
}

describe("requests that a client sends ahead", () => {
  it("are answered four at a time", async () => {
    const { server, releases, begun } = await waiting();
    const answered = responsesOn(await open(server, post.repeat(30)));
    await expect.poll(() => releases.length).toBe(4);
    for (let responses = 1; responses <= 30; responses += 1) {
      releases.shift()!();
      await expect.poll(answered).toBe(responses);
      await expect.poll(() => releases.length).toBe(Math.min(4, 30 - responses));
      expect(begun()).toBe(Math.min(30, responses + 4));
    }
  });

  it("cut the connection off if they are many more than any client means well", async () => {
    const { server, begun } = await waiting();
    const received = text(await open(server, post.repeat(200)));
    expect(countIn(await received)).toBe(0);
    expect(begun()).toBe(4);
  });

  it("are not read meanwhile", async () => {
    const { server, releases, releaseAll } = await waiting();
    const socket = await open(server);
    // Each is in a chunk of its own.
    for (let sent = 1; sent <= 4; sent += 1) {
      socket.write(post);
      await expect.poll(() => releases.length).toBe(sent);
    }
    // More than the kernel buffers for a connection.
    const large = `${head(`Content-Length: ${mebibyte}`)}${"x".repeat(mebibyte)}`;
    let isTaken = false;
    socket.write(large.repeat(32), () => (isTaken = true));
    const other = responsesOn(await open(server, post));
    await expect.poll(() => releases.length).toBe(5);
    releases.pop()!();
    await expect.poll(other).toBe(1);
    expect(isTaken).toBe(false);
    const answered = responsesOn(socket);
    releaseAll();
    await expect.poll(answered).toBe(36);
  });

  it("have no body read while they wait", async () => {
    const { server, releases, sockets, releaseAll } = await waiting();
    // Node would keep each of these chunks, in two hundred times its size.
    const chunks = "1\r\nx\r\n".repeat(60_000);
    const socket = await open(server, `${post.repeat(5)}${head("Transfer-Encoding: chunked")}${chunks}`);
    await expect.poll(() => releases.length).toBe(4);
    // The fifth is answered now, and the sixth waits.
    releases.shift()!();
    await expect.poll(() => releases.length).toBe(4);
    for (let other = 1; other <= 5; other += 1) {
      const answered = responsesOn(await open(server, post));
      await expect.poll(() => releases.length).toBe(5);
      releases.pop()!();
      await expect.poll(answered).toBe(1);
    }
    expect(sockets[0]!.bytesRead).toBeLessThan(140_000);
    const answered = responsesOn(socket);
    releaseAll();
    socket.write("0\r\n\r\n");
    await expect.poll(answered).toBe(6);
  });

  it.each([2, mebibyte])("are all answered if a body of %i bytes arrives in parts", async (size) => {
    const { server, releases, releaseAll } = await waiting();
    const socket = await open(server, `${post.repeat(3)}${head(`Content-Length: ${size}`)}x`);
    const answered = responsesOn(socket);
    await expect.poll(() => releases.length).toBe(3);
    socket.write("x".repeat(size - 1));
    await expect.poll(() => releases.length).toBe(4);
    socket.write(`${post.repeat(5)}${head(`Content-Length: ${size}`)}x`);
    releaseAll();
    await expect.poll(answered).toBe(9);
    socket.write("x".repeat(size - 1));
    await expect.poll(answered).toBe(10);
    // The connection goes on.
    socket.write(post);
    await expect.poll(answered).toBe(11);
  });

  it("are all answered to a client that has closed its own side", async () => {
    const { server, releaseAll } = await waiting();
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    socket.end(post.repeat(9));
    releaseAll();
    expect(countIn(await text(socket))).toBe(9);
    socket.destroy();
  });

  it("are all answered by a server that is stopping", async () => {
    const { server, releases, releaseAll } = await waiting();
    const received = text(await open(server, post.repeat(9)));
    await expect.poll(() => releases.length).toBe(4);
    const drained = server.drain(60_000, logger);
    releaseAll();
    await drained;
    expect(countIn(await received)).toBe(9);
  });

  it("get no answer after the last response of their connection", async () => {
    const { server, releases, begun } = await waiting();
    const socket = await open(server, `${post.replace("/", "/last")}${post.repeat(8)}`);
    const received = text(socket);
    await expect.poll(() => releases.length).toBe(4);
    releases.shift()!();
    expect(countIn(await received)).toBe(1);
    await expect.poll(() => socket.closed).toBe(true);
    expect(begun()).toBe(4);
  });
});
