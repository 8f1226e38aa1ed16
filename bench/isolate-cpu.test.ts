import { expect, it } from "vitest";
import { findRegressions } from "./isolate-cpu";

it("reports the pages that need over 15 % more processor time than before", () => {
  const figure = (key: string, relative: number) => ({ key, name: key, relative });
  const figures = [figure("a", 1.14), figure("b", 1.16), figure("c", 0.5), figure("new", 9)];
  expect(findRegressions(figures, { a: 1, b: 1, c: 1 })).toEqual(["b: 1.16 instead of 1.00"]);
});
