import { expect, test } from "vitest";
import { gridStep, placeNames } from "./map-names";

test("a name is placed at the right, at the left near the edge, and is shortened if it is long", () => {
  const names = placeNames(
    [
      { x: 100, y: 50, number: "1", name: "受付" },
      { x: 460, y: 100, number: "2", name: "Way out" },
      { x: 100, y: 200, number: "", name: "A name that is longer than anybody reads at a glance" },
    ],
    480,
  );
  expect(names.slice(0, 2)).toEqual([
    { side: 1, text: "1 受付" },
    { side: -1, text: "2 Way out" },
  ]);
  expect(names[2]?.text).toMatch(/^A name that.*…$/);
});

test("a change without room for its name keeps its number, and an unchanged item without room has no label", () => {
  const point = { x: 100, y: 50, name: "展示品の長い名前です" };
  const names = placeNames(
    [
      { ...point, number: "1" },
      { ...point, y: 54, number: "2" },
      { ...point, y: 52, number: "" },
    ],
    480,
  );
  expect(names.map((name) => name?.text)).toEqual(["1 展示品の長い名前です", "2", undefined]);
});

test.each([
  [20, 2],
  [100, 0.5],
  [4, 10],
])("a grid at %s units a metre has lines every %s m", (scale, step) => {
  expect(gridStep(scale)).toBeCloseTo(step);
});
