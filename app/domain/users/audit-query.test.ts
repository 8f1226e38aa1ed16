import { describe, expect, it } from "vitest";
import { parseAuditFilters } from "./audit-query";

const parse = (query: string, zone = "Asia/Tokyo") => parseAuditFilters(new URLSearchParams(query), zone);

describe("the filters of the audit log", () => {
  it("select everything if they are empty", () => {
    expect(parse("person=&action=&from=&to=")).toEqual({
      typed: { person: "", action: "", from: "", to: "" },
      errors: {},
      action: null,
      kind: null,
      from: null,
      to: null,
    });
  });

  it.each([
    ["from", "2026/8/1", "2026-07-31T15:00:00.000Z"],
    ["to", "2026/8/1", "2026-08-01T15:00:00.000Z"],
    ["to", "2026-12-31", "2026-12-31T15:00:00.000Z"],
    ["to", "2026/08/01 09:30", "2026-08-01T00:30:00.000Z"],
    ["from", "2026-08-01T09:30:15", "2026-08-01T00:30:15.000Z"],
    ["from", "２０２６／８／１　９：３０", "2026-08-01T00:30:00.000Z"],
  ] as const)("accept a typed time: %s %s", (name, typed, instant) => {
    const { errors, ...query } = parse(`${name}=${encodeURIComponent(typed)}`);
    expect([query[name], errors]).toEqual([instant, {}]);
  });

  it("accept a day that is shorter than 24 hours", () => {
    const { from, to } = parse("from=2026-03-08&to=2026-03-08", "America/New_York");
    expect(Date.parse(to ?? "") - Date.parse(from ?? "")).toBe(23 * 3_600_000);
  });

  it.each([
    ["from=yesterday", { from: "users:auditLog.badDate" }],
    ["to=2026/2/30", { to: "users:auditLog.badDate" }],
    ["to=2026/8/1 9:30:99", { to: "users:auditLog.badDate" }],
    ["from=2026/8/2&to=2026/8/1", { to: "users:auditLog.badOrder" }],
    ["from=2026/8/1 9:30&to=2026/8/1 9:30", { to: "users:auditLog.badOrder" }],
    ["action=toString", { action: "users:auditLog.badAction" }],
  ])("report the error: %s", (query, errors) => {
    expect(parse(query).errors).toEqual(errors);
  });

  it("accept an action or a kind", () => {
    expect(parse("action=log_in")).toMatchObject({ action: "log_in", kind: null, errors: {} });
    expect(parse("action=group")).toMatchObject({ action: null, kind: "group", errors: {} });
  });
});
