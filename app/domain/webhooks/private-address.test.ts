import { describe, expect, it } from "vitest";
import { isIpAddress, isPrivateAddress } from "./private-address";

describe("a text that is not the address of a public server", () => {
  it.each([
    ["this host", "0.0.0.0"],
    ["private, 10/8", "10.0.0.1"],
    ["private, end of 10/8", "10.255.255.255"],
    ["shared (CGNAT), first", "100.64.0.0"],
    ["shared (CGNAT), last", "100.127.255.255"],
    ["loopback", "127.0.0.1"],
    ["loopback, other", "127.255.255.254"],
    ["link-local, metadata service", "169.254.169.254"],
    ["private, 172.16/12, first", "172.16.0.0"],
    ["private, 172.16/12, last", "172.31.255.255"],
    ["protocol assignments", "192.0.0.8"],
    ["documentation", "192.0.2.1"],
    ["6to4 relay", "192.88.99.1"],
    ["private, 192.168/16", "192.168.255.1"],
    ["benchmarks", "198.19.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback, IPv6", "::1"],
    ["IPv4-mapped", "::ffff:127.0.0.1"],
    ["IPv4-mapped, in hex", "::ffff:7f00:1"],
    ["IPv4-mapped, of a public one", "::ffff:1.1.1.1"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["NAT64, local", "64:ff9b:1::a00:1"],
    ["discard", "100::1"],
    ["Teredo", "2001:0:7f00:1::1"],
    ["documentation, IPv6", "2001:db8::1"],
    ["6to4", "2002:7f00:1::1"],
    ["unique local", "fc00::1"],
    ["unique local, fd", "fd12:3456:789a::1"],
    ["link-local, IPv6", "fe80::1"],
    ["link-local with a zone", "fe80::1%eth0"],
    ["site-local", "fec0::1"],
    ["multicast, IPv6", "ff02::1"],
    ["capital letters", "FD00::A"],
    ["a host name", "example.com"],
    ["an incomplete IPv4 address", "127.1"],
    ["an invalid IPv6 address", "1::2::3"],
    ["an empty text", ""],
  ])("%s: %s", (_name, address) => expect(isPrivateAddress(address)).toBe(true));
});

describe("an address of a public server", () => {
  it.each([
    ...[
      "1.1.1.1",
      "9.255.255.255",
      "11.0.0.0",
      "100.63.255.255",
      "100.128.0.0",
      "126.255.255.255",
      "128.0.0.1",
    ],
    ...[
      "169.253.255.255",
      "172.15.255.255",
      "172.32.0.0",
      "192.167.255.255",
      "198.20.0.0",
      "223.255.255.255",
    ],
    ...["2606:4700:4700::1111", "2400:cb00::1", "2a00:1450:4001:81b::200e", "2001:4860:4860::8888"],
  ])("%s", (address) => expect(isPrivateAddress(address)).toBe(false));
});

it.each([
  ["1.1.1.1", true],
  ["::1", true],
  ["2606:4700::1111", true],
  ["1:2:3:4:5:6:7:8", true],
  ["1:2:3:4:5:6:7", false],
  ["256.1.1.1", false],
  ["cdn.example.com", false],
])("isIpAddress(%s) is %s", (text, expected) => expect(isIpAddress(text)).toBe(expected));
