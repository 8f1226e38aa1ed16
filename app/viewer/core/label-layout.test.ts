import { describe, expect, it } from "vitest";
import { fc, testProperty } from "../../../tests/viewer/shapes";
import {
  boxesOnStage,
  DISC_DISTANCE_MIN,
  discBox,
  type LabelLayout,
  type LabelPin,
  labelBox,
  layoutLabels,
  placeDisc,
} from "./label-layout";
import type { Box } from "./projection";

const size = { width: 800, height: 600 };
const pin = (id: string, x: number, y: number, overrides: Partial<LabelPin> = {}): LabelPin => ({
  id,
  x,
  y,
  distance: 3,
  width: 100,
  height: 28,
  emphasis: 0,
  ...overrides,
});
const find = (layout: LabelLayout, id: string) => layout.find((disc) => disc.id === id);

const pins = fc
  .array(
    fc.record({
      x: fc.integer({ min: 0, max: 800 }),
      y: fc.integer({ min: 0, max: 600 }),
      distance: fc.integer({ min: 1, max: 20 }),
      width: fc.integer({ min: 30, max: 260 }),
      emphasis: fc.constantFrom(0, 0, 0, 0, 1),
    }),
    { maxLength: 40 },
  )
  .map((list) => list.map((value, index) => pin(`p${index}`, value.x, value.y, value)));

/** Boxes of the visible labels, with their discs. */
function visibleLabelBoxes(layout: LabelLayout, pinList: readonly LabelPin[]) {
  return layout.flatMap((disc) => {
    const { width, height } = pinList.find(({ id }) => id === disc.id) ?? pin("", 0, 0);
    return disc.side ? [{ disc, box: labelBox(disc.x, disc.y, disc.side, width, height) }] : [];
  });
}

describe("the label layout", () => {
  it("shows a single pin's label at its right, and at its left near the edge", () => {
    expect(layoutLabels([pin("a", 400, 300)], { size })).toEqual([
      { id: "a", x: 400, y: 300, side: "right", members: ["a"] },
    ]);
    expect(find(layoutLabels([pin("a", 760, 300)], { size }), "a")?.side).toBe("left");
  });

  it("moves an emphasised label out of a reserved box that appears over it", () => {
    const openPin = pin("a", 400, 300, { emphasis: 1 });
    const previousLayout = layoutLabels([openPin], { size });
    expect(find(previousLayout, "a")?.side).toBe("right");
    const bar = { left: 420, top: 280, right: 560, bottom: 324 };
    expect(find(layoutLabels([openPin], { size, reservedBoxes: [bar] }, previousLayout), "a")?.side).toBe(
      "left",
    );
    // If the label must cover something, it covers the label of another pin, not the reserved box.
    const otherPin = pin("b", 250, 300, { width: 200 });
    const layout = layoutLabels([openPin, otherPin], { size, reservedBoxes: [bar] }, previousLayout);
    expect(find(layout, "a")?.side).not.toBe("right");
  });

  it("shows the label of the nearer pin and lists it first when two labels would overlap", () => {
    const layout = layoutLabels(
      [pin("far", 400, 320, { distance: 9 }), pin("near", 390, 300 - DISC_DISTANCE_MIN)],
      {
        size: { width: 520, height: 320 },
      },
    );
    expect(find(layout, "near")?.side).not.toBeNull();
    expect(layout.map(({ id }) => id)).toEqual(["near", "far"]);
  });

  it("puts pins that nearly coincide under one disc without a label, and separates them only when there is enough room", () => {
    const sharedDisc = layoutLabels([pin("a", 400, 300), pin("b", 410, 305, { distance: 2 })], { size });
    expect(sharedDisc).toEqual([{ id: "b", x: 410, y: 305, side: null, members: ["b", "a"] }]);
    const nearby = layoutLabels([pin("a", 400, 300), pin("b", 445, 300)], { size }, sharedDisc);
    expect(nearby).toHaveLength(1);
    const separateDiscs = layoutLabels([pin("a", 400, 300), pin("b", 455, 300)], { size }, nearby);
    expect(separateDiscs).toHaveLength(2);
  });

  it("makes the focused pin the leader of its disc and shows its label", () => {
    const layout = layoutLabels([pin("a", 400, 300), pin("b", 410, 300, { distance: 9, emphasis: 1 })], {
      size,
    });
    expect(layout).toMatchObject([{ id: "b", side: "right", members: ["b", "a"] }]);
  });

  it("expands a shared disc into a column in the list's order, inside of the screen", () => {
    const list = ["a", "b", "c", "d"].map((id, index) => pin(id, 790, 590 - index));
    const layout = layoutLabels(list, { size, expandedId: "c" });
    expect(layout.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    for (const { side, y } of layout) {
      expect(side).toBe("left");
      expect(y).toBeLessThanOrEqual(600 - DISC_DISTANCE_MIN / 2);
    }
    expect(Math.abs((layout[0]?.y ?? 0) - (layout[1]?.y ?? 0))).toBe(DISC_DISTANCE_MIN);
  });

  it("keeps a label on its side while the camera moves a little", () => {
    let layout = layoutLabels([pin("a", 672, 300)], { size });
    expect(layout[0]?.side).toBe("right");
    for (const x of [676, 680, 684]) layout = layoutLabels([pin("a", x, 300)], { size }, layout);
    expect(layout[0]?.side).toBe("left");
    layout = layoutLabels([pin("a", 670, 300)], { size }, layout);
    expect(layout[0]?.side).toBe("left");
  });

  testProperty(
    "no label covers another label or a visible disc, whichever pin is hovered, focused, open or expanded",
    [pins, fc.nat({ max: 40 })],
    (list, expandedIndex) => {
      const options = { size, expandedId: list[expandedIndex]?.id ?? null };
      const layout = layoutLabels(list, options, layoutLabels(list, { size }));
      const visibleBoxes = visibleLabelBoxes(layout, list);
      const touch = (a: Box, b: Box) =>
        a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      for (const { disc, box } of visibleBoxes) {
        expect(disc.isCovered).toBeUndefined();
        for (const other of visibleBoxes)
          if (other.disc !== disc) expect(touch(box, other.box), `${disc.id}, ${other.disc.id}`).toBe(false);
        for (const other of layout)
          if (other !== disc && !other.isCovered)
            expect(touch(box, discBox(other.x, other.y)), `${disc.id} over ${other.id}`).toBe(false);
      }
      const [emphasised] = list.filter(({ emphasis }) => emphasis > 0);
      if (emphasised && list.filter(({ emphasis }) => emphasis > 0).length === 1 && !options.expandedId)
        expect(find(layout, emphasised.id)?.side).not.toBeNull();
    },
  );

  testProperty("no two discs are nearer than 40 pixels, and every pin is in the layout", [pins], (list) => {
    const layout = layoutLabels(list, { size });
    layout.forEach((a, index) => {
      for (const b of layout.slice(index + 1))
        expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThanOrEqual(DISC_DISTANCE_MIN);
    });
    expect(layout.flatMap(({ members }) => members).sort()).toEqual(list.map(({ id }) => id).sort());
  });

  testProperty("the layout does not change while the camera does not move", [pins], (list) => {
    const second = layoutLabels(list, { size }, layoutLabels(list, { size }));
    expect(layoutLabels(list, { size }, second)).toEqual(second);
  });

  testProperty(
    "small camera movements that keep the discs hide no label while no pin is emphasised",
    [pins, fc.infiniteStream(fc.constantFrom(-0.5, 0, 0.5))],
    (pinList, noise) => {
      // The label of an emphasised pin may replace any other label.
      const list = pinList.map((value) => ({ ...value, emphasis: 0 }));
      const layout = layoutLabels(list, { size });
      const jitter = noise[Symbol.iterator]();
      const shift = () => jitter.next().value ?? 0;
      const movedList = list.map((value) => ({ ...value, x: value.x + shift(), y: value.y + shift() }));
      const movedLayout = layoutLabels(movedList, { size }, layout);
      const leaders = (discs: LabelLayout) => discs.map(({ id }) => id).sort();
      if (String(leaders(movedLayout)) !== String(leaders(layout))) return;
      for (const disc of layout)
        if (disc.side && disc.members.length === 1) expect(find(movedLayout, disc.id)?.side).not.toBeNull();
    },
  );
});

describe("the boxes of the page on the stage", () => {
  it("are relative to the stage, without hidden elements", () => {
    const stage = { left: 0, top: 56, right: 390, bottom: 292 };
    const hidden = { left: 0, top: 0, right: 0, bottom: 0 };
    expect(boxesOnStage([hidden, { left: 138, top: 216, right: 252, bottom: 264 }], stage)).toEqual([
      { left: 138, top: 160, right: 252, bottom: 208 },
    ]);
  });
});

describe("the position of a disc", () => {
  const reservedBox = { left: 368, top: 276, right: 432, bottom: 324 };

  it("is the pin's own position when nothing covers it", () => {
    expect(placeDisc({ x: 200, y: 100 }, size, [reservedBox])).toEqual({ x: 200, y: 100 });
  });

  it("moves the shortest distance out of reserved boxes, and above those at the bottom of the screen", () => {
    expect(placeDisc({ x: 405, y: 280 }, size, [reservedBox])).toEqual({
      x: 405,
      y: 276 - DISC_DISTANCE_MIN / 2,
    });
    expect(placeDisc({ x: 425, y: 300 }, size, [reservedBox])).toEqual({
      x: 432 + DISC_DISTANCE_MIN / 2,
      y: 300,
    });
    const bar = { left: 200, top: 540, right: 600, bottom: 590 };
    expect(placeDisc({ x: 400, y: 598 }, size, [bar])).toEqual({ x: 400, y: 540 - DISC_DISTANCE_MIN / 2 });
  });

  testProperty(
    "is always completely on the screen and outside of a reserved box",
    [
      fc.record({ x: fc.integer({ min: -12, max: 812 }), y: fc.integer({ min: -12, max: 612 }) }),
      fc.record({ x: fc.integer({ min: 100, max: 700 }), y: fc.integer({ min: 100, max: 500 }) }),
    ],
    (point, { x, y }) => {
      const reservedBox = { left: x - 32, top: y - 24, right: x + 32, bottom: y + 24 };
      const disc = placeDisc(point, size, [reservedBox]);
      expect(disc.x).toBeGreaterThanOrEqual(DISC_DISTANCE_MIN / 2);
      expect(disc.x).toBeLessThanOrEqual(size.width - DISC_DISTANCE_MIN / 2);
      expect(disc.y).toBeGreaterThanOrEqual(DISC_DISTANCE_MIN / 2);
      expect(disc.y).toBeLessThanOrEqual(size.height - DISC_DISTANCE_MIN / 2);
      const areApart =
        Math.abs(disc.x - x) >= 32 + DISC_DISTANCE_MIN / 2 ||
        Math.abs(disc.y - y) >= 24 + DISC_DISTANCE_MIN / 2;
      expect(areApart).toBe(true);
    },
  );
});

describe("five hundred pins at once", () => {
  // A simple generator (Lehmer, 1951) creates the same positions in every run.
  let state = 1;
  const nextRandom = () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
  const manyPins = Array.from({ length: 500 }, (_, index) =>
    pin(`c${index}`, nextRandom() * 1280, nextRandom() * 800, {
      distance: nextRandom() * 20,
      width: 60 + nextRandom() * 160,
    }),
  );
  const wide = { width: 1280, height: 800 };

  it("have discs that do not overlap, are under exactly one disc each, and have labels that do not overlap", () => {
    let layout = layoutLabels(manyPins, { size: wide });
    for (let frame = 0; frame < 3; frame++) layout = layoutLabels(manyPins, { size: wide }, layout);
    expect(layout.flatMap(({ members }) => members).sort()).toEqual(manyPins.map(({ id }) => id).sort());
    for (const [index, a] of layout.entries())
      for (const b of layout.slice(index + 1))
        expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThanOrEqual(DISC_DISTANCE_MIN);
    const labels = visibleLabelBoxes(layout, manyPins);
    expect(labels.length).toBeGreaterThan(0);
    for (const { disc, box } of labels)
      for (const other of labels)
        if (other.disc !== disc) {
          const areApart =
            box.right <= other.box.left ||
            box.left >= other.box.right ||
            box.bottom <= other.box.top ||
            box.top >= other.box.bottom;
          expect(areApart, `${disc.id} and ${other.disc.id}`).toBe(true);
        }
  });
});
