/** A thread: builds its own copy of the scene and runs one job after another. */
import { parentPort } from "node:worker_threads";
import { byteOfLinear, tone } from "../color";
import { random } from "../noise";
import { Press } from "../prints/press";
import { prints } from "../prints/prints";
import type { SceneFace } from "../scene/geometry";
import { buildScene } from "../scene/scene";
import { surfaces } from "../scene/surfaces";
import { Baker } from "./bake";
import { layOutSamples } from "./grids";
import type { SharedImage } from "./images";
import type { Job, SharedMemory } from "./jobs";
import { type VariantId, variants } from "./light";
import { Renderer } from "./render";
import { Shader } from "./shade";
import { Tracer } from "./tracer";

const scene = buildScene();
const grids = layOutSamples(scene);
let baker: Baker | null = null;
let openTracer: Tracer | null = null;
let memory: SharedMemory | null = null;
const images = new Map<string, SharedImage>();
const shaders = new Map<VariantId, Shader>();

function shaderOf(variant: VariantId): Shader {
  const cachedShader = shaders.get(variant);
  if (cachedShader) return cachedShader;
  if (!memory) throw new Error("The shared memory was not received before this job");
  const shader = new Shader(scene, grids, new Float32Array(memory.light), images, variants[variant]);
  shaders.set(variant, shader);
  return shader;
}

function runJob(job: Job): void {
  switch (job.kind) {
    case "memory":
      memory = job.memory;
      return;
    case "images":
      for (const [id, image] of job.images) images.set(id, image);
      shaders.clear();
      return;
    case "surface":
      drawSurface(job);
      return;
    case "print": {
      const masks = job.masks.map((mask) => new Uint8Array(mask));
      const press = new Press(job.width, job.height, masks, job.id.length * 31 + job.id.charCodeAt(0));
      press.printRows(prints[job.id], job.from, job.to, new Uint8Array(job.out));
      return;
    }
    case "texture":
      bakeTexture(job);
      return;
  }
  if (!memory) throw new Error("The shared memory was not received before this job");
  baker ??= new Baker(scene, grids);
  switch (job.kind) {
    case "direct":
      baker.direct(job.from, job.to, job.isSecondPass, new Float32Array(memory.fineDirect));
      return;
    case "gather":
      baker.gather(job.from, job.to, new Float32Array(memory.coarseDirect), new Uint32Array(memory.hits));
      return;
    case "render": {
      if (job.open) {
        openTracer ??= new Tracer(
          scene,
          (i) => !(scene.faces[i] as SceneFace).node.startsWith("ceiling"),
          (i) => !scene.meshes[i]?.node.startsWith("ceiling"),
        );
      }
      const tracer = job.open && openTracer ? openTracer : baker.full;
      const background = job.open ? ([0.93, 0.925, 0.91] as const) : ([0.02, 0.02, 0.02] as const);
      const renderer = new Renderer(scene, tracer, shaderOf(job.variant), background);
      renderer.renderRows(job.camera, job.width, job.height, job.from, job.to, new Uint8Array(job.out));
    }
  }
}

function drawSurface(job: Extract<Job, { kind: "surface" }>): void {
  const surface = surfaces().find((s) => s.id === job.id);
  if (!surface) throw new Error(`There is no surface ${job.id}`);
  const data = new Uint8Array(job.image.buffer);
  const pixelsPerMetre = surface.pixelsPerMetre;
  for (let y = job.from; y < job.to; y++) {
    for (let x = 0; x < surface.width; x++) {
      const [r, g, b] = surface.color((x + 0.5) / pixelsPerMetre, (y + 0.5) / pixelsPerMetre);
      const offset = (y * surface.width + x) * 3;
      data[offset] = Math.round(r);
      data[offset + 1] = Math.round(g);
      data[offset + 2] = Math.round(b);
    }
  }
}

function bakeTexture(job: Extract<Job, { kind: "texture" }>): void {
  const face = scene.faces[job.face] as SceneFace;
  const shader = shaderOf("day");
  const out = new Uint8Array(job.out);
  const size = face.width / job.width;
  const { padding, inclusive, width, height } = job;
  for (let y = -padding; y < height + padding; y++) {
    const row = Math.min(height - 1, Math.max(0, y));
    const v = (1 - (inclusive ? row / (height - 1) : (row + 0.5) / height)) * face.height;
    for (let x = -padding; x < width + padding; x++) {
      const column = Math.min(width - 1, Math.max(0, x));
      const u = (inclusive ? column / (width - 1) : (column + 0.5) / width) * face.width;
      shader.shadeFace(job.face, u, v, size, size, 1, 0);
      const offset = ((job.y + y) * job.stride + job.x + x) * 3;
      // Noise of less than one level prevents visible bands in smooth gradients.
      const dither = (random(x, y, job.face) - 0.5) * 0.9;
      out[offset] = Math.max(0, Math.min(255, Math.round(byteOfLinear(tone(shader.r)) + dither)));
      out[offset + 1] = Math.max(0, Math.min(255, Math.round(byteOfLinear(tone(shader.g)) + dither)));
      out[offset + 2] = Math.max(0, Math.min(255, Math.round(byteOfLinear(tone(shader.b)) + dither)));
    }
  }
}

parentPort?.on("message", ({ id, job }: { id: number; job: Job }) => {
  try {
    runJob(job);
    parentPort?.postMessage({ id });
  } catch (error) {
    parentPort?.postMessage({
      id,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
});
