import { isIPv6 } from "node:net";

/**
 * Returns the network that a limit counts for an address: an IPv4 address itself, and the /64 of an IPv6 address, which
 * is the smallest block that a provider assigns to one customer.
 */
export function networkOfAddress(address: string): string {
  // Most addresses are IPv4, and `isIPv6` costs more than the rest of a lookup.
  if (!address.includes(":")) return address;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.replace(/%.*$/, "").split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  // An IPv4 address at the end takes two groups.
  const present = left.length + right.length + (tail.includes(".") ? 1 : 0);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - present)).fill("0"), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
