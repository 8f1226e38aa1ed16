import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { expect, it, vi } from "vitest";
import { loader } from "./export";

const ID = "6f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b10";

async function requestExport(query: string, lang = "en") {
  const report = { scope: { kind: "event" }, period: { kind: "all", days: null } };
  const reportFile = vi.fn(async () => ({ report, text: "{}" }));
  const reportCsv = vi.fn(async () => ({ report, text: "part" }));
  const context = {
    lang,
    session: { require: async () => ({ actor: { userId: ID } }) },
    services: { reports: { reportFile, reportCsv } },
  };
  const request = new Request(`https://hiroba.example/event/${ID}/report/export${query}`);
  const response = await loader({ params: { uuid: ID }, request, context } as unknown as LoaderFunctionArgs);
  return {
    response,
    text: await response.text(),
    readCount: reportFile.mock.calls.length + reportCsv.mock.calls.length,
  };
}

it("a report is exported as CSV or JSON, with the matching file extension", async () => {
  for (const [query, type, name] of [
    ["", "text/csv", "csv"],
    ["?format=csv", "text/csv", "csv"],
    ["?format=json", "application/json", "json"],
  ] as const) {
    const { response } = await requestExport(query);
    expect(response.status, query).toBe(200);
    expect(response.headers.get("content-type"), query).toContain(type);
    expect(response.headers.get("content-disposition"), query).toContain(`.${name}"`);
  }
});

it("an unknown format returns a page in the user's language, with a link back to the report", async () => {
  const { response, text, readCount } = await requestExport("?period=weekly&at=2026-04-01&format=<b>xml");
  expect([response.status, readCount]).toEqual([400, 0]);
  expect(text).toMatch(/^<!doctype html><html lang="en">/i);
  expect(text).toContain("not as “&lt;b&gt;xml”");
  expect(text).toContain('href="../report?period=weekly&amp;at=2026-04-01"');
  expect((await requestExport("?format=", "ja")).text).toContain("この形式は利用できません");
});
