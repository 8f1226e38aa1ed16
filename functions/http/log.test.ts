import { expect, it } from "vitest";
import { errorFields, loggedPath } from "./log";

it("shortens API paths so that they contain no ticket or token", () => {
  expect(loggedPath("/api/cas/validate/SECRET")).toBe("/api/cas/validate/…");
  expect(loggedPath("/api/fetch_publish_event/uuid/SECRET")).toBe("/api/fetch_publish_event/uuid/…");
  expect(loggedPath("/event/0b5a")).toBe("/event/0b5a");
});

it("removes query strings from errors", () => {
  const fields = errorFields(new TypeError("failed: https://h.example/event/1?token=SECRET."));
  expect(JSON.stringify(fields)).not.toContain("SECRET");
  expect(fields.error).toBe("TypeError");
});
