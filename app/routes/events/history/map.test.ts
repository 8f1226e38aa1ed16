import { expect, test } from "vitest";
import { projectToMap } from "./map-drawing";
import { snapshotPlan } from "./page.server";

const ID = "6f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b10";
const planWithLoss = (loss: "not_found" | null) =>
  snapshotPlan({
    state: { scene: { plan: { mediaId: ID, center: [5, 0], width: 20, rotation: 0 } } },
    media: [{ id: ID, libraryItemId: ID, loss, metadata: { width: 400, height: 200 } }],
  } as unknown as Parameters<typeof snapshotPlan>[0]);

test("the floor plan of a state lies under its changes while its image can be displayed", () => {
  const plan = planWithLoss(null);
  expect(plan).toEqual({
    image: `/media/${ID}?w=1280`,
    frame: { center: [5, 0], width: 20, height: 10, rotation: 0 },
  });
  expect(planWithLoss("not_found")).toBeNull();
  const { project, plan: projectedPlan } = projectToMap([[5, 1.6, 0]], plan);
  // A point in the middle of the plan is in the middle of its image.
  expect(
    projectedPlan && [projectedPlan.x + projectedPlan.width / 2, projectedPlan.y + projectedPlan.height / 2],
  ).toEqual(Object.values(project([5, 1.6, 0])));
  // A point beside the plan has room, too.
  const wideProjection = projectToMap([[25, 0, 0]], plan);
  expect(wideProjection.project([25, 0, 0]).x).toBeLessThanOrEqual(480);
  expect(wideProjection.plan?.width).toBeLessThan(projectedPlan?.width ?? 0);
});

test("a point far outside of the space is placed at the edge, and the scale is the same as without it", () => {
  const room = [0, 1, 2, 3, 4].map((x) => [x, 1.6, x / 2] as const);
  const projectionWithoutPoint = projectToMap(room, null);
  const { project, height } = projectToMap([...room, [9999, 0, 1]], null);
  expect(room.map((point) => project(point))).toEqual(
    room.map((point) => projectionWithoutPoint.project(point)),
  );
  expect(project([9999, 0, 1]).x).toBeGreaterThan(project([4, 0, 1]).x);
  expect(project([9999, 0, 1]).x).toBeLessThan(480);
  expect(project([9999, 0, 1]).y).toBeLessThan(height);
});
