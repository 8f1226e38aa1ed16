import {
  BufferAttribute,
  BufferGeometry,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
} from "three";
import type { AdapterMessages, MeasuredLine, SurfaceHit, Vec3, ViewerTool } from "../core/contract";
import type { Pose } from "../core/flight";
import { createProjector, type Size } from "../core/projection";
import { add, distance, mix, scale } from "../core/vec";
import { freeTree } from "./free.client";
import type { Stage } from "./stage.client";

/** Metres off a surface, so that what is drawn there is seen. */
const LIFT = 0.01;
const WHITE = 0xffffff;
const CHIP =
  "absolute top-0 left-0 rounded bg-glass px-2 py-1 text-sm font-semibold whitespace-nowrap text-glass-ink tabular-nums";

/** What is drawn for the tools that choose points: the ring at the mouse, the mark in the middle for keys, and the line between. */
export class ToolLayer {
  private readonly stage: Stage;
  private readonly words: AdapterMessages;
  private readonly root: HTMLDivElement;
  private readonly cross: HTMLDivElement;
  private readonly label: HTMLDivElement;
  private readonly ring = makeRing();
  private readonly line = makeLine();
  private tool: ViewerTool = "look";
  private points: Vec3[] = [];
  /** Where the second point would be. */
  private next: Vec3 | null = null;

  constructor(host: HTMLElement, stage: Stage, words: AdapterMessages) {
    this.stage = stage;
    this.words = words;
    this.root = document.createElement("div");
    this.root.className = "pointer-events-none absolute inset-0 overflow-hidden";
    this.root.setAttribute("aria-hidden", "true");
    this.cross = document.createElement("div");
    this.cross.className =
      "absolute top-1/2 left-1/2 size-6 -translate-1/2 rounded-full border-2 border-glass-ink outline-2 outline-glass before:absolute before:top-1/2 before:left-1/2 before:size-1 before:-translate-1/2 before:rounded-full before:bg-glass-ink";
    this.label = document.createElement("div");
    this.label.className = CHIP;
    this.label.hidden = true;
    for (const part of [this.cross, this.label]) this.root.appendChild(part);
    host.appendChild(this.root);
    stage.scene.add(this.ring, this.line);
    stage.canvas.addEventListener("focus", this.refresh);
    stage.canvas.addEventListener("blur", this.refresh);
  }

  setTool(tool: ViewerTool): void {
    this.tool = tool;
    this.points = [];
    this.next = null;
    this.ring.visible = false;
    this.root.hidden = tool === "look";
    this.stage.canvas.style.cursor = tool === "look" ? "" : "crosshair";
    this.draw();
  }

  /** A point was chosen. Answers the distance when it was the second. */
  choose(point: Vec3): MeasuredLine | null {
    if (this.tool !== "measure") return null;
    this.points = this.points.length === 1 ? [...this.points, point] : [point];
    this.next = null;
    this.draw();
    const [from, to] = this.points;
    return from && to ? { from, to, metres: distance(from, to) } : null;
  }

  /** Takes the last point back. Answers whether there was one. */
  back(): boolean {
    if (this.points.length === 0) return false;
    this.points = [];
    this.next = null;
    this.draw();
    return true;
  }

  /** The mouse is over a point of the space, or has left it (null). */
  hover(hit: SurfaceHit | null): void {
    this.ring.visible = hit !== null && this.tool !== "look";
    if (hit) {
      const [x, y, z] = add(hit.position, scale(hit.normal, LIFT));
      this.ring.position.set(x, y, z);
      this.ring.lookAt(x + hit.normal[0], y + hit.normal[1], z + hit.normal[2]);
      this.ring.updateMatrixWorld();
    }
    this.next = this.points.length === 1 && hit ? hit.position : null;
    this.draw();
  }

  /** Puts the label where the line is in this frame. */
  update(pose: Pose, size: Size): void {
    const keys =
      document.activeElement === this.stage.canvas && !this.root.parentElement?.hasAttribute("data-pointed");
    this.cross.hidden = !keys;
    const [from, to] = this.ends();
    this.label.hidden = !from || !to;
    if (!from || !to) return;
    const project = createProjector(pose, size);
    const { x, y, depth } = project(mix(from, to, 0.5));
    this.label.hidden = depth <= 0;
    this.label.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -130%)`;
  }

  dispose(): void {
    this.stage.canvas.removeEventListener("focus", this.refresh);
    this.stage.canvas.removeEventListener("blur", this.refresh);
    this.root.remove();
    freeTree(this.ring);
    freeTree(this.line);
  }

  private readonly refresh = (): void => this.stage.invalidate();

  private ends(): readonly [Vec3?, Vec3?] {
    const [from, to = this.next ?? undefined] = this.points;
    return [from, to];
  }

  private draw(): void {
    const [from, to] = this.ends();
    this.line.visible = from !== undefined;
    if (from) {
      const { position } = this.line.geometry.attributes;
      position?.setXYZ(0, ...(from as [number, number, number]));
      position?.setXYZ(1, ...((to ?? from) as [number, number, number]));
      if (position) position.needsUpdate = true;
      if (to) this.label.textContent = this.words.metres(distance(from, to));
    }
    this.stage.invalidate();
  }
}

function makeRing(): Mesh {
  const material = new MeshBasicMaterial({
    color: WHITE,
    transparent: true,
    opacity: 0.9,
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
  });
  const ring = new Mesh(new RingGeometry(0.05, 0.07, 40), material);
  ring.visible = false;
  ring.renderOrder = 4;
  return ring;
}

function makeLine(): Line<BufferGeometry, LineBasicMaterial> {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(6), 3));
  const material = new LineBasicMaterial({
    color: WHITE,
    depthTest: false,
    depthWrite: false,
    transparent: true,
    toneMapped: false,
  });
  const line = new Line(geometry, material);
  line.frustumCulled = false;
  line.visible = false;
  line.renderOrder = 4;
  return line;
}
