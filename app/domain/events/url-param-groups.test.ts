import { expect, it } from "vitest";
import definitions from "../../../public/url_params.json";
import { groupParams } from "./url-param-groups";

it("sorts every offered parameter into one named group", () => {
  const groups = groupParams(definitions.availableParams);
  expect(groups.map(({ group }) => group)).toEqual(["start", "navigation", "labels", "tour", "share"]);
  expect(groups.flatMap(({ names }) => names).sort()).toEqual([...definitions.availableParams].sort());
});

it("keeps a parameter that is in no group, and leaves out empty groups", () => {
  expect(groupParams(["new", "play"])).toEqual([
    { group: "start", names: ["play"] },
    { group: "other", names: ["new"] },
  ]);
});
