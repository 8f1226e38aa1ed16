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
import { disposeTree } from "./dispose.client";
import type { Stage } from "./stage.client";

/** Distance in metres from a surface to the drawings on it. */
const SURFACE_OFFSET = 0.01;
const WHITE = 0xffffff;
const LABEL_CLASS =
  "absolute top-0 left-0 rounded bg-glass px-2 py-1 text-sm font-semibold whitespace-nowrap text-glass-ink tabular-nums";

/** Drawings of the tools that choose points: the ring at the pointer, the mark in the centre for keyboard users, and the measured line. */
export class ToolLayer {
  private readonly stage: Stage;
  private readonly messages: AdapterMessages;
  private readonly root: HTMLDivElement;
  private readonly crosshair: HTMLDivElement;
  private readonly label: HTMLDivElement;
  private readonly ring = createRing();
  private readonly line = createLine();
  private tool: ViewerTool = "look";
  private points: Vec3[] = [];
  /** Position of the pointer while the second point has not been chosen. */
  private previewPoint: Vec3 | null = null;

  constructor(host: HTMLElement, stage: Stage, messages: AdapterMessages) {
    this.stage = stage;
    this.messages = messages;
    this.root = document.createElement("div");
    this.root.className = "pointer-events-none absolute inset-0 overflow-hidden";
    this.root.setAttribute("aria-hidden", "true");
    this.crosshair = document.createElement("div");
    this.crosshair.className =
      "absolute top-1/2 left-1/2 size-6 -translate-1/2 rounded-full border-2 border-glass-ink outline-2 outline-glass before:absolute before:top-1/2 before:left-1/2 before:size-1 before:-translate-1/2 before:rounded-full before:bg-glass-ink";
    this.label = document.createElement("div");
    this.label.className = LABEL_CLASS;
    this.label.hidden = true;
    for (const part of [this.crosshair, this.label]) this.root.appendChild(part);
    host.appendChild(this.root);
    stage.scene.add(this.ring, this.line);
    stage.canvas.addEventListener("focus", this.refresh);
    stage.canvas.addEventListener("blur", this.refresh);
  }

  setTool(tool: ViewerTool): void {
    this.tool = tool;
    this.points = [];
    this.previewPoint = null;
    this.ring.visible = false;
    this.root.hidden = tool === "look";
    this.stage.canvas.style.cursor = tool === "look" ? "" : "crosshair";
    this.draw();
  }

  /** Adds a point. Returns the measured line when it was the second one. */
  addPoint(point: Vec3): MeasuredLine | null {
    if (this.tool !== "measure") return null;
    this.points = this.points.length === 1 ? [...this.points, point] : [point];
    this.previewPoint = null;
    this.draw();
    const [from, to] = this.points;
    return from && to ? { from, to, metres: distance(from, to) } : null;
  }

  /** Removes all points. Returns whether there was one. */
  removePoints(): boolean {
    if (this.points.length === 0) return false;
    this.points = [];
    this.previewPoint = null;
    this.draw();
    return true;
  }

  /** The mouse moves over a point of the space, or leaves it (null). */
  hover(hit: SurfaceHit | null): void {
    this.ring.visible = hit !== null && this.tool !== "look";
    if (hit) {
      const [x, y, z] = add(hit.position, scale(hit.normal, SURFACE_OFFSET));
      this.ring.position.set(x, y, z);
      this.ring.lookAt(x + hit.normal[0], y + hit.normal[1], z + hit.normal[2]);
      this.ring.updateMatrixWorld();
    }
    this.previewPoint = this.points.length === 1 && hit ? hit.position : null;
    this.draw();
  }

  /** Positions the label of the line for a frame, and shows the mark in the centre to keyboard users. */
  update(pose: Pose, size: Size): void {
    const isKeyboardUser =
      document.activeElement === this.stage.canvas && !this.root.parentElement?.hasAttribute("data-pointed");
    this.crosshair.hidden = !isKeyboardUser;
    const [from, to] = this.listEnds();
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
    disposeTree(this.ring);
    disposeTree(this.line);
  }

  private readonly refresh = (): void => this.stage.invalidate();

  private listEnds(): readonly [Vec3?, Vec3?] {
    const [from, to = this.previewPoint ?? undefined] = this.points;
    return [from, to];
  }

  private draw(): void {
    const [from, to] = this.listEnds();
    this.line.visible = from !== undefined;
    if (from) {
      const { position } = this.line.geometry.attributes;
      position?.setXYZ(0, ...(from as [number, number, number]));
      position?.setXYZ(1, ...((to ?? from) as [number, number, number]));
      if (position) position.needsUpdate = true;
      if (to) this.label.textContent = this.messages.metres(distance(from, to));
    }
    this.stage.invalidate();
  }
}

function createRing(): Mesh {
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

function createLine(): Line<BufferGeometry, LineBasicMaterial> {
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
