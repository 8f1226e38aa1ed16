import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  Group,
  LinearFilter,
  LinearMipmapLinearFilter,
  Mesh,
  MeshBasicMaterial,
  NoToneMapping,
  RepeatWrapping,
  RingGeometry,
  SRGBColorSpace,
  Texture,
} from "three";
import { isEquirectangular } from "~/domain/spaces/panorama-shape";
import { combineSignals, createAbortError } from "../core/abort";
import { clampPitch, computeAngles, lookAt } from "../core/angles";
import {
  type AdapterOptions,
  type CreateViewer,
  type GoToOptions,
  type Pin,
  type SpaceViewer,
  type SurfaceHit,
  type Vec3,
  ViewerError,
  type ViewerSource,
  type Viewpoint,
} from "../core/contract";
import {
  createEquirectSphere,
  findHomeNode,
  findNearestNode,
  findNodeAhead,
  isPinVisibleFrom,
} from "../core/equirect";
import type { Pose } from "../core/flight";
import type { MediaPlane } from "../core/media-plane";
import { type Box, computeFieldOfView, createProjector } from "../core/projection";
import { measureScreenCoverage } from "../core/screen-coverage";
import { add, distance, isFinitePoint, scale } from "../core/vec";
import { isSmallDevice } from "./device.client";
import { fetchBytes, freeTexture, freeTree } from "./free.client";
import type { HeldKeys } from "./gestures.client";
import type { TileLayer } from "./panorama-tiles.client";
import { LOOK_LIMIT, SpatialViewer } from "./spatial.client";
import { StopLayer } from "./stops.client";

type PanoramaSource = Extract<ViewerSource, { kind: "panorama" }>;
type Node = PanoramaSource["nodes"][number];

const DEGREE = Math.PI / 180;
const FOV = 68 * DEGREE;
const FOV_ACROSS = 62 * DEGREE;
const ZOOM_MIN = 0.75;
const ZOOM_MAX = 3.5;
/** A tripod's height: floors are this far below the nodes. */
const EYE_HEIGHT = 1.6;
/** Where a picture has no depth, things are taken to be this far away. */
const WALL_DISTANCE = 3;
const FLOOR_REACH = 6;
/** About the distance of a room's walls, so that a step between two spheres looks like one. */
const SPHERE_RADIUS = 6;
/** Pictures wider than this show no more on any screen and do not fit into phones. */
const WIDEST = 8192;
const WIDEST_SMALL_DEVICE = 4096;

/** Several panoramas that one looks around in and steps between. */
class PanoramaViewer extends SpatialViewer {
  readonly modes: SpaceViewer["modes"] = ["walk"];
  /** A picture has no depth to measure. */
  override readonly tools: SpaceViewer["tools"] = ["place"];
  private readonly content = new Group();
  private readonly near = makeSphere();
  /** The panorama that is being left, below the one that appears. */
  private readonly old = makeSphere();
  private readonly rings = new Group();
  private readonly stops: StopLayer;
  private readonly files = new Map<string, Promise<Blob>>();
  private readonly broken = new Set<string>();
  private source: PanoramaSource = { kind: "panorama", nodes: [], start: NOWHERE };
  private node: Node | null = null;
  private tiles: TileLayer | null = null;
  private zoom = 1;
  /** Counts steps, so that a picture that arrives late changes nothing. */
  private stepCount = 0;
  private changing: { elapsed: number; duration: number } | null = null;
  /** On the way from one node to another. */
  private stepping = false;
  private preloading: AbortController | null = null;
  /** Where the visit began. */
  private home: Viewpoint | null = null;

  constructor(host: HTMLElement, options: AdapterOptions) {
    super(host, options);
    this.stops = new StopLayer(host, options.messages, (id) => this.stepQuietly(id));
  }

  protected async open(source: ViewerSource, signal: AbortSignal): Promise<void> {
    if (source.kind !== "panorama") throw new TypeError(`A panorama viewer cannot show a ${source.kind}.`);
    this.source = source;
    const first = (source.start && this.nodeOf(source.start)) ?? source.nodes[0];
    if (!first) throw new ViewerError("load_failed", "The space has no panoramas.");
    const file = await fetchBytes(first.preview ?? first.url, signal, {
      onProgress: (share) => this.emitter.emit("progress", share),
    });
    this.files.set(first.id, Promise.resolve(file));
    const texture = await this.decode(file, signal);
    this.emitter.emit("progress", 1);
    this.stage.renderer.toneMapping = NoToneMapping;
    this.near.renderOrder = 1;
    this.content.add(this.old, this.near, this.rings);
    this.stage.scene.add(this.content);
    const { yaw, pitch } = source.start ?? { yaw: first.heading, pitch: 0 };
    this.enter(first, texture);
    this.setPose({
      position: first.position,
      yaw: Number.isFinite(yaw) ? yaw : 0,
      pitch: Number.isFinite(pitch) ? clampPitch(pitch, LOOK_LIMIT) : 0,
      fov: this.fov(),
    });
    this.home = this.viewpoint();
    this.sharpen(first).catch(() => {});
    this.preload();
  }

  protected close(): void {
    this.preloading?.abort();
    this.stops.dispose();
    this.tiles?.dispose();
    this.files.clear();
    freeTree(this.content);
  }

  viewpoint(): Viewpoint {
    const { position, yaw, pitch } = this.pose;
    return { position, yaw, pitch, mode: "walk", ...(this.node && { nodeId: this.node.id }) };
  }

  async goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void> {
    if (!this.isLoaded) return;
    const pin = "pinId" in target ? this.fittings.anchor(target.pinId) : undefined;
    this.pins.seek(pin?.id ?? null);
    const viewpoint = "pinId" in target ? pin && this.before(pin) : target;
    if (!viewpoint || !Number.isFinite(viewpoint.yaw) || !Number.isFinite(viewpoint.pitch)) return;
    const node = this.nodeOf(viewpoint);
    if (!node) return;
    const look = { yaw: viewpoint.yaw, pitch: clampPitch(viewpoint.pitch, LOOK_LIMIT) };
    if (pin) this.showWhole(pin.id, node.position, look);
    if (node === this.node)
      await this.arrive({ ...this.pose, ...look, fov: this.fov(), position: node.position }, options);
    else await this.stepTo(node.id, look, options);
  }

  setMode(): void {}

  zoomBy(factor: number): void {
    if (!this.isLoaded || !(factor > 0)) return;
    this.zoom = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, this.zoom * factor));
    this.setPose({ ...this.pose, fov: this.fov() });
  }

  protected range(): { near: number; far: number } {
    return { near: 0.05, far: 200 };
  }

  /** The floor below, or a wall at arm's length: good enough to put a tag, which its owner then moves. */
  protected meet(origin: Vec3, towards: Vec3): SurfaceHit | null {
    const down = towards[1] < 0 ? EYE_HEIGHT / -towards[1] : Number.POSITIVE_INFINITY;
    if (down <= FLOOR_REACH) return { position: add(origin, scale(towards, down)), normal: [0, 1, 0] };
    return { position: add(origin, scale(towards, WALL_DISTANCE)), normal: scale(towards, -1) };
  }

  protected hiding(): ((pin: Pin, disc: Vec3) => boolean) | null {
    const { node, source } = this;
    if (!node) return null;
    return (pin) =>
      !isPinVisibleFrom(
        node,
        this.homeOf(pin) ?? findHomeNode(source.nodes, pin.position, pin.stem),
        pin.position,
        pin.stem,
      );
  }

  protected override get surfaces() {
    return { lift: 0, renderOrder: 1.5, hasDepth: false };
  }

  protected override concealing(): ((frame: MediaPlane) => boolean) | null {
    const { node, source } = this;
    if (!node) return null;
    return ({ centre, normal }) =>
      !isPinVisibleFrom(node, findHomeNode(source.nodes, centre, normal), centre, normal);
  }

  protected drag(dx: number, dy: number): void {
    this.look(dx, dy);
  }

  protected slide(dx: number, dy: number): void {
    this.drag(dx, dy);
  }

  protected pinch(factor: number): void {
    this.zoomBy(factor);
  }

  /** A click on the floor steps to the nearest linked place that way. */
  protected tap(x: number, y: number): void {
    const { size, pose } = this;
    const project = createProjector(pose, size);
    let best: Node | null = null;
    let nearest = Math.min(size.width, size.height) * 0.2;
    for (const node of this.neighbours()) {
      const seen = project(floorOf(node));
      const away = Math.hypot(seen.x - x, seen.y - y);
      if (seen.depth > 0 && away < nearest) {
        best = node;
        nearest = away;
      }
    }
    if (best) this.stepQuietly(best.id);
  }

  protected hover(): void {}

  protected eyeHeight(): number {
    return EYE_HEIGHT;
  }

  protected stride(_from: Vec3, towards: Vec3): void {
    const next =
      this.node && findNodeAhead(this.neighbours(), this.node.position, computeAngles(towards).yaw);
    if (next) this.stepTo(next.id, undefined, { transition: "instant" }).catch(() => {});
  }

  protected override press(key: string): boolean {
    if (key === "ArrowUp" || key === "KeyW") this.stepAlong(0);
    else if (key === "ArrowDown" || key === "KeyS") this.stepAlong(Math.PI);
    else return super.press(key);
    return true;
  }

  protected goHome(): void {
    this.goTo(this.home ?? this.viewpoint()).catch(() => {});
  }

  protected step(keys: HeldKeys, elapsed: number): boolean {
    // There is no walking aside: these keys turn as well.
    return this.turnByKeys({ ...keys, turn: keys.turn || -keys.aside }, elapsed);
  }

  protected resized(): void {
    this.setPose({ ...this.pose, fov: this.fov() });
  }

  protected override beforeDraw(elapsed: number): boolean {
    const { changing } = this;
    if (changing) {
      changing.elapsed += elapsed;
      const share = Math.min(1, changing.elapsed / changing.duration);
      this.near.material.opacity = share;
      if (share === 1) this.endChange();
    }
    this.stops.update(this.pose, this.size);
    // Sharp parts wait until the panorama itself is there.
    if (!this.changing) this.tiles?.update(this.pose, this.size, this.stage.renderer.getPixelRatio());
    return this.changing !== null;
  }

  protected override targets(): readonly Box[] {
    return this.stops.boxes();
  }

  protected override grab(): void {
    // Between two nodes there is no picture to stay in.
    if (!this.stepping) super.grab();
  }

  private fov(): number {
    return 2 * Math.atan(Math.tan(computeFieldOfView(this.size, FOV, FOV_ACROSS) / 2) / this.zoom);
  }

  private neighbours(): Node[] {
    const links = this.node?.links ?? [];
    return this.source.nodes.filter(
      ({ id }) => links.includes(id) && id !== this.node?.id && !this.broken.has(id),
    );
  }

  /** The node that a viewpoint names, or the nearest to its position; null for a viewpoint that is nowhere. */
  private nodeOf(viewpoint: Viewpoint): Node | null {
    const { nodes } = this.source;
    const named = nodes.find(({ id }) => id === viewpoint.nodeId);
    if (named) return named;
    return isFinitePoint(viewpoint.position) ? findNearestNode(nodes, viewpoint.position) : null;
  }

  private homeOf(pin: Pin): Node | undefined {
    return this.source.nodes.find(({ id }) => id === pin.viewpoint?.nodeId);
  }

  private before(pin: Pin): Viewpoint | null {
    if (pin.viewpoint && this.homeOf(pin)) return pin.viewpoint;
    const disc = this.fittings.outline(pin.id)?.middle ?? add(pin.position, pin.stem);
    const home = findHomeNode(this.source.nodes, pin.position, pin.stem);
    if (!home) return null;
    // Where the visitor is may be as good.
    const node = this.node && isPinVisibleFrom(this.node, home, pin.position, pin.stem) ? this.node : home;
    const look = lookAt(node.position, disc, this.pose.yaw);
    return { position: node.position, ...look, mode: "walk", nodeId: node.id };
  }

  /** One cannot go back from something here: what is too large for the screen is looked at from farther by the lens, as far as that goes. */
  private showWhole(id: string, position: Vec3, look: { yaw: number; pitch: number }): void {
    const outline = this.fittings.outline(id);
    if (!outline) return;
    const share = measureScreenCoverage(outline.points, { position, ...look, fov: this.fov() }, this.size);
    if (share < 1) this.zoom = Math.max(ZOOM_MIN, this.zoom * share);
  }

  /** A step by the visitor's own hand: a picture that does not come is told by an event. */
  private stepQuietly(id: string): void {
    this.stepTo(id).catch(() => {});
  }

  private stepAlong(turn: number): void {
    const next = this.node && findNodeAhead(this.neighbours(), this.node.position, this.pose.yaw + turn);
    if (next) this.stepQuietly(next.id);
  }

  /** Goes to another node, looking as before or as told; resolves when it has come to rest. */
  private async stepTo(
    id: string,
    look?: { yaw: number; pitch: number },
    options: GoToOptions = {},
  ): Promise<void> {
    const node = this.source.nodes.find((other) => other.id === id);
    if (!node || node === this.node) return;
    const count = ++this.stepCount;
    const { signal } = this.ended;
    this.stops.wait(id);
    let texture: Texture;
    try {
      texture = await this.decode(await this.file(node, signal), signal);
    } catch (cause) {
      if (signal.aborted || count !== this.stepCount) return;
      // The way there is closed; the visitor stays.
      this.files.delete(id);
      this.broken.add(id);
      this.showStops();
      this.emitter.emit("error", "load_failed");
      throw cause instanceof ViewerError
        ? cause
        : new ViewerError("load_failed", `Panorama ${id} is missing.`, { cause });
    }
    if (signal.aborted || count !== this.stepCount) {
      freeTexture(texture);
      return;
    }
    this.broken.delete(id);
    const pose: Pose = { ...this.pose, ...look, fov: this.fov(), position: node.position };
    const instant = options.transition === "instant" || this.options.prefersReducedMotion();
    this.enter(node, texture, !instant);
    this.emitter.emit("node", id);
    const arrived = this.arrive(pose, options);
    this.sharpen(node).catch(() => {});
    this.preload();
    await arrived;
  }

  /** The last part of every way: to a pose at the node whose picture is shown. Whatever was on its way is overtaken. */
  private async arrive(pose: Pose, options?: GoToOptions): Promise<void> {
    const count = ++this.stepCount;
    this.stops.wait(null);
    this.stepping = distance(this.pose.position, pose.position) > 0;
    await this.moveTo(pose, options);
    if (count === this.stepCount) this.stepping = false;
  }

  /** Puts a picture around its node, over the one before. */
  private enter(node: Node, texture: Texture, fade = false): void {
    this.endChange();
    const { near, old } = this;
    if (fade && this.node) {
      const far = distance(this.node.position, node.position);
      old.material.map = near.material.map;
      old.position.copy(near.position);
      old.rotation.copy(near.rotation);
      old.visible = true;
      near.scale.setScalar(Math.max(SPHERE_RADIUS, far * 1.6));
      old.scale.copy(near.scale);
      near.material.opacity = 0;
      this.changing = { elapsed: 0, duration: Math.min(900, 350 + far * 90) };
    } else {
      if (near.material.map) freeTexture(near.material.map);
      near.scale.setScalar(SPHERE_RADIUS);
    }
    near.material.map = texture;
    near.material.needsUpdate = true;
    old.material.needsUpdate = true;
    near.position.set(...(node.position as [number, number, number]));
    near.rotation.set(0, node.heading, 0);
    this.node = node;
    this.openTiles(node).catch(() => {});
    this.showStops();
    this.pins.moved();
  }

  /** Puts the tiles of a node over its picture; those of the node before are given back. */
  private async openTiles(node: Node): Promise<void> {
    this.tiles?.dispose();
    this.tiles = null;
    if (!node.tiles) return;
    const { TileLayer } = await import("./panorama-tiles.client");
    if (this.node !== node || this.tiles || this.ended.signal.aborted) return;
    this.tiles = new TileLayer(node.tiles, node.heading, isSmallDevice(), 1.1, () => this.stage.invalidate());
    this.tiles.object.position.copy(this.near.position);
    this.tiles.object.rotation.copy(this.near.rotation);
    this.tiles.object.scale.copy(this.near.scale);
    this.content.add(this.tiles.object);
    this.content.updateMatrixWorld(true);
    this.stage.invalidate();
  }

  /** Replaces the small version of a node's picture by the picture itself. The small one stays where that does not come. */
  private async sharpen(node: Node): Promise<void> {
    if (!node.preview) return;
    const { signal } = this.ended;
    const texture = await this.decode(await fetchBytes(node.url, signal), signal);
    const { material } = this.near;
    if (this.node !== node || signal.aborted) return freeTexture(texture);
    if (material.map) freeTexture(material.map);
    material.map = texture;
    material.needsUpdate = true;
    this.stage.invalidate();
  }

  private endChange(): void {
    const { near, old } = this;
    this.changing = null;
    near.material.opacity = 1;
    if (old.material.map) freeTexture(old.material.map);
    old.material.map = null;
    old.visible = false;
  }

  private showStops(): void {
    const neighbours = this.neighbours();
    for (const ring of [...this.rings.children]) freeTree(ring);
    for (const node of neighbours) this.rings.add(makeRing(floorOf(node)));
    this.stops.set(neighbours.map((node) => ({ id: node.id, title: node.title, position: floorOf(node) })));
    this.content.updateMatrixWorld(true);
    this.pins.moved();
  }

  private file(node: Node, signal: AbortSignal, priority?: RequestPriority): Promise<Blob> {
    const known = this.files.get(node.id);
    if (known) return known;
    const file = fetchBytes(node.preview ?? node.url, signal, { priority });
    this.files.set(node.id, file);
    // A try that failed must not be remembered; whoever asked hears of the failure.
    file.catch(() => this.files.delete(node.id));
    return file;
  }

  /** Fetches what can be stepped to, after everything else; keeps no file that is more than one step away. */
  private preload(): void {
    this.preloading?.abort();
    const preloading = new AbortController();
    this.preloading = preloading;
    const wanted = new Set([this.node?.id, ...this.neighbours().map(({ id }) => id)]);
    for (const id of this.files.keys()) if (!wanted.has(id)) this.files.delete(id);
    const signal = combineSignals(preloading.signal, this.ended.signal);
    const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
    if (connection?.saveData) return;
    for (const node of this.neighbours()) void this.file(node, signal, "low").catch(() => {});
  }

  private async decode(file: Blob, signal: AbortSignal): Promise<Texture> {
    const small = matchMedia("(pointer: coarse)").matches;
    const limit = Math.min(
      this.stage.renderer.capabilities.maxTextureSize,
      small ? WIDEST_SMALL_DEVICE : WIDEST,
    );
    const picture = await createImageBitmap(file);
    const { width, height } = picture;
    if (!isEquirectangular(width, height)) {
      picture.close();
      throw new ViewerError(
        "load_failed",
        `A panorama must be twice as wide as high, not ${width} × ${height}.`,
      );
    }
    if (signal.aborted) {
      picture.close();
      throw createAbortError();
    }
    const texture = new Texture(width > limit ? shrink(picture, limit) : picture);
    // WebGL cannot flip an ImageBitmap: the sphere's picture points count from the top instead.
    texture.flipY = false;
    texture.colorSpace = SRGBColorSpace;
    // The last column goes on in the first one: without this a line would be seen behind the visitor.
    texture.wrapS = RepeatWrapping;
    texture.minFilter = LinearMipmapLinearFilter;
    texture.magFilter = LinearFilter;
    texture.anisotropy = Math.min(8, this.stage.renderer.capabilities.getMaxAnisotropy());
    texture.needsUpdate = true;
    return texture;
  }
}

const NOWHERE: Viewpoint = { position: [0, EYE_HEIGHT, 0], yaw: 0, pitch: 0, mode: "walk" };

/** A smaller copy of a picture, which is closed. */
function shrink(picture: ImageBitmap, width: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = width / 2;
  const context = canvas.getContext("2d");
  if (context) {
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  picture.close();
  return canvas;
}

function floorOf(node: Node): Vec3 {
  return [node.position[0], node.position[1] - EYE_HEIGHT, node.position[2]];
}

function makeSphere(): Mesh<BufferGeometry, MeshBasicMaterial> {
  const { positions, uvs, indices } = createEquirectSphere(1, 96, 48);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(positions, 3));
  geometry.setAttribute("uv", new BufferAttribute(uvs, 2));
  geometry.setIndex(new BufferAttribute(indices, 1));
  const material = new MeshBasicMaterial({
    depthTest: false,
    depthWrite: false,
    toneMapped: false,
    transparent: true,
  });
  const sphere = new Mesh(geometry, material);
  sphere.frustumCulled = false;
  return sphere;
}

/** The ring on the floor where one can step to, light with a dark edge to be seen on every floor. */
function makeRing([x, y, z]: Vec3): Group {
  const ring = new Group();
  const part = (inner: number, outer: number, color: number, opacity: number) =>
    new Mesh(
      new RingGeometry(inner, outer, 56),
      new MeshBasicMaterial({
        color,
        opacity,
        transparent: true,
        depthTest: false,
        depthWrite: false,
        side: DoubleSide,
      }),
    );
  ring.add(part(0, 0.2, 0xffffff, 0.22), part(0.19, 0.29, 0x15171c, 0.35), part(0.2, 0.27, 0xffffff, 0.95));
  for (const mesh of ring.children) mesh.renderOrder = 2;
  ring.position.set(x, y, z);
  ring.rotation.x = -Math.PI / 2;
  return ring;
}

/** Equirectangular panoramas with links between them. Throws a ViewerError without WebGL. */
export const createPanoramaViewer: CreateViewer = (host, options) => new PanoramaViewer(host, options);
