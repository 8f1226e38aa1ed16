import { Group, NoToneMapping, type Texture } from "three";
import { combineSignals } from "../core/abort";
import { clampPitch, computeAngles, lookAt } from "../core/angles";
import type {
  AdapterOptions,
  CreateViewer,
  GoToOptions,
  Pin,
  SpaceViewer,
  SurfaceHit,
  Vec3,
  ViewerSource,
  Viewpoint,
} from "../core/contract";
import { findHomeNode, findNearestNode, findNodeAhead, isPinVisibleFrom } from "../core/equirect";
import type { Pose } from "../core/flight";
import type { MediaPlane } from "../core/media-plane";
import { type Box, computeFieldOfView, createProjector } from "../core/projection";
import { measureScreenCoverage } from "../core/screen-coverage";
import { add, distance, isFinitePoint, scale } from "../core/vec";
import { ViewerError } from "../core/viewer-error";
import { disposeTexture, disposeTree } from "../shared/dispose.client";
import { fetchFile } from "../shared/fetch-file.client";
import type { HeldKeys } from "../shared/gestures.client";
import { isSmallDevice } from "../shared/is-small-device.client";
import { LOOK_LIMIT, SpatialViewer } from "../shared/spatial-viewer.client";
import { decodePanorama } from "./decode-panorama.client";
import { NodeButtonLayer } from "./node-buttons.client";
import { createRing, createSphere } from "./panorama-objects.client";
import type { TileLayer } from "./tile-layer.client";

type PanoramaSource = Extract<ViewerSource, { kind: "panorama" }>;
type Node = PanoramaSource["nodes"][number];

const DEGREE = Math.PI / 180;
/** Vertical field of view, and the minimum horizontal one on narrow canvases. */
const FOV = 68 * DEGREE;
const FOV_HORIZONTAL_MIN = 62 * DEGREE;
/** Range of the zoom, as factors. */
const ZOOM_MIN = 0.75;
const ZOOM_MAX = 3.5;
/** Height of a node above the floor, in metres (that of a tripod). */
const EYE_HEIGHT = 1.6;
/** Assumed distance of walls in metres, because a panorama has no depth. */
const WALL_DISTANCE = 3;
/** Maximum distance in metres at which a ray is assumed to meet the floor and not a wall. */
const FLOOR_DISTANCE_MAX = 6;
/** Minimum radius of a panorama's sphere, in metres. It is small, so that moving between two spheres looks like a step. */
const SPHERE_RADIUS_MIN = 6;
/** Duration of the transition between two panoramas, in milliseconds: it grows with the distance of their nodes. */
const FADE_MIN_MS = 350;
const FADE_MS_PER_METRE = 90;
const FADE_MAX_MS = 900;

/** Render order of tiles: after the panorama (1) and before placed media (1.5). */
const TILE_RENDER_ORDER = 1.1;

/** Viewer of linked panoramas. */
class PanoramaViewer extends SpatialViewer {
  readonly modes: SpaceViewer["modes"] = ["walk"];
  /** A panorama has no depth to measure, so it has no measuring tool. */
  override readonly tools: SpaceViewer["tools"] = ["place"];
  private readonly content = new Group();
  private readonly currentSphere = createSphere();
  /** Sphere of the previous panorama, behind the one that is faded in. */
  private readonly previousSphere = createSphere();
  private readonly rings = new Group();
  private readonly nodeButtons: NodeButtonLayer;
  /** Downloads of panoramas, by the id of their node. */
  private readonly files = new Map<string, Promise<Blob>>();
  /** Nodes whose panoramas could not be loaded. */
  private readonly unreachableIds = new Set<string>();
  private source: PanoramaSource = { kind: "panorama", nodes: [], start: null };
  private node: Node | null = null;
  private tiles: TileLayer | null = null;
  private zoom = 1;
  /** Increases with each step and each move. An image that arrives for an earlier value is ignored. */
  private stepCount = 0;
  /** Progress of the transition between two panoramas, in milliseconds. */
  private crossFade: { elapsed: number; duration: number } | null = null;
  /** Whether the camera moves between two nodes. */
  private isStepping = false;
  private preloading: AbortController | null = null;
  /** Viewpoint at which the visit began. */
  private startViewpoint: Viewpoint | null = null;

  constructor(host: HTMLElement, options: AdapterOptions) {
    super(host, options);
    this.nodeButtons = new NodeButtonLayer(host, options.messages, (id) => this.requestStep(id));
  }

  protected async open(source: ViewerSource, signal: AbortSignal): Promise<void> {
    if (source.kind !== "panorama") throw new TypeError(`A panorama viewer cannot show a ${source.kind}.`);
    this.source = source;
    const firstNode = (source.start && this.findNode(source.start)) ?? source.nodes[0];
    if (!firstNode) throw new ViewerError("load_failed", "The space has no panoramas.");
    const file = await fetchFile(firstNode.preview ?? firstNode.url, signal, {
      onProgress: (share) => this.emitter.emit("progress", share),
    });
    this.files.set(firstNode.id, Promise.resolve(file));
    const texture = await decodePanorama(file, this.stage.renderer, signal);
    this.emitter.emit("progress", 1);
    this.stage.renderer.toneMapping = NoToneMapping;
    this.currentSphere.renderOrder = 1;
    this.content.add(this.previousSphere, this.currentSphere, this.rings);
    this.stage.scene.add(this.content);
    const { yaw, pitch } = source.start ?? { yaw: firstNode.heading, pitch: 0 };
    this.showNode(firstNode, texture);
    this.setPose({
      position: firstNode.position,
      yaw: Number.isFinite(yaw) ? yaw : 0,
      pitch: Number.isFinite(pitch) ? clampPitch(pitch, LOOK_LIMIT) : 0,
      fov: this.computeFov(),
    });
    this.startViewpoint = this.viewpoint();
    this.loadFullImage(firstNode).catch(() => {});
    this.preload();
  }

  protected close(): void {
    this.preloading?.abort();
    this.nodeButtons.dispose();
    this.tiles?.dispose();
    this.files.clear();
    disposeTree(this.content);
  }

  viewpoint(): Viewpoint {
    const { position, yaw, pitch } = this.pose;
    return { position, yaw, pitch, mode: "walk", ...(this.node && { nodeId: this.node.id }) };
  }

  async goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void> {
    if (!this.isLoaded) return;
    // The id may be that of a media item; one without a pin has a substitute.
    const pin = "pinId" in target ? this.overlays.findAnchor(target.pinId) : undefined;
    this.pins.setTarget(pin?.id ?? null);
    const viewpoint = "pinId" in target ? pin && this.findPinViewpoint(pin) : target;
    if (!viewpoint || !Number.isFinite(viewpoint.yaw) || !Number.isFinite(viewpoint.pitch)) return;
    const node = this.findNode(viewpoint);
    if (!node) return;
    const direction = { yaw: viewpoint.yaw, pitch: clampPitch(viewpoint.pitch, LOOK_LIMIT) };
    if (pin) this.zoomOutFor(pin.id, node.position, direction);
    if (node === this.node)
      await this.moveToNodePose(
        { ...this.pose, ...direction, fov: this.computeFov(), position: node.position },
        options,
      );
    else await this.stepTo(node.id, direction, options);
  }

  setMode(): void {}

  zoomBy(factor: number): void {
    if (!this.isLoaded || !(factor > 0)) return;
    this.zoom = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, this.zoom * factor));
    this.setPose({ ...this.pose, fov: this.computeFov() });
  }

  protected clippingDistances(): { near: number; far: number } {
    return { near: 0.05, far: 200 };
  }

  /** Returns the point on the floor below or on an assumed wall. This is precise enough to place a tag, which its owner can then move. */
  protected raycastSpace(origin: Vec3, direction: Vec3): SurfaceHit | null {
    const floorDistance = direction[1] < 0 ? EYE_HEIGHT / -direction[1] : Number.POSITIVE_INFINITY;
    if (floorDistance <= FLOOR_DISTANCE_MAX)
      return { position: add(origin, scale(direction, floorDistance)), normal: [0, 1, 0] };
    return { position: add(origin, scale(direction, WALL_DISTANCE)), normal: scale(direction, -1) };
  }

  protected getPinOcclusionTest(): ((pin: Pin) => boolean) | null {
    const { node, source } = this;
    if (!node) return null;
    return (pin) =>
      !isPinVisibleFrom(
        node,
        this.findOwnNode(pin) ?? findHomeNode(source.nodes, pin.position, pin.stem),
        pin.position,
        pin.stem,
      );
  }

  protected override get overlayOptions() {
    return { surfaceOffset: 0, renderOrder: 1.5, hasDepth: false };
  }

  protected override getMediaOcclusionTest(): ((frame: MediaPlane) => boolean) | null {
    const { node, source } = this;
    if (!node) return null;
    return ({ centre, normal }) =>
      !isPinVisibleFrom(node, findHomeNode(source.nodes, centre, normal), centre, normal);
  }

  protected drag(dx: number, dy: number): void {
    this.turnByDrag(dx, dy);
  }

  protected slide(dx: number, dy: number): void {
    this.drag(dx, dy);
  }

  protected pinch(factor: number): void {
    this.zoomBy(factor);
  }

  /** A click moves to the linked node whose ring on the floor is nearest to it on the screen. */
  protected tap(x: number, y: number): void {
    const { size, pose } = this;
    const project = createProjector(pose, size);
    let nearestNode: Node | null = null;
    // A tap must be closer to a ring's centre than a fifth of the canvas's shorter side.
    let nearestPixels = Math.min(size.width, size.height) * 0.2;
    for (const node of this.listNeighbours()) {
      const screenPoint = project(floorPosition(node));
      const pixels = Math.hypot(screenPoint.x - x, screenPoint.y - y);
      if (screenPoint.depth > 0 && pixels < nearestPixels) {
        nearestNode = node;
        nearestPixels = pixels;
      }
    }
    if (nearestNode) this.requestStep(nearestNode.id);
  }

  protected hover(): void {}

  protected eyeHeight(): number {
    return EYE_HEIGHT;
  }

  protected moveTowards(_from: Vec3, towards: Vec3): void {
    const nextNode =
      this.node && findNodeAhead(this.listNeighbours(), this.node.position, computeAngles(towards).yaw);
    if (nextNode) this.stepTo(nextNode.id, undefined, { transition: "instant" }).catch(() => {});
  }

  protected override press(key: string): boolean {
    if (key === "ArrowUp" || key === "KeyW") this.requestStepTowards(0);
    else if (key === "ArrowDown" || key === "KeyS") this.requestStepTowards(Math.PI);
    else return super.press(key);
    return true;
  }

  protected goToStart(): void {
    this.goTo(this.startViewpoint ?? this.viewpoint()).catch(() => {});
  }

  protected step(keys: HeldKeys, elapsed: number): boolean {
    // A visitor cannot walk sideways here, so the sideways keys turn the view.
    return this.turnByKeys({ ...keys, turn: keys.turn || -keys.aside }, elapsed);
  }

  protected resized(): void {
    this.setPose({ ...this.pose, fov: this.computeFov() });
  }

  protected override beforeDraw(elapsed: number): boolean {
    const { crossFade } = this;
    if (crossFade) {
      crossFade.elapsed += elapsed;
      const share = Math.min(1, crossFade.elapsed / crossFade.duration);
      this.currentSphere.material.opacity = share;
      if (share === 1) this.endCrossFade();
    }
    this.nodeButtons.update(this.pose, this.size);
    // Tiles wait until the panorama itself is shown.
    if (!this.crossFade) this.tiles?.update(this.pose, this.size, this.stage.renderer.getPixelRatio());
    return this.crossFade !== null;
  }

  protected override listReservedBoxes(): readonly Box[] {
    return this.nodeButtons.listBoxes();
  }

  protected override takeControl(): void {
    // While the camera moves between two nodes, the move cannot be interrupted, because there is no panorama in between.
    if (!this.isStepping) super.takeControl();
  }

  private computeFov(): number {
    return 2 * Math.atan(Math.tan(computeFieldOfView(this.size, FOV, FOV_HORIZONTAL_MIN) / 2) / this.zoom);
  }

  private listNeighbours(): Node[] {
    const links = this.node?.links ?? [];
    return this.source.nodes.filter(
      ({ id }) => links.includes(id) && id !== this.node?.id && !this.unreachableIds.has(id),
    );
  }

  /** Returns the node that a viewpoint names, or the nearest one. Null for an invalid position. */
  private findNode(viewpoint: Viewpoint): Node | null {
    const { nodes } = this.source;
    const requestedNode = nodes.find(({ id }) => id === viewpoint.nodeId);
    if (requestedNode) return requestedNode;
    return isFinitePoint(viewpoint.position) ? findNearestNode(nodes, viewpoint.position) : null;
  }

  private findOwnNode(pin: Pin): Node | undefined {
    return this.source.nodes.find(({ id }) => id === pin.viewpoint?.nodeId);
  }

  private findPinViewpoint(pin: Pin): Viewpoint | null {
    if (pin.viewpoint && this.findOwnNode(pin)) return pin.viewpoint;
    const target = this.overlays.findOutline(pin.id)?.middle ?? add(pin.position, pin.stem);
    const home = findHomeNode(this.source.nodes, pin.position, pin.stem);
    if (!home) return null;
    // The current node is preferred when the pin is visible from it.
    const node = this.node && isPinVisibleFrom(this.node, home, pin.position, pin.stem) ? this.node : home;
    const direction = lookAt(node.position, target, this.pose.yaw);
    return { position: node.position, ...direction, mode: "walk", nodeId: node.id };
  }

  /** Zooms out for a media item that is larger than the screen, because the visitor cannot step back from it. */
  private zoomOutFor(id: string, position: Vec3, direction: { yaw: number; pitch: number }): void {
    const outline = this.overlays.findOutline(id);
    if (!outline) return;
    const share = measureScreenCoverage(
      outline.points,
      { position, ...direction, fov: this.computeFov() },
      this.size,
    );
    if (share < 1) this.zoom = Math.max(ZOOM_MIN, this.zoom * share);
  }

  /** Moves to a node after a gesture. A failed download is reported by an event. */
  private requestStep(id: string): void {
    this.stepTo(id).catch(() => {});
  }

  private requestStepTowards(turn: number): void {
    const nextNode =
      this.node && findNodeAhead(this.listNeighbours(), this.node.position, this.pose.yaw + turn);
    if (nextNode) this.requestStep(nextNode.id);
  }

  /** Moves to another node, in the current or a given direction. Resolves when the camera has stopped. Rejects when the panorama cannot be loaded. */
  private async stepTo(
    id: string,
    direction?: { yaw: number; pitch: number },
    options: GoToOptions = {},
  ): Promise<void> {
    const node = this.source.nodes.find((other) => other.id === id);
    if (!node || node === this.node) return;
    const stepNumber = ++this.stepCount;
    const { signal } = this.disposal;
    this.nodeButtons.markLoading(id);
    let texture: Texture;
    try {
      texture = await decodePanorama(await this.loadFile(node, signal), this.stage.renderer, signal);
    } catch (cause) {
      if (signal.aborted || stepNumber !== this.stepCount) return;
      // The node cannot be reached, and the visitor stays at the current one.
      this.files.delete(id);
      this.unreachableIds.add(id);
      this.showLinkedNodes();
      this.emitter.emit("error", "load_failed");
      throw cause instanceof ViewerError
        ? cause
        : new ViewerError("load_failed", `Panorama ${id} could not be loaded.`, { cause });
    }
    if (signal.aborted || stepNumber !== this.stepCount) {
      disposeTexture(texture);
      return;
    }
    this.unreachableIds.delete(id);
    const pose: Pose = { ...this.pose, ...direction, fov: this.computeFov(), position: node.position };
    const instant = options.transition === "instant" || this.options.prefersReducedMotion();
    this.showNode(node, texture, !instant);
    this.emitter.emit("node", id);
    const movement = this.moveToNodePose(pose, options);
    this.loadFullImage(node).catch(() => {});
    this.preload();
    await movement;
  }

  /** Moves to a pose at the current node. It cancels any other pending step. */
  private async moveToNodePose(pose: Pose, options?: GoToOptions): Promise<void> {
    const stepNumber = ++this.stepCount;
    this.nodeButtons.markLoading(null);
    this.isStepping = distance(this.pose.position, pose.position) > 0;
    await this.moveTo(pose, options);
    if (stepNumber === this.stepCount) this.isStepping = false;
  }

  /** Shows a panorama around its node, over the previous one. */
  private showNode(node: Node, texture: Texture, fade = false): void {
    this.endCrossFade();
    const { currentSphere, previousSphere } = this;
    if (fade && this.node) {
      const nodeDistance = distance(this.node.position, node.position);
      previousSphere.material.map = currentSphere.material.map;
      previousSphere.position.copy(currentSphere.position);
      previousSphere.rotation.copy(currentSphere.rotation);
      previousSphere.visible = true;
      currentSphere.scale.setScalar(Math.max(SPHERE_RADIUS_MIN, nodeDistance * 1.6));
      previousSphere.scale.copy(currentSphere.scale);
      currentSphere.material.opacity = 0;
      this.crossFade = {
        elapsed: 0,
        duration: Math.min(FADE_MAX_MS, FADE_MIN_MS + nodeDistance * FADE_MS_PER_METRE),
      };
    } else {
      if (currentSphere.material.map) disposeTexture(currentSphere.material.map);
      currentSphere.scale.setScalar(SPHERE_RADIUS_MIN);
    }
    currentSphere.material.map = texture;
    currentSphere.material.needsUpdate = true;
    previousSphere.material.needsUpdate = true;
    currentSphere.position.set(...(node.position as [number, number, number]));
    currentSphere.rotation.set(0, node.heading, 0);
    this.node = node;
    this.openTiles(node).catch(() => {});
    this.showLinkedNodes();
    this.pins.requestChecks();
  }

  /** Adds the tiles of a node over its panorama. Those of the previous node are freed. */
  private async openTiles(node: Node): Promise<void> {
    this.tiles?.dispose();
    this.tiles = null;
    if (!node.tiles) return;
    const { TileLayer } = await import("./tile-layer.client");
    if (this.node !== node || this.tiles || this.disposal.signal.aborted) return;
    this.tiles = new TileLayer(node.tiles, node.heading, isSmallDevice(), TILE_RENDER_ORDER, () =>
      this.stage.invalidate(),
    );
    this.tiles.object.position.copy(this.currentSphere.position);
    this.tiles.object.rotation.copy(this.currentSphere.rotation);
    this.tiles.object.scale.copy(this.currentSphere.scale);
    this.content.add(this.tiles.object);
    this.content.updateMatrixWorld(true);
    this.stage.invalidate();
  }

  /** Replaces the small version of a node's image by the full one. The small one stays if the download fails. */
  private async loadFullImage(node: Node): Promise<void> {
    if (!node.preview) return;
    const { signal } = this.disposal;
    const texture = await decodePanorama(await fetchFile(node.url, signal), this.stage.renderer, signal);
    const { material } = this.currentSphere;
    if (this.node !== node || signal.aborted) return disposeTexture(texture);
    if (material.map) disposeTexture(material.map);
    material.map = texture;
    material.needsUpdate = true;
    this.stage.invalidate();
  }

  private endCrossFade(): void {
    const { currentSphere, previousSphere } = this;
    this.crossFade = null;
    currentSphere.material.opacity = 1;
    if (previousSphere.material.map) disposeTexture(previousSphere.material.map);
    previousSphere.material.map = null;
    previousSphere.visible = false;
  }

  private showLinkedNodes(): void {
    const neighbours = this.listNeighbours();
    for (const ring of [...this.rings.children]) disposeTree(ring);
    for (const node of neighbours) this.rings.add(createRing(floorPosition(node)));
    this.nodeButtons.setNodes(
      neighbours.map((node) => ({ id: node.id, title: node.title, position: floorPosition(node) })),
    );
    this.content.updateMatrixWorld(true);
    this.pins.requestChecks();
  }

  private loadFile(node: Node, signal: AbortSignal, priority?: RequestPriority): Promise<Blob> {
    const cachedFile = this.files.get(node.id);
    if (cachedFile) return cachedFile;
    const file = fetchFile(node.preview ?? node.url, signal, { priority });
    this.files.set(node.id, file);
    // Failed requests leave the cache. Aborted ones leave it at once, because the next preload begins before they reject.
    const forget = () => this.files.get(node.id) === file && this.files.delete(node.id);
    signal.addEventListener("abort", forget);
    file.catch(forget).finally(() => signal.removeEventListener("abort", forget));
    return file;
  }

  /** Loads the images of the linked nodes with low priority, unless the browser saves data. Files of nodes that are more than one step away are dropped. */
  private preload(): void {
    this.preloading?.abort();
    const preloading = new AbortController();
    this.preloading = preloading;
    const neededIds = new Set([this.node?.id, ...this.listNeighbours().map(({ id }) => id)]);
    for (const id of this.files.keys()) if (!neededIds.has(id)) this.files.delete(id);
    const signal = combineSignals(preloading.signal, this.disposal.signal);
    const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
    if (connection?.saveData) return;
    for (const node of this.listNeighbours()) void this.loadFile(node, signal, "low").catch(() => {});
  }
}

function floorPosition(node: Node): Vec3 {
  return [node.position[0], node.position[1] - EYE_HEIGHT, node.position[2]];
}

/** Creates the viewer of linked equirectangular panoramas. Throws a ViewerError without WebGL. */
export const createPanoramaViewer: CreateViewer = (host, options) => new PanoramaViewer(host, options);
