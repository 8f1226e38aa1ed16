import { expect, it } from "vitest";
import { clientNetwork, isLocalHostname } from "./client-network";

const network = (address?: string) =>
  clientNetwork(
    new Request("https://h.example/", { headers: address ? { "cf-connecting-ip": address } : {} }),
  );

it("returns an IPv4 address in one spelling", () => {
  expect(network("192.0.2.1")).toBe("192.0.2.1");
  for (const mapped of ["::ffff:192.0.2.1", "::FFFF:c000:0201", "0:0:0:0:0:ffff:192.0.2.1"])
    expect(network(mapped)).toBe("192.0.2.1");
});

it("returns one network for all addresses of an IPv6 subscriber, and two for two subscribers", () => {
  for (const address of ["2001:db8:1:2::1", "2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::"])
    expect(network(address)).toBe("2001:db8:1:2::/64");
  expect(network("2001:db8:1:3::1")).toBe("2001:db8:1:3::/64");
  expect(network("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(network("2001:db8::1:0:0:1")).toBe("2001:db8:0:0::/64");
  expect(network("::1")).toBe("0:0:0:0::/64");
  expect(network("fe80::1:2:3:4")).toBe("fe80:0:0:0::/64");
});

it("returns a network for a missing and for an invalid address", () => {
  expect(network()).toBe("local");
  for (const invalidAddress of ["1", "unknown", "::g", "1:2:3"])
    expect(network(invalidAddress)).toBe(invalidAddress);
});

it("recognises this machine only by its own name and by addresses", () => {
  const localNames = ["localhost", "hiroba.localhost", "127.0.0.1", "192.168.0.9", "[::1]"];
  const otherNames = ["localhost.evil.example", "evil.example", "127.0.0.1.nip.io", "notlocalhost", ""];
  expect([...localNames, ...otherNames].filter(isLocalHostname)).toEqual(localNames);
});
