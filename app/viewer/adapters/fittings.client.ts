import { isStaged } from "~/domain/library/media-kinds";
import type { AdapterOptions, Pin, PlacedMediaItem, SurfaceHit, Vec3, ViewerTool } from "../core/contract";
import type { Emitter } from "../core/emitter";
import type { Pose } from "../core/flight";
import { cubeCorners, type MediaPlane, placeMedia, planeCorners } from "../core/media-plane";
import { computeScreenRay, type Size } from "../core/projection";
import { add, distance, isFinitePoint, length, normalize, scale } from "../core/vec";
import type { HangingLayer } from "./hangings.client";
import type { PinLayer } from "./pins.client";
import type { Stage } from "./stage.client";
import type { ToolLayer } from "./tools.client";

/** Metres from a medium to where its pin would be: what leads to it looks at this point. */
const STEM = 0.12;

/** What the fittings are put into. */
export interface FittingsSpace {
  readonly host: HTMLElement;
  readonly stage: Stage;
  readonly pins: PinLayer;
  readonly emitter: Emitter;
  readonly options: AdapterOptions;
  /** Metres that hung things keep off the surfaces. */
  readonly lift: number;
  readonly renderOrder: number;
  /** Whether what a ray meets of the space hides what is behind it: of a picture it is a guess. */
  readonly hasDepth: boolean;
  pose(): Pose;
  /** What a ray meets of the space itself. */
  meet(origin: Vec3, direction: Vec3): SurfaceHit | null;
}

interface Held {
  readonly id: string;
  readonly before: SurfaceHit;
  now: SurfaceHit;
}

/**
 * What is put into a space, whatever its source: pins, hung media, and the tools with which both are placed and moved. The code
 * of media and of tools is fetched with the first of them.
 */
export class Fittings {
  private readonly space: FittingsSpace;
  private pins: readonly Pin[] = [];
  private media: readonly PlacedMediaItem[] = [];
  private hangings: HangingLayer | null = null;
  private tools: ToolLayer | null = null;
  private layer: Promise<ToolLayer | null> | null = null;
  private tool: ViewerTool = "look";
  private editable = false;
  private playing: boolean | null = null;
  private held: Held | null = null;
  private started = false;
  private ended = false;

  constructor(space: FittingsSpace) {
    this.space = space;
  }

  /** The space is there: what was asked for before is put into it. */
  start(): void {
    this.started = true;
    this.setTool(this.tool);
  }

  setPins(pins: readonly Pin[]): void {
    // What is nowhere is in the page's list, and nowhere in the space.
    this.pins = pins.filter(({ position, stem }) => isFinitePoint(position) && isFinitePoint(stem));
    this.arrange();
  }

  /** What was given to be hung. */
  get hung(): readonly PlacedMediaItem[] {
    return this.media;
  }

  setMedia(media: readonly PlacedMediaItem[]): void {
    this.media = media;
    this.arrange();
    if (!this.started || this.ended || (media.length === 0 && !this.hangings)) return;
    const show = () => {
      const pinned = new Set(this.pins.map(({ id }) => id));
      this.hangings?.set(this.media, pinned);
      this.followHeld();
    };
    if (this.hangings) {
      show();
      return;
    }
    const { stage, emitter, options, lift, renderOrder } = this.space;
    const load = async () => {
      const { HangingLayer } = await import("./hangings.client");
      if (this.ended) return;
      this.hangings ??= new HangingLayer(stage, {
        lift,
        renderOrder,
        anisotropy: Math.min(8, stage.renderer.capabilities.getMaxAnisotropy()),
        reducedMotion: () => options.prefersReducedMotion(),
        invalidate: () => stage.invalidate(),
        choicesChanged: () => emitter.emit("choices", undefined),
      });
      if (this.playing !== null) this.hangings.setPlaying(this.playing);
      show();
    };
    // A page whose scripts have gone meanwhile keeps everything in its list.
    load().catch(() => {});
  }

  setTool(tool: ViewerTool): void {
    this.tool = tool;
    if (!this.started || (tool === "look" && !this.layer)) return;
    // Pages whose scripts have gone meanwhile go without.
    this.toolLayer().then(
      (layer) => layer?.setTool(this.tool),
      () => {},
    );
  }

  /** The layer of the tools, fetched with the first of them; null after the end. */
  private toolLayer(): Promise<ToolLayer | null> {
    const { host, stage, options } = this.space;
    this.layer ??= import("./tools.client").then(({ ToolLayer }) => {
      if (!this.ended) this.tools = new ToolLayer(host, stage, options.messages);
      return this.tools;
    });
    return this.layer;
  }

  setEditable(on: boolean): void {
    this.editable = on;
    if (!on) this.drop("back");
  }

  setPlaying(on: boolean): void {
    this.playing = on;
    this.hangings?.setPlaying(on);
  }

  /** Whether placed models move; null when none can. */
  get moves(): boolean | null {
    return this.hangings?.moves ?? null;
  }

  setMoving(on: boolean): void {
    this.hangings?.setMoving(on);
  }

  /** Moves placed models. @param elapsed milliseconds. @returns whether they go on moving */
  animate(elapsed: number): boolean {
    return this.hangings?.animate(elapsed) ?? false;
  }

  /** The graphics context came back. */
  restored(): void {
    this.hangings?.restored();
  }

  /** Everything that has a name in the space, for those who do not see the page. */
  get labelled(): readonly Pin[] {
    const ids = new Set(this.pins.map(({ id }) => id));
    const media = this.media.flatMap(({ id }) => (ids.has(id) ? [] : (this.anchor(id) ?? [])));
    return [...this.pins, ...media];
  }

  /** A pin, or what stands for one where a medium hangs. */
  anchor(id: string): Pin | undefined {
    const pin = this.pins.find((one) => one.id === id);
    if (pin) return pin;
    const medium = this.media.find((one) => one.id === id);
    const frame = medium && placeMedia(medium.placement, medium.aspect);
    if (!medium || !frame) return undefined;
    return {
      id,
      type: "media",
      label: medium.title,
      color: "",
      icon: "",
      position: medium.placement.position,
      stem: scale(frame.normal, STEM),
      viewpoint: null,
    };
  }

  /** The corners of a medium that is put into the space, and what one looks at of it; null for what is a pin alone. */
  outline(id: string): { readonly points: readonly Vec3[]; readonly middle: Vec3 } | null {
    const medium = this.media.find((one) => one.id === id);
    if (!medium || medium.kind === "audio" || this.pins.some((pin) => pin.id === id)) return null;
    const hung = this.hangings?.find(id);
    const frame = hung?.frame ?? placeMedia(medium.placement, medium.aspect);
    if (!frame) return null;
    const isModel = isStaged(medium.kind);
    // A little before what a rough surface, such as one of splats, may hide.
    const lifted = () => planeCorners({ ...frame, centre: add(frame.centre, scale(frame.normal, STEM)) });
    const points = isModel ? (hung?.corners() ?? cubeCorners(frame)) : lifted();
    const middle = scale(
      points.reduce((sum, point) => add(sum, point), [0, 0, 0] as Vec3),
      1 / points.length,
    );
    return { points, middle };
  }

  /** The rectangle of a medium that hangs in the space. */
  frameOf(id: string): MediaPlane | undefined {
    return this.hangings?.find(id)?.frame;
  }

  /** The pin or medium under a point of the canvas, before the space. */
  at(x: number, y: number): { id: string; hit: SurfaceHit } | null {
    const { pins, stage, meet, hasDepth } = this.space;
    const pose = this.space.pose();
    const ray = computeScreenRay(pose, stage.size, x, y);
    const hit = meet(pose.position, ray);
    const pin = pins.at(x, y);
    if (pin) {
      const there = hit ?? { position: pin.position, normal: scale(ray, -1) };
      return { id: pin.id, hit: { ...there, pinId: pin.id } };
    }
    const farthest = hit && hasDepth ? distance(pose.position, hit.position) : Number.POSITIVE_INFINITY;
    return this.hangings?.meet(pose.position, ray, farthest) ?? null;
  }

  /** A pin was chosen. */
  open(id: string): void {
    if (!this.editable) this.hangings?.press(id);
    this.space.emitter.emit("pinopen", id);
  }

  /** A click on the canvas. Answers whether it meant something here. */
  tap(x: number, y: number): boolean {
    if (this.tool !== "look") {
      this.choose(x, y);
      return true;
    }
    const found = this.at(x, y);
    if (found) this.open(found.id);
    return found !== null;
  }

  /** The mouse is over a point of the canvas, or has left it. Answers whether the space itself should not react to it. */
  hover(point: { x: number; y: number } | null): boolean {
    if (this.tool === "look") {
      const over = point && this.media.length > 0 ? this.at(point.x, point.y) : null;
      this.space.stage.canvas.style.cursor = over ? "pointer" : "";
      return over !== null;
    }
    this.tools?.hover(point && this.pick(point.x, point.y));
    return true;
  }

  /** Enter chooses what is in the middle; Escape takes a point of a measure back. Answers whether a key meant something here. */
  press(key: string): boolean {
    const { width, height } = this.space.stage.size;
    if (key === "Enter" || (key === " " && this.tool !== "look")) return this.tap(width / 2, height / 2);
    if (key !== "Escape" || !this.tools?.back()) return false;
    this.space.emitter.emit("measured", null);
    return true;
  }

  take(x: number, y: number): boolean {
    if (!this.editable || this.tool !== "look") return false;
    const id = this.at(x, y)?.id;
    const pin = id === undefined ? undefined : this.pins.find((one) => one.id === id);
    const medium = this.media.find((one) => one.id === id);
    if (id === undefined || (!pin && !medium)) return false;
    const before: SurfaceHit = medium
      ? { position: medium.placement.position, normal: normalize(medium.placement.normal) }
      : { position: pin?.position ?? [0, 0, 0], normal: normalize(pin?.stem ?? [0, 1, 0]) };
    this.held = { id, before, now: before };
    return true;
  }

  carry(x: number, y: number): void {
    const hit = this.held && this.pick(x, y);
    if (!this.held || !hit) return;
    this.held.now = hit;
    this.followHeld();
    this.space.emitter.emit("drag", { id: this.held.id, hit, done: false });
  }

  drop(how: "put" | "back"): void {
    const { held } = this;
    if (!held) return;
    if (how === "back") held.now = held.before;
    this.followHeld();
    this.held = null;
    this.space.emitter.emit("drag", { id: held.id, hit: held.now, done: true });
  }

  /** Called for each frame. Answers whether another one is needed. @param hides what the space hides in another way than by depth. */
  update(pose: Pose, size: Size, hides: ((frame: MediaPlane) => boolean) | null): boolean {
    this.tools?.update(pose, size);
    return this.hangings?.update(pose, size, hides) ?? false;
  }

  dispose(): void {
    this.ended = true;
    this.hangings?.dispose();
    this.hangings = null;
    this.tools?.dispose();
    this.tools = null;
  }

  /** A medium that is seen itself has no pin; its sound alone has. */
  private arrange(): void {
    const hung = new Set(
      this.media.flatMap(({ id, kind, placement }) =>
        kind !== "audio" && placeMedia(placement, 1) ? id : [],
      ),
    );
    this.space.pins.set(this.pins.filter(({ id }) => !hung.has(id)));
    this.followHeld();
  }

  /** What is carried stays at the pointer while the page gives new lists. */
  private followHeld(): void {
    if (!this.held) return;
    const { id, now } = this.held;
    const stem = this.pins.find((one) => one.id === id)?.stem ?? [0, 0, 0];
    this.space.pins.move(id, now.position, scale(now.normal, length(stem)));
    this.hangings?.move(id, now);
  }

  private pick(x: number, y: number): SurfaceHit | null {
    const pose = this.space.pose();
    return this.space.meet(pose.position, computeScreenRay(pose, this.space.stage.size, x, y));
  }

  private choose(x: number, y: number): void {
    const hit = this.pick(x, y);
    if (!hit) return;
    if (this.tool === "place") this.space.emitter.emit("place", hit);
    if (this.tool !== "measure") return;
    // The first click may come before its layer.
    const add = (layer: ToolLayer | null) => {
      if (layer) this.space.emitter.emit("measured", layer.choose(hit.position));
    };
    this.toolLayer().then(add, () => {});
  }
}
