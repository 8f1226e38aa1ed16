import { expect, test } from "vitest";
import { layOut } from "./map-drawing";
import { planOf } from "./page.server";

const ID = "6f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b10";
const asked = (loss: "not_found" | null) =>
  planOf({
    state: { scene: { plan: { mediaId: ID, center: [5, 0], width: 20, rotation: 0 } } },
    media: [{ id: ID, libraryItemId: ID, loss, facts: { width: 400, height: 200 } }],
  } as unknown as Parameters<typeof planOf>[0]);

test("a state's floor plan lies under its changes, while its picture can be shown", () => {
  const plan = asked(null);
  expect(plan).toEqual({
    picture: `/media/${ID}?w=1280`,
    frame: { center: [5, 0], width: 20, height: 10, rotation: 0 },
  });
  expect(asked("not_found")).toBeNull();
  const { at, plan: laid } = layOut([[5, 1.6, 0]], plan);
  // What stands in the middle of the plan stands in the middle of its picture.
  expect(laid && [laid.x + laid.width / 2, laid.y + laid.height / 2]).toEqual(Object.values(at([5, 1.6, 0])));
  // What stands beside it has room, too.
  const wide = layOut([[25, 0, 0]], plan);
  expect(wide.at([25, 0, 0]).x).toBeLessThanOrEqual(480);
  expect(wide.plan?.width).toBeLessThan(laid?.width ?? 0);
});

test("what lies far outside of the space stands at the picture's edge, and the rest is as large as without it", () => {
  const room = [0, 1, 2, 3, 4].map((x) => [x, 1.6, x / 2] as const);
  const alone = layOut(room, null);
  const { at, height } = layOut([...room, [9999, 0, 1]], null);
  expect(room.map((point) => at(point))).toEqual(room.map((point) => alone.at(point)));
  expect(at([9999, 0, 1]).x).toBeGreaterThan(at([4, 0, 1]).x);
  expect(at([9999, 0, 1]).x).toBeLessThan(480);
  expect(at([9999, 0, 1]).y).toBeLessThan(height);
});
