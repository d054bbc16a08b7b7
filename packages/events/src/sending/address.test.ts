import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./address.ts";

describe("an address that webhooks may go to", () => {
  it.each(["1.1.1.1", "93.184.215.14", "100.63.255.255", "100.128.0.0", "172.32.0.1", "2606:4700::1111"])(
    "is public: %s",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ["unspecified", "0.0.0.0", "0.1.2.3", "::"],
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fd00::1", "fc00::1"],
    ["carrier-grade NAT", "100.64.0.1", "100.127.255.255"],
    ["link-local", "169.254.169.254", "fe80::1", "fe80::1%eth0"],
    ["multicast and broadcast", "224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1"],
    ["IPv4-mapped", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:1.1.1.1", "::127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1", "64:ff9b::1.1.1.1", "64:ff9b:1::1"],
    ["6to4 and Teredo", "2002:7f00:1::", "2001:0:4136:e378::1", "192.88.99.1"],
    ["documentation and benchmarks", "192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "2001:db8::1"],
    ["no IP address", "", "localhost", "1.2.3", "0x7f000001", "1.1.1.1.", "[::1]"],
  ])("is not %s", (_, ...addresses) => {
    expect(addresses.filter((address) => isPublicAddress(address))).toEqual([]);
  });
});
