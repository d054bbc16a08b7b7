import { BlockList, isIP } from "node:net";
import type { HttpContext } from "./context.ts";

/** Returns the network address of the client. */
export type ClientAddress = (c: HttpContext) => string;

/**
 * Returns the socket's address or, behind a trusted proxy, the right-most entry of X-Forwarded-For that is not itself a
 * trusted proxy. Everything further left is attacker-controlled.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = blockList(trustedProxies);
  const hasProxies = trustedProxies.length > 0;
  return (c) => {
    const peer = plain(c.env.incoming?.socket.remoteAddress ?? "0.0.0.0");
    const forwarded = hasProxies ? c.req.header("x-forwarded-for") : undefined;
    if (forwarded === undefined || !contains(trusted, peer)) return peer;
    let nearest = peer;
    for (const entry of forwarded.split(",").toReversed()) {
      const address = plain(withoutPort(entry.trim()));
      // Not an IP address, so everything further left is attacker-controlled.
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

/** A dual-stack socket reports an IPv4 address as ::ffff:192.0.2.1. */
function plain(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address.toLowerCase();
}

/** Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry;
}
