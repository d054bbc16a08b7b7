import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { watchedSocket } from "./watched-socket.ts";

it("closes like a reset connection, which node-postgres accepts from a client that is ending", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  let lostBefore = 0;
  const socket = watchedSocket(() => lostBefore).connect((server.address() as AddressInfo).port);
  await once(socket, "connect");
  lostBefore = performance.now();
  expect(await once(socket, "error")).toEqual([expect.objectContaining({ code: "ECONNRESET" })]);
  server.close();
});
