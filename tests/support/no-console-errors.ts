import { beforeEach, expect } from "vitest";

// An error on the console fails a test: i18next reports missing messages there, and React reports rendering errors. A test that
// expects an error replaces `console.error`.
beforeEach(() => {
  const originalError = console.error;
  const reported: unknown[][] = [];
  console.error = (...values: unknown[]) => {
    reported.push(values);
    originalError(...values);
  };
  return () => {
    console.error = originalError;
    expect(reported, "errors on the console").toEqual([]);
  };
});
