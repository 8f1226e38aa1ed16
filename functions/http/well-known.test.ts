import { expect, it } from "vitest";
import { serveWellKnown } from "./well-known";

const site = {
  securityContact: "mailto:security@hiroba.example",
  origin: "https://hiroba.example",
  now: Date.parse("2030-04-01T12:34:56.000Z"),
};
const request = (path: string, changes: object = {}, method = "GET") =>
  serveWellKnown(new Request(`https://hiroba.example${path}`, { method }), path, { ...site, ...changes });

it("states the contact for security reports, valid for less than a year", async () => {
  const response = request("/.well-known/security.txt");
  expect(response?.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await response?.text()).toBe(
    [
      "Contact: mailto:security@hiroba.example",
      "Expires: 2030-09-28T00:00:00.000Z",
      "Preferred-Languages: ja, en",
      "Canonical: https://hiroba.example/.well-known/security.txt",
      "",
    ].join("\n"),
  );
  expect(await request("/.well-known/security.txt", {}, "HEAD")?.text()).toBe("");
});

it("returns null for an unknown path and for POST", () => {
  expect(request("/.well-known/openid-configuration")).toBeNull();
  expect(request("/.well-known/security.txt", {}, "POST")).toBeNull();
});

it("redirects to the page for changing a password", () => {
  const response = request("/.well-known/change-password");
  expect([response?.status, response?.headers.get("location")]).toEqual([
    302,
    "/account/security?dialog=password",
  ]);
});
