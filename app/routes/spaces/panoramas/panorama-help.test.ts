import { expect, test } from "vitest";
import { newNode } from "~/domain/spaces/space-source-form";
import { withPanorama } from "./panorama-help";

test("a panorama that replaces cube faces has no links to them, and takes over the links to them", () => {
  const [before, first, second, after] = ["p1", "p2", "p3", "p4"].map((nodeId, index) => ({
    ...newNode([], `image-${index}`, ""),
    nodeId,
  }));
  if (!before || !first || !second || !after) throw new Error("There are four nodes.");
  const nodes = [
    { ...before, nodeLinks: "p2" },
    { ...first, nodeLinks: "p1 p3" },
    { ...second, nodeLinks: "p2 p4" },
    { ...after, nodeLinks: "p2 p3" },
  ];
  const replaced = withPanorama(nodes, nodes.slice(1, 3), "panorama");
  expect(replaced.map(({ nodeId, nodeMedia, nodeLinks }) => [nodeId, nodeMedia, nodeLinks])).toEqual([
    ["p1", "image-0", "p2"],
    ["p2", "panorama", "p1"],
    ["p4", "image-3", "p2"],
  ]);
});
