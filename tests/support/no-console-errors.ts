import { beforeEach, expect } from "vitest";

// An error on the console fails a test: i18next reports a missing message there, and React an error while rendering.
// A test that expects one replaces `console.error`.
beforeEach(() => {
  const write = console.error;
  const reported: unknown[][] = [];
  console.error = (...values: unknown[]) => {
    reported.push(values);
    write(...values);
  };
  return () => {
    console.error = write;
    expect(reported, "errors on the console").toEqual([]);
  };
});
