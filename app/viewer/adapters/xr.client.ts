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
import { contrastColor } from "../core/contrast-color";
import type { Pose } from "../core/flight";
import { add } from "../core/vec";
import { freeTree } from "./free.client";
import type { Stage } from "./stage.client";

/** Metres of the ray that leaves a controller. */
const RAY = 6;
/** Pins near the visitor that are named: more would hide the space. */
const NAMED = 40;
/** Metres, as high as a name stands in the space. */
const NAME_HEIGHT = 0.12;
/** How far a thumbstick is pushed for a turn, and how far back before the next. */
const PUSHED = 0.7;
const RELEASED = 0.3;
const TURN = Math.PI / 6;

/** What a session in a headset asks of its viewer. */
export interface XrSpace {
  readonly stage: Stage;
  readonly pins: readonly Pin[];
  pose(): Pose;
  /** Metres from the floor to the eyes. */
  eyeHeight(): number;
  /** Goes where a controller points. */
  stride(from: Vec3, towards: Vec3): void;
  /** Called before each frame. */
  tick(): void;
  ended(): void;
}

/** Begins a session: one stands where the camera stood, points at the floor to go there, and turns by the thumbstick. */
export async function beginSession(system: XRSystem, space: XrSpace): Promise<void> {
  const session = await system.requestSession("immersive-vr", { optionalFeatures: ["local-floor"] });
  const { stage } = space;
  const { renderer, scene, camera } = stage;
  const rig = new Group();
  const names = new Group();
  let turned = space.pose().yaw;
  let seat: Pose | null = null;
  let turning = false;

  const settle = () => {
    const pose = space.pose();
    if (pose === seat) return;
    seat = pose;
    const [x, y, z] = pose.position;
    rig.position.set(x, y - space.eyeHeight(), z);
    rig.rotation.y = turned;
  };
  const turn = () => {
    const sticks = [...session.inputSources].map(({ gamepad }) => gamepad?.axes[2] ?? gamepad?.axes[0] ?? 0);
    const push = sticks.find((value) => Math.abs(value) > PUSHED) ?? 0;
    if (push !== 0 && !turning) {
      turning = true;
      turned -= Math.sign(push) * TURN;
      seat = null;
    } else if (sticks.every((value) => Math.abs(value) < RELEASED)) turning = false;
  };
  const hands = [0, 1].map((index) => {
    const hand = renderer.xr.getController(index);
    hand.add(makeRay());
    hand.addEventListener("select", () => {
      const [from, towards] = rayOf(hand);
      space.stride(from, towards);
    });
    return hand;
  });
  rig.add(camera, ...hands);
  scene.add(rig, names);
  const near = [...space.pins].sort((a, b) => farness(a, space) - farness(b, space)).slice(0, NAMED);
  for (const pin of near) names.add(makeName(pin));

  // After the renderer has ended its own part: it takes the size back that it had, and would go on asking for frames.
  const end = () => {
    renderer.xr.removeEventListener("sessionend", end);
    renderer.setAnimationLoop(null);
    renderer.xr.enabled = false;
    rig.remove(camera);
    freeTree(names);
    freeTree(rig);
    stage.hold(false);
    space.ended();
  };
  renderer.xr.addEventListener("sessionend", end);
  stage.hold(true);
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
    settle();
    rig.updateMatrixWorld(true);
    names.updateMatrixWorld(true);
    space.tick();
    renderer.render(scene, camera);
  });
}

const farness = ({ position }: Pin, space: XrSpace): number => {
  const [x, , z] = space.pose().position;
  return Math.hypot(position[0] - x, position[2] - z);
};

function rayOf(hand: Object3D): readonly [Vec3, Vec3] {
  const from = new Vector3().setFromMatrixPosition(hand.matrixWorld);
  const towards = new Vector3(0, 0, -1)
    .applyMatrix4(new Matrix4().extractRotation(hand.matrixWorld))
    .normalize();
  return [from.toArray(), towards.toArray()];
}

function makeRay(): Line {
  const ray = new BufferGeometry().setFromPoints([new Vector3(), new Vector3(0, 0, -RAY)]);
  return new Line(ray, new LineBasicMaterial({ color: 0xffffff, transparent: true, opacity: 0.6 }));
}

/** A pin's name in its colour: the page's own buttons are not seen in a headset. */
function makeName(pin: Pin): Sprite {
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
