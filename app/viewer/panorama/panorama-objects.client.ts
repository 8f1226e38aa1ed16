import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
} from "three";
import type { Vec3 } from "../core/contract";
import { createEquirectSphere } from "../core/equirect";

/** Creates the sphere on whose inside a panorama is drawn, without depth. */
export function createSphere(): Mesh<BufferGeometry, MeshBasicMaterial> {
  const { positions, uvs, indices } = createEquirectSphere(1, 96, 48);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("uv", new BufferAttribute(uvs, 2));
  geometry.setIndex(new BufferAttribute(indices, 1));
  const material = new MeshBasicMaterial({
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
    transparent: true,
  });
  const sphere = new Mesh(geometry, material);
  sphere.frustumCulled = false;
  return sphere;
}

/** Creates the ring on the floor of a linked node: light with a dark edge, so that it is visible on every floor. */
export function createRing([x, y, z]: Vec3): Group {
  const ring = new Group();
  // Radii in metres.
  const createRingPart = (inner: number, outer: number, color: number, opacity: number) =>
    new Mesh(
      new RingGeometry(inner, outer, 56),
      new MeshBasicMaterial({
        color,
        opacity,
        transparent: true,
        depthTest: false,
        depthWrite: false,
        side: DoubleSide,
      }),
    );
  ring.add(
    createRingPart(0, 0.2, 0xffffff, 0.22),
    createRingPart(0.19, 0.29, 0x15171c, 0.35),
    createRingPart(0.2, 0.27, 0xffffff, 0.95),
  );
  for (const mesh of ring.children) mesh.renderOrder = 2;
  ring.position.set(x, y, z);
  ring.rotation.x = -Math.PI / 2;
  return ring;
}
