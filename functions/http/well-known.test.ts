import { expect, it } from "vitest";
import { serveWellKnown } from "./well-known";

const about = {
  securityContact: "mailto:security@hiroba.example",
  origin: "https://hiroba.example",
  now: Date.parse("2030-04-01T12:34:56.000Z"),
};
const ask = (path: string, over: object = {}, method = "GET") =>
  serveWellKnown(new Request(`https://hiroba.example${path}`, { method }), path, { ...about, ...over });

it("says whom to tell of a weakness, for less than a year", async () => {
  const answer = ask("/.well-known/security.txt");
  expect(answer?.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await answer?.text()).toBe(
    [
      "Contact: mailto:security@hiroba.example",
      "Expires: 2030-09-28T00:00:00.000Z",
      "Preferred-Languages: ja, en",
      "Canonical: https://hiroba.example/.well-known/security.txt",
      "",
    ].join("\n"),
  );
  expect(await ask("/.well-known/security.txt", {}, "HEAD")?.text()).toBe("");
});

it("says nothing of what it does not know, nor to what changes something", () => {
  expect(ask("/.well-known/openid-configuration")).toBeNull();
  expect(ask("/.well-known/security.txt", {}, "POST")).toBeNull();
});

it("leads to where another password is chosen", () => {
  const answer = ask("/.well-known/change-password");
  expect([answer?.status, answer?.headers.get("location")]).toEqual([
    302,
    "/account/security?dialog=password",
  ]);
});
