import { CapsuleGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { direction } from "../core/angles";
import type { Vec3 } from "../core/contract";
import type { Triangles } from "../core/triangles";
import { add, mix, scale } from "../core/vec";
import { findFloorBelow } from "../core/walker";
import type { FirstView } from "./first-view";

/** Height of the figure, radius of its head, and radius of its body, in metres. */
export const PERSON_HEIGHT = 1.7;
const HEAD_RADIUS = 0.12;
const BODY_RADIUS = 0.2;
const COLOR = 0x2f6fde;

/** Distance from the start of a room to the figure, in metres, if no wall is nearer. The whole figure is visible from there. */
const ROOM_DISTANCE = 3.2;

/** Creates the figure of a person, 1.7 m tall, standing at a point. */
export function makePerson([x, y, z]: Vec3): Group {
  const person = new Group();
  person.name = "person";
  const material = new MeshBasicMaterial({ color: COLOR, toneMapped: false });
  const bodyHeight = PERSON_HEIGHT - 2 * HEAD_RADIUS;
  const body = new Mesh(new CapsuleGeometry(BODY_RADIUS, bodyHeight - 2 * BODY_RADIUS, 6, 16), material);
  const head = new Mesh(new SphereGeometry(HEAD_RADIUS, 16, 12), material);
  body.position.y = bodyHeight / 2;
  head.position.y = PERSON_HEIGHT - HEAD_RADIUS;
  person.add(body, head);
  person.position.set(x, y, z);
  person.updateMatrixWorld(true);
  return person;
}

/**
 * Returns the position of the figure for the comparison of sizes: beside an object, to the right in its first view; in a room, in front of the start.
 */
export function findPersonPlace(space: Triangles, { isObject, start }: FirstView): Vec3 {
  const { min, max } = space;
  const ahead = direction(start.yaw, 0);
  if (isObject) {
    const right = direction(start.yaw - Math.PI / 2, 0);
    const halfExtent = (vector: Vec3) =>
      (Math.abs(vector[0]) * (max[0] - min[0]) + Math.abs(vector[2]) * (max[2] - min[2])) / 2;
    const besideCentre = add(mix(min, max, 0.5), scale(right, halfExtent(right) + 2 * BODY_RADIUS));
    const [x, , z] = add(besideCentre, scale(ahead, -halfExtent(ahead)));
    return [x, min[1], z];
  }
  const wall = space.raycast(start.position, ahead, ROOM_DISTANCE + BODY_RADIUS);
  const wallDistance = wall ? Math.max(0, wall.distance - BODY_RADIUS) : ROOM_DISTANCE;
  const eye = add(start.position, scale(ahead, wallDistance));
  return [eye[0], findFloorBelow(space, eye) ?? min[1], eye[2]];
}
