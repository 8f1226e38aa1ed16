import { expect, it, vi } from "vitest";
import { errorFields, LimitedLog, loggedPath } from "./log";

it("shortens API paths so that they contain no ticket or token", () => {
  expect(loggedPath("/api/cas/validate/SECRET")).toBe("/api/cas/validate/…");
  expect(loggedPath("/api/fetch_publish_event/uuid/SECRET")).toBe("/api/fetch_publish_event/uuid/…");
  expect(loggedPath("/event/0b5a")).toBe("/event/0b5a");
});

it("writes errors of one message and kind once a minute, whatever their texts say", () => {
  const write = vi.spyOn(console, "error").mockImplementation(() => {});
  const clock = { now: 1_000_000 };
  const limitedLog = new LimitedLog(() => clock.now);
  for (let id = 0; id < 5; id++) limitedLog.writeError("not stored", new Error(`no response to ${id}`));
  limitedLog.writeError("not stored", new TypeError("no response to 5"));
  limitedLog.writeError("not read", new Error("no response to 6"));
  clock.now += 60_000;
  limitedLog.writeError("not stored", new Error("no response to 7"), { waiting: 1 });
  const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
  expect(lines.map(({ message, detail }) => `${message}: ${detail}`)).toEqual([
    "not stored: no response to 0",
    "not stored: no response to 5",
    "not read: no response to 6",
    "not stored: no response to 7",
  ]);
  expect(lines.at(-1)).toMatchObject({ level: "error", error: "Error", waiting: 1 });
  write.mockRestore();
});

it("removes query strings from errors", () => {
  const fields = errorFields(new TypeError("failed: https://h.example/event/1?token=SECRET."));
  expect(JSON.stringify(fields)).not.toContain("SECRET");
  expect(fields.error).toBe("TypeError");
});
