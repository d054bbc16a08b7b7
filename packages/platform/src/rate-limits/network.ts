import { isIPv6 } from "node:net";

/**
 * Where an address belongs to: an IPv4 address stands for itself, and an IPv6 one for its /64, which is what
 * one customer is given at the least.
 */
export function networkOf(address: string): string {
  // Most are IPv4 addresses, and looking whether one is an IPv6 address costs more than all else of a look-up here.
  if (!address.includes(":")) return address;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.replace(/%.*$/, "").split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  // An IPv4 address at the end stands for two groups.
  const given = left.length + right.length + (tail.includes(".") ? 1 : 0);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - given)).fill("0"), ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
