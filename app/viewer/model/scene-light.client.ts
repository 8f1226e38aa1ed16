/** The light of a scene: one environment for everything in it that is lit. */
import {
  DirectionalLight,
  HemisphereLight,
  type Light,
  type Material,
  Mesh,
  MeshBasicMaterial,
  NeutralToneMapping,
  type Object3D,
} from "three";
import type { Stage } from "../adapters/stage.client";
import type { ViewerLight } from "../core/contract";
import { type Environment, loadEnvironment } from "./environment.client";

/** Default light. */
export const STUDIO: ViewerLight = { kind: "studio" };
/** Intensity of the environment beside a file's own lights, as a share, so that those lights remain visible. */
const BESIDE_LIGHTS = 0.35;

/** Whether a material is unlit: its colours are shown unchanged. */
export const isUnlit = (material: Material): boolean =>
  material instanceof MeshBasicMaterial || !("envMap" in material);

/** Excludes unlit surfaces from tone mapping, which would change the colours that their file gives. */
export function keepUnlit(root: Object3D): void {
  root.traverse((object) => {
    const { material } = object as Mesh;
    for (const each of material ? ([material].flat() as Material[]) : [])
      if (isUnlit(each)) each.toneMapped = false;
  });
}

/** Whether a tree contains a lit surface. */
export function isLit(root: Object3D): boolean {
  let lit = false;
  root.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    for (const material of [object.material].flat() as Material[]) if (!isUnlit(material)) lit = true;
  });
  return lit;
}

/** Leaves the lights of a tree out of its scene: they would light everything around it as well. */
export function leaveLightsOut(root: Object3D): void {
  root.traverse((object) => {
    // Not invisible: things may hang on it.
    if ((object as Light).isLight) object.layers.disableAll();
  });
}

const hasLights = (root: Object3D): boolean => {
  let has = false;
  root.traverse((object) => {
    if ((object as Light).isLight && object.layers.mask !== 0) has = true;
  });
  return has;
};

/** Light of each stage. Placed models share it. */
const lights = new WeakMap<Stage, Promise<SceneLight>>();

/** Light that is in a stage's scene until it is disposed. */
export class SceneLight {
  private readonly stage: Stage;
  private readonly environment: Environment | null;
  private readonly lamps: readonly Light[];

  private constructor(stage: Stage, environment: Environment | null, lamps: readonly Light[]) {
    this.stage = stage;
    this.environment = environment;
    this.lamps = lamps;
  }

  /**
   * Adds light to a stage, or returns the light that it already has. Uses the studio when the environment cannot be loaded, and two
   * lamps when the studio cannot be loaded either.
   */
  static light(stage: Stage, light: ViewerLight, signal: AbortSignal): Promise<SceneLight> {
    const begun = lights.get(stage);
    if (begun) return begun;
    const made = SceneLight.make(stage, light, signal);
    lights.set(stage, made);
    return made;
  }

  private static async make(stage: Stage, light: ViewerLight, signal: AbortSignal): Promise<SceneLight> {
    const { scene, renderer } = stage;
    const load = (kind: ViewerLight) => loadEnvironment(kind, renderer, signal);
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
    const bringsLights = hasLights(scene);
    if (environment) {
      scene.environment = environment.texture;
      scene.environmentIntensity = bringsLights ? BESIDE_LIGHTS : 1;
    } else if (!bringsLights) {
      const sun = new DirectionalLight(0xffffff, 1.1);
      sun.position.set(3, 8, 5);
      lamps.push(new HemisphereLight(0xffffff, 0xe6e1d8, 2.2), sun);
      scene.add(...lamps);
      for (const lamp of lamps) lamp.updateMatrixWorld(true);
    }
    keepUnlit(scene);
    renderer.toneMapping = NeutralToneMapping;
    stage.invalidate();
    return new SceneLight(stage, environment, lamps);
  }

  /** Computes the environment again after a lost graphics context. */
  restore(): void {
    this.environment?.restore();
  }

  dispose(): void {
    lights.delete(this.stage);
    this.stage.scene.environment = null;
    this.environment?.dispose();
    for (const lamp of this.lamps) lamp.removeFromParent();
  }
}
