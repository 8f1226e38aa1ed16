import { expect, it } from "vitest";
import { errorFields, loggedPath } from "./log";

it("names a call without the ticket or token in its path", () => {
  expect(loggedPath("/api/cas/validate/SECRET")).toBe("/api/cas/validate/…");
  expect(loggedPath("/api/fetch_publish_event/uuid/SECRET")).toBe("/api/fetch_publish_event/uuid/…");
  expect(loggedPath("/event/0b5a")).toBe("/event/0b5a");
});

it("leaves query strings out of errors", () => {
  const fields = errorFields(new TypeError("failed: https://h.example/event/1?token=SECRET."));
  expect(JSON.stringify(fields)).not.toContain("SECRET");
  expect(fields.error).toBe("TypeError");
});
