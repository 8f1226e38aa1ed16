/** The light of a scene: one environment for all of its lit surfaces. */
import {
  type Camera,
  DataUtils,
  DirectionalLight,
  HalfFloatType,
  HemisphereLight,
  type Light,
  type Material,
  Mesh,
  MeshBasicMaterial,
  NeutralToneMapping,
  type Object3D,
  WebGLRenderTarget,
} from "three";
import type { ViewerLight } from "../core/contract";
import type { Stage } from "../shared/stage.client";
import { type Environment, loadEnvironment } from "./environment.client";

/** Default light. */
export const STUDIO: ViewerLight = { kind: "studio" };
/** Intensity of the environment when the file has lights, as a factor. It is low, so that those lights remain visible. */
const INTENSITY_BESIDE_LIGHTS = 0.35;
/** Maximum luminance that the file's lights may add to 90 % of the pixels of the first view (linear). */
const ADDED_MAX = 0.8;
const MOST_SHARE = 0.9;
/** Width and height of the image that is rendered to measure the light, in pixels. */
const MEASURED_SIZE = [64, 40] as const;

/** Whether a material is unlit: its colours are shown unchanged. */
export const isUnlit = (material: Material): boolean =>
  material instanceof MeshBasicMaterial || !("envMap" in material);

/** Excludes unlit surfaces from tone mapping, which would change their colours. */
export function excludeUnlitFromToneMapping(root: Object3D): void {
  root.traverse((object) => {
    const { material } = object as Mesh;
    for (const part of material ? ([material].flat() as Material[]) : [])
      if (isUnlit(part)) part.toneMapped = false;
  });
}

/** Whether a scene contains a lit surface. */
export function isLit(root: Object3D): boolean {
  let foundLit = false;
  root.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    for (const material of [object.material].flat() as Material[]) if (!isUnlit(material)) foundLit = true;
  });
  return foundLit;
}

/** Disables the lights of a placed model, because they would also light everything around it. */
export function disableLights(root: Object3D): void {
  root.traverse((object) => {
    // The light object stays visible, because it may have children.
    if ((object as Light).isLight) object.layers.disableAll();
  });
}

function listLights(root: Object3D): readonly Light[] {
  const lights: Light[] = [];
  root.traverse((object) => {
    if ((object as Light).isLight && object.layers.mask !== 0) lights.push(object as Light);
  });
  return lights;
}

/** Whether a scene contains lights that are not disabled. */
export const hasLights = (root: Object3D): boolean => listLights(root).length > 0;

/** Returns the linear luminance of each pixel that a camera sees, without tone mapping. */
function measureLuminances({ renderer, scene }: Stage, camera: Camera): readonly number[] {
  const [width, height] = MEASURED_SIZE;
  const target = new WebGLRenderTarget(width, height, { type: HalfFloatType });
  const pixels = new Uint16Array(width * height * 4);
  renderer.setRenderTarget(target);
  renderer.render(scene, camera);
  renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
  renderer.setRenderTarget(null);
  target.dispose();
  const value = (offset: number) => Math.min(65504, DataUtils.fromHalfFloat(pixels[offset] ?? 0));
  return Array.from(
    { length: width * height },
    (_, index) => 0.2126 * value(index * 4) + 0.7152 * value(index * 4 + 1) + 0.0722 * value(index * 4 + 2),
  );
}

/** Light of each stage. Placed models share it. */
const lightsByStage = new WeakMap<Stage, Promise<SceneLight>>();

/** Light that is in a stage's scene until it is disposed. */
export class SceneLight {
  private readonly stage: Stage;
  private readonly environment: Environment | null;
  /** Lights that replace the environment when it could not be loaded. */
  private readonly lamps: readonly Light[];

  private constructor(stage: Stage, environment: Environment | null, lamps: readonly Light[]) {
    this.stage = stage;
    this.environment = environment;
    this.lamps = lamps;
  }

  /**
   * Adds light to a stage, or returns its existing light. Uses the studio when the environment cannot be loaded, and two lamps
   * when the studio cannot be loaded either and the scene has no lights. Rejects with AbortError.
   */
  static addTo(stage: Stage, light: ViewerLight, signal: AbortSignal): Promise<SceneLight> {
    const existingLight = lightsByStage.get(stage);
    if (existingLight) return existingLight;
    const sceneLight = SceneLight.make(stage, light, signal);
    lightsByStage.set(stage, sceneLight);
    return sceneLight;
  }

  private static async make(stage: Stage, light: ViewerLight, signal: AbortSignal): Promise<SceneLight> {
    const { scene, renderer } = stage;
    const load = (requestedLight: ViewerLight) => loadEnvironment(requestedLight, renderer, signal);
    const environment = await load(light)
      .catch((error) => {
        signal.throwIfAborted();
        console.warn("The light of the space could not be loaded:", error);
        return light.kind === "studio" ? null : load(STUDIO);
      })
      .catch(() => {
        signal.throwIfAborted();
        return null;
      });
    const lamps: Light[] = [];
    const hasOwnLights = hasLights(scene);
    if (environment) {
      scene.environment = environment.texture;
      scene.environmentIntensity = hasOwnLights ? INTENSITY_BESIDE_LIGHTS : environment.intensity;
    } else if (!hasOwnLights) {
      const sun = new DirectionalLight(0xffffff, 1.1);
      sun.position.set(3, 8, 5);
      lamps.push(new HemisphereLight(0xffffff, 0xe6e1d8, 2.2), sun);
      scene.add(...lamps);
      for (const lamp of lamps) lamp.updateMatrixWorld(true);
    }
    excludeUnlitFromToneMapping(scene);
    renderer.toneMapping = NeutralToneMapping;
    stage.invalidate();
    return new SceneLight(stage, environment, lamps);
  }

  /**
   * Dims a file's own lights when they would overexpose the first view. Their units are physical (KHR_lights_punctual), so a sun
   * has thousands of lux, and the file does not contain an exposure.
   */
  dimLights(camera: Camera): void {
    const lights = listLights(this.stage.scene).filter((light) => !this.lamps.includes(light));
    if (lights.length === 0) return;
    const intensities = lights.map(({ intensity }) => intensity);
    const luminancesWithLights = measureLuminances(this.stage, camera);
    for (const light of lights) light.intensity = 0;
    const luminancesWithoutLights = measureLuminances(this.stage, camera);
    const added = luminancesWithLights
      .map((value, index) => value - (luminancesWithoutLights[index] ?? 0))
      .sort((a, b) => a - b);
    const share = Math.min(1, ADDED_MAX / Math.max(1e-6, added[Math.floor(MOST_SHARE * added.length)] ?? 0));
    for (const [index, light] of lights.entries()) light.intensity = (intensities[index] ?? 0) * share;
  }

  /** Computes the environment again after a lost graphics context. */
  restore(): void {
    this.environment?.restore();
  }

  dispose(): void {
    lightsByStage.delete(this.stage);
    this.stage.scene.environment = null;
    this.environment?.dispose();
    for (const lamp of this.lamps) lamp.removeFromParent();
  }
}
