import { BlockList, isIP } from "node:net";
import type { HttpContext } from "./context.ts";

/** Finds the network address that a request comes from. */
export type ClientAddress = (c: HttpContext) => string;

/**
 * The socket's own address; behind a trusted proxy the right-most entry of X-Forwarded-For that is not itself a
 * trusted proxy. Everything further to the left was written by somebody whom nobody vouches for.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = blockList(trustedProxies);
  return (c) => {
    const peer = plain(c.env.incoming?.socket.remoteAddress ?? "0.0.0.0");
    const forwarded = c.req.header("x-forwarded-for");
    if (forwarded === undefined || !contains(trusted, peer)) return peer;
    let nearest = peer;
    for (const entry of forwarded.split(",").toReversed()) {
      const address = plain(withoutPort(entry.trim()));
      // A proxy that we trust writes addresses; what is none came from further away.
      if (isIP(address) === 0) break;
      nearest = address;
      if (!contains(trusted, address)) break;
    }
    return nearest;
  };
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(address, prefix === undefined ? (family === "ipv6" ? 128 : 32) : Number(prefix), family);
  }
  return list;
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** A socket that listens on both families shows an IPv4 address as ::ffff:192.0.2.1. */
function plain(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address.toLowerCase();
}

/** Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry;
}
