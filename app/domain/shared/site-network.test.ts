import { expect, it } from "vitest";
import { siteNetwork } from "./site-network";

it("returns the /48 of an IPv6 /64, and null for anything else", () => {
  expect(siteNetwork("2001:db8:1:2::/64")).toBe("2001:db8:1::/48");
  expect(siteNetwork("2001:db8:1:ffff::/64")).toBe("2001:db8:1::/48");
  for (const otherNetwork of ["192.0.2.1", "local", "2001:db8:1:2::/64 x", ""])
    expect(siteNetwork(otherNetwork)).toBeNull();
});
