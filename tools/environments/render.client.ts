/** Renders the viewer's environments in a browser, in the page of make.ts. */
import {
  BackSide,
  Color,
  DataUtils,
  LinearSRGBColorSpace,
  Mesh,
  NoToneMapping,
  PMREMGenerator,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  WebGLRenderer,
} from "three";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";

/** Blur of the room in radians, as in three's own examples. The skies have soft edges already. */
const ROOM_BLUR = 0.04;
const SKY_BLUR = 0.02;

interface Sky {
  readonly zenith: number;
  readonly horizon: number;
  readonly ground: number;
  readonly sun: number;
  /** Factors of the colours: radiance relative to white paper in this light. */
  readonly strength: readonly [zenith: number, horizon: number, ground: number, sun: number];
  /** Direction of the sun; it need not have unit length. */
  readonly sunDirection: readonly [number, number, number];
  /** Exponent of the glow around the sun: a larger value makes the glow narrower. */
  readonly glow: number;
}

const SKIES: Readonly<Record<string, Sky>> = {
  daylight: {
    zenith: 0x3d7ad6,
    horizon: 0xdbe9f7,
    ground: 0x8d877c,
    sun: 0xfff1d8,
    glow: 60,
    strength: [1.1, 1.25, 0.55, 34],
    sunDirection: [0.55, 0.75, 0.6],
  },
  evening: {
    zenith: 0x33406f,
    horizon: 0xf0a05a,
    ground: 0x4a3d3a,
    sun: 0xff9a4a,
    glow: 14,
    strength: [0.8, 1.15, 0.5, 26],
    sunDirection: [0.75, 0.22, 0.65],
  },
};

function skyScene({ zenith, horizon, ground, sun, strength, sunDirection, glow }: Sky): Scene {
  const colour = (hex: number, factor: number) => ({ value: new Color(hex).multiplyScalar(factor) });
  const material = new ShaderMaterial({
    side: BackSide,
    depthWrite: false,
    toneMapped: false,
    uniforms: {
      zenith: colour(zenith, strength[0]),
      horizon: colour(horizon, strength[1]),
      ground: colour(ground, strength[2]),
      sun: colour(sun, strength[3]),
      sunAt: { value: sunDirection },
      glow: { value: glow },
    },
    vertexShader:
      "varying vec3 way; void main() { way = position; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }",
    fragmentShader: `varying vec3 way; uniform vec3 zenith, horizon, ground, sun, sunAt; uniform float glow;
      void main() {
        vec3 d = normalize(way);
        float near = max(dot(d, normalize(sunAt)), 0.0);
        vec3 sky = mix(horizon, zenith, pow(clamp(d.y, 0.0, 1.0), 0.55));
        // The side of the sky that is away from the sun is darker.
        sky *= 0.72 + 0.28 * dot(d, normalize(vec3(sunAt.x, 0.3, sunAt.z)));
        sky += sun * (smoothstep(0.9945, 0.998, near) + 0.03 * pow(near, glow));
        vec3 earth = ground * mix(1.0, 0.6, clamp(-d.y, 0.0, 1.0));
        gl_FragColor = vec4(mix(earth, sky, smoothstep(-0.03, 0.03, d.y)), 1.0);
      }`,
  });
  const scene = new Scene();
  scene.add(new Mesh(new SphereGeometry(50, 64, 32), material));
  return scene;
}

/** Sizes of the levels of a PMREM of 256 pixels. */
const LEVELS = [256, 128, 64, 32, 16, 8];

/**
 * Filters an environment by three's PMREMGenerator.
 * @returns for each level and face (px nx py ny pz nz, in the order of three's render target) linear RGB, from the texture's first row
 */
async function render(name: string): Promise<number[][][]> {
  const renderer = new WebGLRenderer();
  renderer.toneMapping = NoToneMapping;
  renderer.outputColorSpace = LinearSRGBColorSpace;
  const generator = new PMREMGenerator(renderer);
  const sky = SKIES[name];
  const target = generator.fromScene(sky ? skyScene(sky) : new RoomEnvironment(), sky ? SKY_BLUR : ROOM_BLUR);
  const gl = renderer.getContext() as WebGL2RenderingContext;
  const levels = LEVELS.map((size, level) =>
    Array.from({ length: 6 }, (_, face) => {
      const pixels = new Uint16Array(size * size * 4);
      renderer.setRenderTarget(target, face, level);
      gl.readPixels(0, 0, size, size, gl.RGBA, gl.HALF_FLOAT, pixels);
      const linear: number[] = [];
      for (let offset = 0; offset < pixels.length; offset += 4)
        for (let channel = 0; channel < 3; channel++)
          linear.push(DataUtils.fromHalfFloat(pixels[offset + channel] ?? 0));
      return linear;
    }),
  );
  renderer.dispose();
  return levels;
}

Object.assign(window, { render });
