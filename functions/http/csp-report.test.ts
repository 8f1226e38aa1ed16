import { describe, expect, it } from "vitest";
import { CspReportLog, type CspViolation, readCspReports, serveCspReport } from "./csp-report";

const HOST = "hiroba.example";
const TOKEN = "Kls70_hS_goVuB_l1xsknGA26RW5OaIOAot_OgxYkG0";
const legacyReport = (changes: object = {}) => ({
  "csp-report": {
    "document-uri": `https://${HOST}/event/published/1?token=${TOKEN}#tag-1`,
    "effective-directive": "img-src",
    "blocked-uri": `https://user:pass@evil.example/a/${TOKEN}?token=${TOKEN}`,
    "source-file": `https://${HOST}/assets/a.js?x=${TOKEN}`,
    "line-number": 3,
    ...changes,
  },
});

describe("readCspReports", () => {
  it("reads both formats, without queries, users and tokens", () => {
    const expected = {
      directive: "img-src",
      blocked: "https://evil.example/a/…",
      page: "/event/published/1",
      source: `https://${HOST}/assets/a.js`,
      line: 3,
    };
    expect(readCspReports(JSON.stringify(legacyReport()), HOST)).toEqual([expected]);
    const modern = {
      type: "csp-violation",
      body: {
        documentURL: `https://${HOST}/event/published/1?token=${TOKEN}`,
        effectiveDirective: "img-src",
        blockedURL: `https://evil.example/a/${TOKEN}?token=${TOKEN}`,
        sourceFile: `https://${HOST}/assets/a.js`,
        lineNumber: 3,
      },
    };
    expect(readCspReports(JSON.stringify([modern, { type: "deprecation", body: {} }]), HOST)).toEqual([
      expected,
    ]);
    expect(JSON.stringify(readCspReports(JSON.stringify(legacyReport()), HOST))).not.toContain(TOKEN);
  });

  it("drops invalid reports, and reports about pages of other hosts", () => {
    for (const body of ["", "[", "null", "3", '"x"', "[[]]", '{"csp-report":[]}', '{"csp-report":{}}'])
      expect(readCspReports(body, HOST), body).toEqual([]);
    expect(
      readCspReports(JSON.stringify(legacyReport({ "document-uri": "https://other.example/" })), HOST),
    ).toEqual([]);
  });

  it("keeps keywords such as inline and the scheme of data URLs, and drops values that are no URLs", () => {
    const blocked = (value: unknown) =>
      readCspReports(JSON.stringify(legacyReport({ "blocked-uri": value })), HOST)[0]?.blocked;
    expect([
      blocked("inline"),
      blocked("data:text/html,secret"),
      blocked(`x ${TOKEN}\n`),
      blocked(3),
    ]).toEqual(["inline", "data:", "", ""]);
  });
});

describe("the log of reports", () => {
  const report = (page: number): CspViolation => ({
    directive: "img-src",
    blocked: "inline",
    page: `/${page}`,
    source: "",
    line: null,
  });

  it("is limited per minute: for a network, for all networks, and for equal reports", () => {
    let now = 0;
    const lines: CspViolation[] = [];
    const log = new CspReportLog(
      () => now,
      (line) => lines.push(line),
    );
    for (let i = 0; i < 100; i++) log.add("a", report(1));
    expect(lines).toHaveLength(1);
    for (let i = 0; i < 100; i++) log.add("a", report(i));
    expect(lines).toHaveLength(5);
    for (let i = 0; i < 1000; i++) log.add(`n${i}`, report(1000 + i));
    expect(lines).toHaveLength(30);
    now = 60_000;
    log.add("a", report(1));
    expect(lines).toHaveLength(31);
  });

  it("gives every report the same response, and does not read reports that are too long", async () => {
    const lines: CspViolation[] = [];
    const reports = new CspReportLog(
      () => 0,
      (line) => lines.push(line),
    );
    const post = (body: string) =>
      serveCspReport(new Request(`https://${HOST}/csp-report`, { method: "POST", body }), {
        host: HOST,
        network: "n",
        reports,
      });
    for (const body of [
      JSON.stringify(legacyReport()),
      "no report",
      JSON.stringify(legacyReport({ "effective-directive": "script-src", padding: "x".repeat(20_000) })),
    ])
      expect((await post(body)).status).toBe(204);
    expect(lines).toHaveLength(1);
    const response = await serveCspReport(new Request(`https://${HOST}/csp-report`), {
      host: HOST,
      network: "n",
      reports,
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });
});
