import { expect, it } from "vitest";
import { readAudit } from "./audit";

const report = (vulnerabilities: object) => JSON.stringify({ auditReportVersion: 2, vulnerabilities });

it("accepts a report without serious vulnerabilities", () => {
  expect(readAudit(report({}))).toEqual({ state: "clean" });
  expect(readAudit(report({ a: { name: "a", severity: "moderate" } }))).toEqual({ state: "clean" });
});

it("lists packages with serious vulnerabilities", () => {
  const audit = readAudit(
    report({ a: { name: "a", severity: "high" }, b: { name: "b", severity: "critical" } }),
  );
  expect(audit).toEqual({ state: "vulnerable", packages: ["a (high)", "b (critical)"] });
});

it("distinguishes output without a report from a clean report", () => {
  expect(readAudit(JSON.stringify({ message: "405 Method Not Allowed - POST it" }))).toEqual({
    state: "unanswered",
    reason: "405 Method Not Allowed",
  });
  expect(readAudit("").state).toBe("unanswered");
});
