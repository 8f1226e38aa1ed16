import {
  BufferGeometry,
  CanvasTexture,
  Group,
  Line,
  LineBasicMaterial,
  Matrix4,
  type Object3D,
  Sprite,
  SpriteMaterial,
  SRGBColorSpace,
  Vector3,
} from "three";
import type { Pin, Vec3 } from "../core/contract";
import type { Pose } from "../core/flight";
import { add } from "../core/vec";
import { contrastColor } from "./contrast-color";
import { disposeTree } from "./dispose.client";
import type { Stage } from "./stage.client";

/** Length of a controller's ray, in metres. */
const RAY_LENGTH = 6;
/** Maximum number of pins with a visible name, the nearest first. More would hide the space. */
const NAMES_MAX = 40;
/** Height of a name in the space, in metres. */
const NAME_HEIGHT = 0.12;
/** Deflection of a thumbstick that starts a turn, and deflection below which the next turn is possible. */
const TURN_DEFLECTION = 0.7;
const RELEASE_DEFLECTION = 0.3;
/** Angle of one turn, in radians. */
const TURN_ANGLE = Math.PI / 6;

/** Parts of the viewer that a headset session needs. */
export interface XrSpace {
  readonly stage: Stage;
  readonly pins: readonly Pin[];
  pose(): Pose;
  /** Height of the eyes above the floor, in metres. */
  eyeHeight(): number;
  /** Moves to the point at which a controller points. @param towards unit vector */
  moveTowards(from: Vec3, towards: Vec3): void;
  /** Called before each frame. */
  tick(): void;
  /** Called when the session has ended. */
  ended(): void;
}

/** Starts a headset session. It begins at the camera's position. The trigger moves to where the controller points, and the thumbstick turns. */
export async function startXrSession(system: XRSystem, space: XrSpace): Promise<void> {
  const session = await system.requestSession("immersive-vr", { optionalFeatures: ["local-floor"] });
  const { stage } = space;
  const { renderer, scene, camera } = stage;
  const rig = new Group();
  const names = new Group();
  let rigYaw = space.pose().yaw;
  let rigPose: Pose | null = null;
  let isTurning = false;

  const placeRig = () => {
    const pose = space.pose();
    if (pose === rigPose) return;
    rigPose = pose;
    const [x, y, z] = pose.position;
    rig.position.set(x, y - space.eyeHeight(), z);
    rig.rotation.y = rigYaw;
  };
  const turn = () => {
    const sticks = [...session.inputSources].map(({ gamepad }) => gamepad?.axes[2] ?? gamepad?.axes[0] ?? 0);
    const deflection = sticks.find((value) => Math.abs(value) > TURN_DEFLECTION) ?? 0;
    if (deflection !== 0 && !isTurning) {
      isTurning = true;
      rigYaw -= Math.sign(deflection) * TURN_ANGLE;
      rigPose = null;
    } else if (sticks.every((value) => Math.abs(value) < RELEASE_DEFLECTION)) isTurning = false;
  };
  const controllers = [0, 1].map((index) => {
    const controller = renderer.xr.getController(index);
    controller.add(createRay());
    controller.addEventListener("select", () => {
      const [from, towards] = readRay(controller);
      space.moveTowards(from, towards);
    });
    return controller;
  });
  rig.add(camera, ...controllers);
  scene.add(rig, names);
  const nearestPins = [...space.pins]
    .sort((a, b) => horizontalDistance(a, space) - horizontalDistance(b, space))
    .slice(0, NAMES_MAX);
  for (const pin of nearestPins) names.add(createName(pin));

  // This must run after the renderer's own handler, which restores the old size and would continue to request frames.
  const end = () => {
    renderer.xr.removeEventListener("sessionend", end);
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    rig.remove(camera);
    disposeTree(names);
    disposeTree(rig);
    stage.setSuspended(false);
    space.ended();
  };
  renderer.xr.addEventListener("sessionend", end);
  stage.setSuspended(true);
  renderer.xr.enabled = true;
  renderer.xr.setReferenceSpaceType("local-floor");
  try {
    await renderer.xr.setSession(session);
  } catch (error) {
    end();
    await session.end().catch(() => {});
    throw error;
  }
  renderer.setAnimationLoop(() => {
    turn();
    placeRig();
    rig.updateMatrixWorld(true);
    names.updateMatrixWorld(true);
    space.tick();
    renderer.render(scene, camera);
  });
}

const horizontalDistance = ({ position }: Pin, space: XrSpace): number => {
  const [x, , z] = space.pose().position;
  return Math.hypot(position[0] - x, position[2] - z);
};

function readRay(controller: Object3D): readonly [Vec3, Vec3] {
  const from = new Vector3().setFromMatrixPosition(controller.matrixWorld);
  const towards = new Vector3(0, 0, -1)
    .applyMatrix4(new Matrix4().extractRotation(controller.matrixWorld))
    .normalize();
  return [from.toArray(), towards.toArray()];
}

function createRay(): Line {
  const ray = new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -RAY_LENGTH)]);
  return new Line(ray, new LineBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.6 }));
}

/** Draws a pin's name on its colour, because the page's buttons are not visible in a headset. */
function createName(pin: Pin): Sprite {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const font = '600 44px "Hiragino Sans", "Noto Sans JP", "Yu Gothic UI", system-ui, sans-serif';
  if (context) context.font = font;
  const width = Math.min(900, Math.ceil(context?.measureText(pin.label).width ?? 200) + 64);
  canvas.width = width;
  canvas.height = 88;
  if (context) {
    context.fillStyle = pin.color || "#15171c";
    context.fillRect(0, 0, width, 88);
    context.font = font;
    context.fillStyle = contrastColor(pin.color || "#15171c");
    context.textBaseline = "middle";
    context.fillText(pin.label, 32, 46, width - 64);
  }
  const map = new CanvasTexture(canvas);
  map.colorSpace = SRGBColorSpace;
  const name = new Sprite(new SpriteMaterial({ map, depthTest: false, toneMapped: false }));
  const [x, y, z] = add(pin.position, pin.stem);
  name.position.set(x, y, z);
  name.scale.set((NAME_HEIGHT * width) / 88, NAME_HEIGHT, 1);
  name.renderOrder = 5;
  return name;
}
