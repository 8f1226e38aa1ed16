/** Draws a model in a plain three.js page with the viewer's environment, tone mapping and camera. */
import {
  AnimationMixer,
  Box3,
  Color,
  NeutralToneMapping,
  type Object3D,
  PerspectiveCamera,
  PMREMGenerator,
  Scene,
  Vector3,
  WebGLRenderer,
} from "three";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import { MeshoptDecoder } from "three/examples/jsm/libs/meshopt_decoder.module.js";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { createDracoLoader } from "~/viewer/model/draco.client";
import { createKtx2Loader } from "~/viewer/model/ktx2.client";
import { DecoderWatchdog } from "~/viewer/shared/decoder-watchdog";

export interface ReferenceView {
  readonly position: readonly number[];
  readonly yaw: number;
  readonly pitch: number;
  /** Vertical angle of view in radians. */
  readonly fov: number;
  readonly width: number;
  readonly height: number;
  readonly background: number;
  /** Changes the scene before it is drawn. */
  adapt?(model: Object3D, scene: Scene): void;
}

let renderer: WebGLRenderer | undefined;
const scene = new Scene();

/** Draws a model. Returns its pixels over a background, and a mask of the model's own pixels, both from top to bottom. */
export async function drawReference(url: string, view: ReferenceView) {
  if (!renderer) {
    renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    renderer.toneMapping = NeutralToneMapping;
    scene.environment = new PMREMGenerator(renderer).fromScene(new RoomEnvironment(), 0.04).texture;
  }
  scene.environmentIntensity = 0.7;
  const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder);
  const watchdog = new DecoderWatchdog();
  const draco = createDracoLoader(watchdog, 2 ** 30);
  loader.setDRACOLoader(draco);
  const ktx2 = createKtx2Loader(renderer, watchdog);
  loader.setKTX2Loader(ktx2);
  const { scene: model, animations } = await loader.loadAsync(url);
  draco.dispose();
  ktx2.dispose();
  watchdog.dispose();
  // Applies the first pose of the first animation, which the viewer shows with reduced motion.
  const mixer = new AnimationMixer(model);
  if (animations[0]) mixer.clipAction(animations[0]).play();
  mixer.update(0);
  scene.add(model);
  model.updateMatrixWorld(true);
  view.adapt?.(model, scene);
  const radius = new Box3().setFromObject(model).getSize(new Vector3()).length();
  const camera = new PerspectiveCamera(
    (view.fov * 180) / Math.PI,
    view.width / view.height,
    radius / 500,
    radius * 20,
  );
  camera.position.fromArray(view.position as number[]);
  camera.rotation.set(view.pitch, view.yaw, 0, "YXZ");
  renderer.setSize(view.width, view.height, false);
  const renderPixels = (background: Color | null) => {
    scene.background = background;
    renderer?.render(scene, camera);
    const copy = new OffscreenCanvas(view.width, view.height).getContext("2d");
    if (renderer) copy?.drawImage(renderer.domElement, 0, 0);
    return copy?.getImageData(0, 0, view.width, view.height).data ?? new Uint8ClampedArray();
  };
  const result = {
    pixels: renderPixels(new Color(view.background)),
    mask: renderPixels(null).map((value, index) => (index % 4 === 3 ? value : 0)),
  };
  model.removeFromParent();
  return result;
}
