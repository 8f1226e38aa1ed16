/** A soft shadow on the floor below an object. Without it, the object seems to float. */
import {
  type Box3,
  Color,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  NoBlending,
  type Object3D,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  Vector3,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";

/** Side of the shadow's texture, in pixels. */
const TEXTURE_SIDE = 256;
/** Margin of the texture around the object on each side, as a share of the object's width. */
const MARGIN = 0.25;
/** Share of the object's height, from below, that casts the shadow. */
const CASTING_SHARE = 0.5;
/** Opacity of the shadow where the object touches the floor. */
const SHADOW_OPACITY = 0.62;
/** Blur radii of the two passes, as shares of the texture. */
const BLUR_RADII = [0.028, 0.011];

/** Draws parts darker when they are nearer to the floor. Skins and instances are drawn in their visible pose and position. */
const SHADE = {
  vertexShader: `
    #include <common>
    #include <morphtarget_pars_vertex>
    #include <skinning_pars_vertex>
    varying float height;
    void main() {
      #include <begin_vertex>
      #include <morphtarget_vertex>
      #include <skinbase_vertex>
      #include <skinning_vertex>
      #include <project_vertex>
      height = gl_Position.z * 0.5 + 0.5;
    }`,
  fragmentShader:
    "varying float height; void main() { gl_FragColor = vec4(0.0, 0.0, 0.0, pow(clamp(1.0 - height, 0.0, 1.0), 1.6)); }",
};
const BLUR = {
  vertexShader: "varying vec2 coord; void main() { coord = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }",
  fragmentShader: `varying vec2 coord; uniform sampler2D image; uniform vec2 step;
    void main() {
      float sum = 0.0, weights = 0.0;
      for (int i = -6; i <= 6; i++) {
        float weight = exp(-float(i * i) / 14.0);
        sum += texture2D(image, coord + step * float(i) / 6.0).a * weight;
        weights += weight;
      }
      gl_FragColor = vec4(0.0, 0.0, 0.0, sum / weights);
    }`,
};

/** A model whose height is below this share of its width is terrain, which is itself a floor. */
const TERRAIN_RATIO_MAX = 0.15;

/** Returns whether a model casts a shadow on its floor. @param box bounding box of the model */
export function castsShadow(box: Box3): boolean {
  const { x, y, z } = box.getSize(new Vector3());
  return y >= TERRAIN_RATIO_MAX * Math.max(x, z);
}

/** A shadow that is drawn once. `object` lies on the floor in the frame of the model. */
export class ContactShadow {
  readonly object: Mesh<PlaneGeometry, MeshBasicMaterial>;
  private readonly target = new WebGLRenderTarget(TEXTURE_SIDE, TEXTURE_SIDE, { depthBuffer: true });
  private readonly box: Box3;
  private readonly width: number;

  /** @param box bounding box of the model, in its own frame */
  constructor(box: Box3) {
    this.box = box.clone();
    const size = box.getSize(new Vector3());
    this.width = Math.max(size.x, size.z) * (1 + 2 * MARGIN);
    // The camera looks up from the floor, so the image is mirrored from front to back.
    this.target.texture.repeat.y = -1;
    this.target.texture.offset.y = 1;
    const material = new MeshBasicMaterial({
      map: this.target.texture,
      transparent: true,
      depthWrite: false,
      toneMapped: false,
      opacity: SHADOW_OPACITY,
    });
    this.object = new Mesh(new PlaneGeometry(this.width, this.width), material);
    const middle = box.getCenter(new Vector3());
    // Slightly below the object, because surfaces in the same plane flicker.
    this.object.position.set(middle.x, box.min.y - size.y * 0.001, middle.z);
    this.object.rotation.x = -Math.PI / 2;
    this.object.name = "contact shadow";
  }

  /**
   * Draws the shadow's texture. It must be called again after a lost graphics context.
   * @param root the model, at the position of the box
   */
  draw(renderer: WebGLRenderer, root: Object3D): void {
    const scene = new Scene();
    const shade = new ShaderMaterial({ ...SHADE, side: DoubleSide });
    scene.overrideMaterial = shade;
    // The root is not cloned, because a skin follows the bones of the original.
    const { parent } = root;
    scene.add(root);
    const half = this.width / 2;
    const modelHeight = Math.max(1e-9, this.box.max.y - this.box.min.y);
    const camera = new OrthographicCamera(-half, half, half, -half, 0, modelHeight * CASTING_SHARE);
    const { x, y, z } = this.object.position;
    camera.position.set(x, y, z);
    camera.up.set(0, 0, 1);
    camera.lookAt(x, y + 1, z);
    const blurTarget = new WebGLRenderTarget(TEXTURE_SIDE, TEXTURE_SIDE, { depthBuffer: false });
    const blur = new ShaderMaterial({
      ...BLUR,
      depthTest: false,
      blending: NoBlending,
      uniforms: { image: { value: null }, step: { value: [0, 0] } },
    });
    const quadScene = new Scene();
    quadScene.add(new Mesh(new PlaneGeometry(2, 2), blur));
    const quadCamera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
    const colour = renderer.getClearColor(new Color());
    const alpha = renderer.getClearAlpha();
    const previousTarget = renderer.getRenderTarget();
    renderer.setClearColor(0x000000, 0);
    const pass = (from: WebGLRenderTarget, into: WebGLRenderTarget, step: readonly [number, number]) => {
      Object.assign(blur.uniforms, { image: { value: from.texture }, step: { value: step } });
      renderer.setRenderTarget(into);
      renderer.clear();
      renderer.render(quadScene, quadCamera);
    };
    renderer.setRenderTarget(this.target);
    renderer.clear();
    renderer.render(scene, camera);
    for (const size of BLUR_RADII) {
      pass(this.target, blurTarget, [size, 0]);
      pass(blurTarget, this.target, [0, size]);
    }
    renderer.setRenderTarget(previousTarget);
    renderer.setClearColor(colour, alpha);
    blurTarget.dispose();
    shade.dispose();
    blur.dispose();
    (quadScene.children[0] as Mesh).geometry.dispose();
    if (parent) parent.add(root);
    else root.removeFromParent();
    root.updateMatrixWorld(true);
  }

  dispose(): void {
    this.object.removeFromParent();
    this.object.geometry.dispose();
    this.object.material.dispose();
    this.target.dispose();
  }
}
