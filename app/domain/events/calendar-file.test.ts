import { expect, it } from "vitest";
import { calendarFile } from "./calendar-file";

const NOW = Date.parse("2030-04-01T03:00:00.000Z");
const entry = {
  id: "8d3b1f0e-0000-4000-8000-000000000001",
  name: "茶会, 春; 夜",
  start: "2030-04-02T01:00:00.000Z",
  end: null,
  url: "https://h.example/event/published/8d3b1f0e-0000-4000-8000-000000000001?token=abc",
  host: "h.example",
};

it("writes the event's times in UTC, and escapes its name", () => {
  const lines = calendarFile({ ...entry, end: "2030-04-03T01:00:00.000Z" }, NOW).split("\r\n");
  expect(lines).toContain("DTSTAMP:20300401T030000Z");
  expect(lines).toContain("DTSTART:20300402T010000Z");
  expect(lines).toContain("DTEND:20300403T010000Z");
  expect(lines).toContain("SUMMARY:茶会\\, 春\\; 夜");
  expect(calendarFile(entry, NOW)).not.toContain("DTEND");
});

it("folds lines at 75 octets without splitting a character", () => {
  const file = calendarFile({ ...entry, name: "藍".repeat(60) }, NOW);
  for (const line of file.split("\r\n"))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
  expect(file.replaceAll("\r\n ", "")).toContain(`SUMMARY:${"藍".repeat(60)}`);
  expect(file.replaceAll("\r\n ", "")).toContain(`URL:${entry.url}`);
});
