import { expect, it } from "vitest";
import type { SpaceSource } from "../shared/model";
import { createSourceSchema } from "./space-source.schema";
import {
  EMPTY_SOURCE,
  linkedNodeIds,
  newNode,
  readSourceValues,
  sourceErrors,
  sourceFieldId,
  sourceInput,
  sourceValues,
} from "./space-source-form";

const A = "0f8fad5b-d9cb-469f-a165-70867728950e";
const start = { position: [1, 1.6, 2], yaw: 1, pitch: 0, mode: "walk", nodeId: "p1" } as const;
const sources: SpaceSource[] = [
  { kind: "model", mediaId: A, start: null, eyeHeight: 1.2 },
  {
    kind: "model",
    mediaId: A,
    start: null,
    eyeHeight: 1.6,
    display: {
      scale: 0.001,
      up: "-z",
      turn: Math.PI / 2,
      scene: 1,
      animation: 0,
      moves: "click",
      variant: 2,
    },
  },
  { kind: "splat", mediaId: A, start, eyeHeight: 1.6, up: "-y" },
  {
    kind: "panorama",
    start,
    nodes: [
      {
        id: "p1",
        mediaId: A,
        title: { ja: "入口", en: "" },
        position: [0, 1.6, 0],
        heading: 0,
        links: ["p2"],
      },
      {
        id: "p2",
        mediaId: A,
        title: { ja: "", en: "" },
        position: [4.25, 1.6, -1],
        heading: 0,
        links: ["p1"],
      },
    ],
  },
];

it("converts a source to fields and back to the same source", () => {
  for (const source of sources) {
    const form = new FormData();
    const { nodes, ...fields } = sourceValues(source, "SxQL3iGyoDo");
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const node of nodes) for (const [name, value] of Object.entries(node)) form.append(name, value);
    const sourceValue = sourceInput(source.kind, readSourceValues(form));
    expect(createSourceSchema("degrees").parse(sourceValue)).toEqual(source);
  }
  expect(sourceInput("showcase", sourceValues({ kind: "showcase" }, "SxQL3iGyoDo"))).toEqual({
    kind: "showcase",
    showcase: "SxQL3iGyoDo",
  });
});

it("gives a new panorama a free id and a link to the last panorama, beside the others", () => {
  const first = newNode([], A, "玄関");
  const second = newNode([first], A, "居間");
  const third = newNode([second], A, "庭");
  expect([first, second, third].map(({ nodeId }) => nodeId)).toEqual(["p1", "p2", "p3"]);
  expect([first.nodeX, second.nodeX, third.nodeX]).toEqual(["0", "4", "8"]);
  expect(second).toMatchObject({ nodeLinks: "p1", nodeJa: "居間", nodeEn: "居間" });
});

it("reads the ids of a panorama's links, separated by spaces or commas", () => {
  const node = { ...newNode([], A, "x"), nodeLinks: " room-a hall_2,p3、p4，p5 " };
  expect(linkedNodeIds(node)).toEqual(["room-a", "hall_2", "p3", "p4", "p5"]);
  expect(linkedNodeIds({ ...node, nodeLinks: "" })).toEqual([]);
});

it("puts each error beside its field, also that of an invalid start", () => {
  const node = { ...newNode([], A, "x"), nodeX: "far", nodeLinks: "p9、p8" };
  const values = { ...EMPTY_SOURCE, nodes: [newNode([], A, "x"), node], start: "{no" };
  const result = createSourceSchema("degrees").safeParse(sourceInput("panorama", values));
  expect(sourceErrors(result.error?.issues ?? [])).toEqual({
    "nodeX-1": ["shared-owners:errors.field.position"],
    "nodeLinks-1": ["spaces:sources.errors.link"],
    "nodeId-1": ["spaces:sources.errors.sameNode"],
    start: ["shared-owners:errors.field.position"],
  });
  expect(sourceFieldId("source.nodes[12].title.en")).toBe("nodeEn-12");
  expect(sourceFieldId("source")).toBe("source");
  expect(sourceFieldId("posterMediaId")).toBe("posterMediaId");
  expect(readSourceValues(new FormData()).nodes).toEqual([]);
});

it("reads the up axis of a button, which works without scripts, instead of the list's", () => {
  const form = new FormData();
  form.append("up", "auto");
  expect(readSourceValues(form).up).toBe("auto");
  form.append("upNow", "-y");
  expect(readSourceValues(form).up).toBe("-y");
  expect(EMPTY_SOURCE.up).toBe("auto");
});
