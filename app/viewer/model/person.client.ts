import { CapsuleGeometry, Group, Mesh, MeshBasicMaterial, SphereGeometry, type Vector3 } from "three";

/** Dimensions in metres. */
const HEIGHT = 1.7;
const HEAD = 0.12;
const SHOULDER = 0.2;
const COLOR = 0x2f6fde;

/**
 * Creates the figure of a person, 1.7 m tall, beside a model.
 * @param min minimum corner of the model's box, in metres
 * @param max maximum corner of the model's box, in metres
 */
export function makePerson(min: Vector3, max: Vector3): Group {
  const person = new Group();
  person.name = "person";
  const material = new MeshBasicMaterial({ color: COLOR, toneMapped: false });
  const bodyHeight = HEIGHT - 2 * HEAD;
  const body = new Mesh(new CapsuleGeometry(SHOULDER, bodyHeight - 2 * SHOULDER, 6, 16), material);
  const head = new Mesh(new SphereGeometry(HEAD, 16, 12), material);
  body.position.y = bodyHeight / 2;
  head.position.y = HEIGHT - HEAD;
  person.add(body, head);
  person.position.set(max.x + 2 * SHOULDER, min.y, (min.z + max.z) / 2);
  return person;
}
