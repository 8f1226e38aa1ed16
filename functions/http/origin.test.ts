import { expect, it } from "vitest";
import { isSameOrigin, pageRejectionStatus } from "./origin";

const post = (headers: Record<string, string>) =>
  new Request("https://hiroba.example/login", { method: "POST", headers });

it("allows changes only by pages of the same origin and by programs", () => {
  expect(isSameOrigin(post({ origin: "https://hiroba.example" }))).toBe(true);
  expect(isSameOrigin(post({}))).toBe(true);
  expect(isSameOrigin(post({ origin: "https://evil.example" }))).toBe(false);
  expect(isSameOrigin(post({ origin: "https://hiroba.example.evil.example" }))).toBe(false);
  expect(isSameOrigin(post({ origin: "http://hiroba.example" }))).toBe(false);
  expect(isSameOrigin(post({ origin: "https://hiroba.example:8443" }))).toBe(false);
  expect(isSameOrigin(post({ origin: "null" }))).toBe(false);
  expect(isSameOrigin(post({ "sec-fetch-site": "cross-site" }))).toBe(false);
});

it("accepts the development host, which has no TLS", () => {
  const local = (origin: string) =>
    isSameOrigin(new Request("http://localhost:8788/login", { method: "POST", headers: { origin } }));
  expect(local("http://localhost:8788")).toBe(true);
  expect(local("https://localhost:8788")).toBe(false);
});

it("rejects methods that pages do not have, and changes by other sites", () => {
  const rejectionStatusOf = (method: string, headers: Record<string, string> = {}) =>
    pageRejectionStatus(new Request("https://hiroba.example/login", { method, headers }));
  expect(rejectionStatusOf("GET", { origin: "https://evil.example" })).toBeNull();
  expect(rejectionStatusOf("HEAD")).toBeNull();
  expect(rejectionStatusOf("POST", { origin: "https://hiroba.example" })).toBeNull();
  expect(rejectionStatusOf("POST", { origin: "https://evil.example" })).toBe(403);
  for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) expect(rejectionStatusOf(method)).toBe(405);
});
