import { BlockList, isIP } from "node:net";

/** The IPv4 blocks of IANA's registry of special addresses that are not reachable by everyone. */
const special4 = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8], // this network, unspecified
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8], // loopback
  ["169.254.0.0", 16], // link-local, with the metadata services of clouds
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.88.99.0", 24], // relays of 6to4
  ["192.168.0.0", 16], // private
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
] as const)
  special4.addSubnet(network, bits, "ipv4");

/**
 * IPv6 has one block of public addresses. Everything else is refused by not being in it: unspecified, loopback,
 * IPv4-mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96 and 64:ff9b:1::/48), unique local, link-local, multicast.
 */
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

const special6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23], // protocol assignments, with Teredo (2001::/32), which carries an IPv4 address
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4, which carries an IPv4 address
  ["3fff::", 20], // documentation
] as const)
  special6.addSubnet(network, bits, "ipv6");

/**
 * Whether an IP address is reachable by everyone, so that a request to it says nothing about the network that Purser runs
 * in. False for a text that is no IP address.
 *
 * @example
 * isPublicAddress("169.254.169.254"); // false
 */
export function isPublicAddress(address: string): boolean {
  // A zone belongs to a link of this machine.
  if (address.includes("%")) return false;
  const version = isIP(address);
  if (version === 4) return !special4.check(address, "ipv4");
  if (version === 6) return global6.check(address, "ipv6") && !special6.check(address, "ipv6");
  return false;
}
