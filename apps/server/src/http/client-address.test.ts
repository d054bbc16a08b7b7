import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { clientAddress } from "./client-address.ts";
import type { HttpEnv } from "./context.ts";

async function addressOf(trusted: string[], peer: string, forwarded?: string): Promise<string> {
  const app = new Hono<HttpEnv>();
  const address = clientAddress(trusted);
  app.get("/", (c) => c.text(address(c)));
  const headers: Record<string, string> = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const incoming = { socket: { remoteAddress: peer } } as NonNullable<HttpEnv["Bindings"]["incoming"]>;
  return (await app.request("/", { headers }, { incoming })).text();
}

describe("the client's address", () => {
  it.each([
    ["is the socket's address if no proxy is trusted", [], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    [
      "is the socket's address if the proxy is not a trusted one",
      ["10.0.0.0/8"],
      "203.0.113.9",
      "198.51.100.1",
      "203.0.113.9",
    ],
    ["comes from the header of a trusted proxy", ["10.0.0.0/8"], "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    [
      "is the nearest address that is not a trusted proxy",
      ["10.0.0.0/8"],
      "10.1.2.3",
      "1.1.1.1, 198.51.100.1, 10.9.9.9",
      "198.51.100.1",
    ],
    [
      "ignores entries that a client put in front",
      ["10.1.2.3"],
      "10.1.2.3",
      "6.6.6.6, 198.51.100.1",
      "198.51.100.1",
    ],
    [
      "stops at an entry that is not an address",
      ["10.0.0.0/8"],
      "10.1.2.3",
      "198.51.100.1, unknown, 10.9.9.9",
      "10.9.9.9",
    ],
    ["is the proxy's address if the header is empty", ["10.0.0.0/8"], "10.1.2.3", "", "10.1.2.3"],
    [
      "is an IPv4 address even on a dual-stack socket",
      ["10.0.0.0/8"],
      "::ffff:10.1.2.3",
      "::ffff:198.51.100.1",
      "198.51.100.1",
    ],
    [
      "can be an IPv6 address",
      ["2001:db8::/32"],
      "2001:db8::1",
      "2001:DB8:ffff::2, 2606:4700::1",
      "2606:4700::1",
    ],
    ["drops the port", ["10.1.2.3"], "10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
    ["drops the brackets", ["10.1.2.3"], "10.1.2.3", "[2606:4700::1]:4711", "2606:4700::1"],
  ])("%s", async (_guarantee, trusted, peer, forwarded, expected) => {
    expect(await addressOf(trusted, peer, forwarded)).toBe(expected);
  });
});
