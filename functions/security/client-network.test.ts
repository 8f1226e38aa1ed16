import { expect, it } from "vitest";
import { clientNetwork, isLocalHostname } from "./client-network";

const place = (address?: string) =>
  clientNetwork(
    new Request("https://h.example/", { headers: address ? { "cf-connecting-ip": address } : {} }),
  );

it("takes an IPv4 address for itself, however it is written", () => {
  expect(place("192.0.2.1")).toBe("192.0.2.1");
  for (const mapped of ["::ffff:192.0.2.1", "::FFFF:c000:0201", "0:0:0:0:0:ffff:192.0.2.1"])
    expect(place(mapped)).toBe("192.0.2.1");
});

it("takes all addresses of one IPv6 subscriber for one place, and of two for two", () => {
  for (const address of ["2001:db8:1:2::1", "2001:0DB8:0001:0002:ffff:ffff:ffff:ffff", "2001:db8:1:2::"])
    expect(place(address)).toBe("2001:db8:1:2::/64");
  expect(place("2001:db8:1:3::1")).toBe("2001:db8:1:3::/64");
  expect(place("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(place("2001:db8::1:0:0:1")).toBe("2001:db8:0:0::/64");
  expect(place("::1")).toBe("0:0:0:0::/64");
  expect(place("fe80::1:2:3:4")).toBe("fe80:0:0:0::/64");
});

it("has a place for what has no address, and for what is none", () => {
  expect(place()).toBe("local");
  for (const odd of ["1", "unknown", "::g", "1:2:3"]) expect(place(odd)).toBe(odd);
});

it("knows this machine by its own name and by addresses alone", () => {
  const own = ["localhost", "hiroba.localhost", "127.0.0.1", "192.168.0.9", "[::1]"];
  const others = ["localhost.evil.example", "evil.example", "127.0.0.1.nip.io", "notlocalhost", ""];
  expect([...own, ...others].filter(isLocalHostname)).toEqual(own);
});
