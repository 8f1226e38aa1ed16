import type { Camera, Object3D } from "three";
import { direction } from "../core/angles";
import type {
  GoToOptions,
  Pin,
  PlanImage,
  SpaceViewer,
  SurfaceHit,
  Vec3,
  ViewerSource,
  Viewpoint,
} from "../core/contract";
import { findPath } from "../core/find-path";
import { createFlight, createOrbitFlight, type Pose } from "../core/flight";
import {
  computeOrbit,
  computeOrbitPosition,
  computeOverview,
  type Extent,
  minOrbitDistance,
  type Orbit,
  slideOrbit,
} from "../core/orbit";
import { computeFieldOfView, computeScreenRay } from "../core/projection";
import { measureScreenCoverage } from "../core/screen-coverage";
import { TimeSlicer } from "../core/time-slicer";
import { Triangles } from "../core/triangles";
import { add, distance, mix, scale, subtract } from "../core/vec";
import { ViewerError } from "../core/viewer-error";
import { isPointVisible } from "../core/viewing-pose";
import {
  BODY,
  type Body,
  findFloorBelow,
  findNearestStandingPosition,
  findWalkingStart,
  walk,
} from "../core/walker";
import { chooseFirstView, type FirstView } from "../model/first-view";
import { ALL_LAYERS, BOTH_SIDES, ROOM_LAYER } from "../model/model-content.client";
import { disposeTree } from "./dispose.client";
import { createFloorCursor, showFloorCursor } from "./floor-cursor.client";
import type { HeldKeys } from "./gestures.client";
import { SpatialViewer } from "./spatial-viewer.client";
import { createMiddleViewpoint, findPinViewpoint, validateViewpoint, type Walkable } from "./walkable";

const DEGREE = Math.PI / 180;
/** Walking speed in metres per second. */
const WALK_SPEED = 2.2;
/** Vertical fields of view, and the minimum horizontal one of a walk on narrow canvases. */
const WALK_FOV = 62 * DEGREE;
const WALK_FOV_ACROSS = 58 * DEGREE;
const ORBIT_FOV = 40 * DEGREE;
/** Nearly parallel rays: rooms keep their proportions, and a little of the walls is visible. */
const PLAN_FOV = 14 * DEGREE;
/** Range of the pitch of an orbit camera around a room, and its maximum around an object, which can be viewed from below. */
const ORBIT_PITCH_MAX = -8 * DEGREE;
const ORBIT_PITCH_MIN = -88 * DEGREE;
const OBJECT_PITCH_MAX = 65 * DEGREE;
/** Range of the zoom in walk mode, as factors. */
const ZOOM_MIN = 0.6;
const ZOOM_MAX = 2.5;
/** Minimum normal.y of a floor. */
const FLOOR_NORMAL_Y = 0.7;
/** Maximum distance of a clicked floor point, in metres. A farther click is probably a mistake. */
const CLICK_REACH = 25;
/** Assumed distance from a visitor inside to what the visitor looks at, in metres. */
const INTEREST_DISTANCE = 2;

/** Viewer of a space of surfaces with the modes walk, orbit and plan. A subclass builds and frees its source. */
export abstract class WalkableViewer extends SpatialViewer {
  modes: SpaceViewer["modes"] = ["walk", "orbit", "plan"];
  private mode: Viewpoint["mode"] = "walk";
  private readonly cursor = createFloorCursor();
  private ceilings: readonly Object3D[] = [];
  private space = new Triangles(new Float32Array());
  private body: Body = { ...BODY, eyeHeight: 1.6 };
  private start: Viewpoint = { position: [0, 1.6, 0], yaw: 0, pitch: 0, mode: "walk" };
  /** Height of the floor at the visitor's position. */
  private feet = 0;
  /** False until the eyes have reached their height above the feet. */
  private areEyesSettled = true;
  /** Whether keys or gestures move the visitor in small steps. The first step begins where the body fits (findWalkingStart). */
  private isWalkingInSteps = false;
  /** Whether the camera flies from, to or within a view from outside. */
  private isFlyingOutside = false;
  walkZoom = 1;
  private orbit: Orbit = { centre: [0, 0, 0], distance: 10 };
  /** Whether the space is an object, viewed from all sides, and not a room, viewed from inside. */
  protected isObject = false;
  /** Start that the viewer detected, also when the owner has set another one. The owner's when nothing was detected. */
  protected detectedStart: Viewpoint = this.start;
  /** Positions of the pins that the first view should show. */
  private pinsToShow: readonly Vec3[] = [];
  /** Viewpoint from which walking starts; null when there is no place to stand. */
  private walkStart: Viewpoint | null = null;
  /** Viewpoint of the visitor before the mode changed to one outside. */
  private lastWalkViewpoint: Viewpoint | null = null;

  /** Loads and builds the source. */
  protected abstract build(source: ViewerSource, signal: AbortSignal): Promise<Walkable>;

  protected async open(source: ViewerSource, signal: AbortSignal): Promise<void> {
    const { triangles, ceilings, eyeHeight, start } = await this.build(source, signal);
    if (triangles.count === 0) throw new ViewerError("load_failed", "The space has no surfaces.");
    this.stage.scene.add(this.cursor);
    this.space = triangles;
    this.ceilings = ceilings;
    this.body = { ...BODY, eyeHeight };
    const validStart = start && validateViewpoint(this.space, start);
    const startsInWalk = validStart?.mode === "walk";
    // With an owner's start, the first view is not shown, but it affects the light, which must not depend on pins.
    if (!validStart) this.pinsToShow = this.overlays.pinPositions;
    // A start in walk mode means that the owner treats the space as a room, so the viewer need not detect what it is.
    const firstView = startsInWalk && !this.dependsOnFirstView() ? null : await this.findFirstView(signal);
    this.isObject = firstView?.isObject ?? false;
    this.start = validStart ?? firstView?.start ?? createMiddleViewpoint(this.space, this.body);
    this.walkStart = startsInWalk || !firstView ? this.start : firstView.walkStart;
    this.detectedStart = firstView?.start ?? this.start;
    this.modes = this.walkStart ? ["walk", "orbit", "plan"] : ["orbit", "plan"];
    this.setViewpoint(this.start);
  }

  /** Whether the appearance of the space depends on its detected first view, even when the owner has set a start inside. */
  protected dependsOnFirstView(): boolean {
    return false;
  }

  /** Pose of the camera at a viewpoint. */
  protected poseAt({ position, yaw, pitch, mode }: Viewpoint): Pose {
    return { position, yaw, pitch, fov: this.computeFov(mode) };
  }

  /** Returns the start of a space whose owner has set none. */
  protected findDefaultStart(): Viewpoint {
    return createMiddleViewpoint(this.space, this.body);
  }

  /** Calls a function with the surfaces of the space and the visitor's body, and returns its result. */
  protected findInSpace<T>(search: (space: Triangles, body: Body) => T): T {
    return search(this.space, this.body);
  }

  /** Detects whether the space is an object or a room, and chooses a start. By default, every space is a room. */
  protected async findFirstView(_signal: AbortSignal): Promise<FirstView> {
    const walkStart = createMiddleViewpoint(this.space, this.body);
    return { isObject: false, start: this.findDefaultStart(), walkStart };
  }

  /** Chooses the first view from candidate positions. @param poses vertices of an animated object in other poses, three numbers each */
  protected chooseFirstView(signal: AbortSignal, poses?: Float32Array): Promise<FirstView> {
    const { space, body, size, pinsToShow: pins } = this;
    const optics = { walkFov: this.computeFov("walk"), orbitFov: ORBIT_FOV, doubleSidedBit: BOTH_SIDES };
    return chooseFirstView({ space, body, size, pins, poses, ...optics, slicer: new TimeSlicer(signal) });
  }

  protected close(): void {
    disposeTree(this.cursor);
    this.ceilings = [];
    this.space = new Triangles(new Float32Array());
  }

  /** Box that the overview shows. */
  protected get extent(): Extent {
    return this.space;
  }

  /** Corners of all surfaces that rays can hit: nine numbers for each triangle. */
  protected get corners(): Float32Array {
    return this.space.corners;
  }

  viewpoint(): Viewpoint {
    const { position, yaw, pitch } = this.pose;
    return { position, yaw, pitch, mode: this.mode };
  }

  async goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void> {
    if (!this.isLoaded) return;
    const pin = "pinId" in target ? this.overlays.findAnchor(target.pinId) : undefined;
    this.pins.setTarget(pin?.id ?? null);
    const viewpoint =
      "pinId" in target ? pin && this.findPinViewpoint(pin) : validateViewpoint(this.space, target);
    // A viewpoint far outside of the space is ignored.
    if (viewpoint && validateViewpoint(this.space, viewpoint)) await this.travel(viewpoint, options);
  }

  setMode(mode: Viewpoint["mode"]): void {
    if (!this.isLoaded || mode === this.mode) return;
    if (mode !== "walk") void this.travel(this.overview(mode));
    else if (this.walkStart) void this.travel(this.lastWalkViewpoint ?? this.walkStart);
  }

  zoomBy(factor: number): void {
    if (!this.isLoaded || !(factor > 0)) return;
    this.takeControl();
    // takeControl cannot stop some flights. They end at their own pose, so the zoom and the orbit must not change now.
    if (this.isFlying) return;
    if (this.mode === "walk") {
      this.walkZoom = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, this.walkZoom * factor));
      this.setPose({ ...this.pose, fov: this.computeFov("walk") });
      return;
    }
    const farthest = 3 * this.orbitFrom(this.overview(this.mode)).distance;
    const newDistance = Math.max(minOrbitDistance(this.mode, this.space), this.orbit.distance / factor);
    this.orbit = { ...this.orbit, distance: Math.min(farthest, newDistance) };
    this.setOrbitPose(this.pose.yaw, this.pose.pitch);
  }

  protected clippingDistances(): { near: number; far: number } {
    const { min, max } = this.space;
    const radius = distance(min, max) / 2;
    const centreDistance = distance(this.pose.position, mix(min, max, 0.5));
    // With a very small near plane, thin walls flicker from a distance. Objects of a few millimetres need a small one.
    const nearest = Math.min(0.05, radius * 0.02);
    // The range includes content that lies slightly outside the space.
    const margin = Math.min(1, radius);
    return {
      near: Math.max(nearest, (centreDistance - radius) * 0.8 - margin * 0.1),
      far: (centreDistance + radius) * 1.2 + margin,
    };
  }

  protected raycastSpace(origin: Vec3, towards: Vec3): SurfaceHit | null {
    const layers = this.mode === "walk" || this.isObject ? ALL_LAYERS : ROOM_LAYER;
    const hit = this.space.raycast(origin, towards, undefined, layers);
    return hit && { position: hit.position, normal: hit.normal };
  }

  protected getPinOcclusionTest(): ((pin: Pin, disc: Vec3) => boolean) | null {
    if (this.mode !== "walk" && !this.isObject) return null;
    const eye = this.pose.position;
    return (_pin, disc) => !isPointVisible(this.space, eye, disc);
  }

  protected drag(dx: number, dy: number): void {
    const { pose, size } = this;
    if (this.mode === "plan") this.slide(dx, dy);
    else if (this.mode === "orbit") {
      const radiansPerPixel = Math.PI / Math.max(300, Math.min(size.width, size.height));
      const pitchMax = this.isObject ? OBJECT_PITCH_MAX : ORBIT_PITCH_MAX;
      const pitch = Math.min(pitchMax, Math.max(ORBIT_PITCH_MIN, pose.pitch - dy * radiansPerPixel));
      this.setOrbitPose(pose.yaw - dx * radiansPerPixel, pitch);
    } else this.turnByDrag(dx, dy);
  }

  protected slide(dx: number, dy: number): void {
    if (this.isFlying) return; // See zoomBy.
    if (this.mode === "walk") return void this.walkBy(dy * 0.01, -dx * 0.01);
    const { pose, size, orbit } = this;
    const metres = (2 * orbit.distance * Math.tan(pose.fov / 2)) / size.height;
    const { ahead, right } = this.horizontalDirections();
    this.orbit = slideOrbit(orbit, add(scale(right, -dx * metres), scale(ahead, dy * metres)), this.space);
    this.setOrbitPose(pose.yaw, pose.pitch);
  }

  protected pinch(factor: number): void {
    if (this.mode !== "walk") this.zoomBy(factor);
    else if (!this.isFlying) this.walkBy(Math.log(factor) * 2.5, 0);
  }

  protected tap(x: number, y: number): void {
    const hit = this.raycastSpace(this.pose.position, computeScreenRay(this.pose, this.size, x, y));
    if (!hit || hit.normal[1] < FLOOR_NORMAL_Y || !this.walkStart) return;
    const eye: Vec3 = [hit.position[0], hit.position[1] + this.body.eyeHeight, hit.position[2]];
    const standingPosition = findNearestStandingPosition(this.space, this.body, eye, 0.8);
    if (this.mode === "walk") {
      if (distance(this.pose.position, hit.position) <= CLICK_REACH) this.walkTo(standingPosition ?? eye);
    } else if (standingPosition)
      void this.travel({ position: standingPosition, yaw: this.pose.yaw, pitch: 0, mode: "walk" });
  }

  protected hover(point: { x: number; y: number } | null): void {
    const { cursor, pose } = this;
    const wasVisible = cursor.visible;
    const canWalk = point && this.mode === "walk" && !this.isFlying;
    const hit = canWalk
      ? this.raycastSpace(pose.position, computeScreenRay(pose, this.size, point.x, point.y))
      : null;
    const isFloor =
      hit !== null && hit.normal[1] >= FLOOR_NORMAL_Y && distance(hit.position, pose.position) < CLICK_REACH;
    showFloorCursor(cursor, isFloor ? hit : null);
    if (wasVisible || cursor.visible) this.stage.invalidate();
  }

  protected eyeHeight(): number {
    return this.body.eyeHeight;
  }

  protected moveTowards(from: Vec3, towards: Vec3): void {
    const hit = this.raycastSpace(from, towards);
    if (!hit || hit.normal[1] < FLOOR_NORMAL_Y) return;
    const eye = add(hit.position, [0, this.body.eyeHeight, 0]);
    const position = findNearestStandingPosition(this.space, this.body, eye, 0.8);
    if (position) this.setViewpoint({ ...this.viewpoint(), position, mode: "walk" });
  }

  override async capturePlanImage(): Promise<PlanImage | null> {
    if (!this.isLoaded) return null;
    const { drawPlanImage } = await import("./plan-image.client");
    const wereVisible = this.ceilings.map(({ visible }) => visible);
    const prepareWithoutCeilings = (camera: Camera) => {
      for (const ceiling of this.ceilings) ceiling.visible = false;
      return this.prepareCapture(camera);
    };
    const floor = findFloorBelow(this.space, this.start.position) ?? this.space.min[1];
    const plan = await drawPlanImage(this.stage, this.space, floor, prepareWithoutCeilings);
    this.ceilings.forEach((ceiling, index) => {
      ceiling.visible = wereVisible[index] ?? true;
    });
    await this.prepareCapture(this.stage.camera);
    this.stage.invalidate();
    return plan;
  }

  protected goToStart(): void {
    void this.travel(this.start);
  }

  protected step(keys: HeldKeys, elapsed: number): boolean {
    const scaledSeconds = (keys.fast ? 2 : 1) * (elapsed / 1000);
    if (this.mode === "walk") {
      const hasTurned = this.turnByKeys(keys, elapsed);
      const isKeyHeld = keys.forward !== 0 || keys.aside !== 0;
      if (isKeyHeld) {
        // Diagonal walking is not faster.
        const metres = (WALK_SPEED * scaledSeconds) / Math.hypot(keys.forward, keys.aside);
        this.walkBy(keys.forward * metres, keys.aside * metres);
      } else this.isWalkingInSteps = false;
      return this.settleEyes(elapsed) || hasTurned || isKeyHeld;
    }
    // From outside, the keys act like a drag of 500 pixels per second.
    const [aside, ahead] = [keys.aside - keys.turn, keys.forward + keys.tilt];
    if (aside === 0 && ahead === 0) return false;
    this.drag(-aside * 500 * scaledSeconds, ahead * 500 * scaledSeconds);
    return true;
  }

  protected resized(): void {
    this.setPose({ ...this.pose, fov: this.computeFov(this.mode) });
  }

  protected override takeControl(): void {
    // A flight from, to or within a view from outside cannot be stopped halfway.
    if (this.isFlyingOutside) return;
    const wasFlying = this.isFlying;
    super.takeControl();
    if (!wasFlying || this.mode !== "walk") return;
    this.feet = this.findGround(this.viewpoint());
    this.areEyesSettled = false;
    this.stage.invalidate();
  }

  private horizontalDirections(): { ahead: Vec3; right: Vec3 } {
    return { ahead: direction(this.pose.yaw, 0), right: direction(this.pose.yaw - Math.PI / 2, 0) };
  }

  private walkBy(forward: number, aside: number): void {
    const { pose, space, body } = this;
    const { ahead, right } = this.horizontalDirections();
    let from = pose.position;
    if (!this.isWalkingInSteps) {
      this.isWalkingInSteps = true;
      const start = findWalkingStart(space, body, pose.position, this.feet);
      from = start.position;
      this.feet = start.feet;
    }
    const dx = ahead[0] * forward + right[0] * aside;
    const dz = ahead[2] * forward + right[2] * aside;
    const { eye, feet } = walk(space, body, from, this.feet, dx, dz);
    this.feet = feet;
    this.areEyesSettled = false;
    this.cursor.visible = false;
    this.setPose({ ...pose, position: [eye[0], from[1], eye[2]] });
  }

  /** Moves the eyes smoothly to their height above the feet. Returns whether the movement continues. */
  private settleEyes(elapsed: number): boolean {
    if (this.areEyesSettled) return false;
    const [x, y, z] = this.pose.position;
    const gap = this.feet + this.body.eyeHeight - y;
    this.areEyesSettled = Math.abs(gap) < 0.002;
    if (!this.areEyesSettled)
      this.setPose({ ...this.pose, position: [x, y + gap * (1 - Math.exp(-elapsed / 90)), z] });
    return !this.areEyesSettled;
  }

  /** Walks to a clicked position: around obstacles, or as close as possible. */
  private walkTo(eye: Vec3): void {
    const { pose, space, body } = this;
    const route = findPath(space, body, pose.position, this.feet, eye);
    const [dx, , dz] = subtract(eye, pose.position);
    const goal = route ? eye : walk(space, body, pose.position, this.feet, dx, dz).eye;
    this.cursor.visible = false;
    this.feet = goal[1] - body.eyeHeight;
    const to = { ...pose, position: goal };
    void this.moveTo(to, {}, createFlight(pose, to, route ?? undefined, false));
  }

  /** Moves to a viewpoint: inside on a route or a free line of sight, or else with a fade; from, to or within a view from outside by a flight. */
  protected async travel(to: Viewpoint, options?: GoToOptions): Promise<void> {
    const previousMode = this.mode;
    const feetBefore = this.feet;
    const reach = previousMode === "walk" ? INTEREST_DISTANCE : this.orbit.distance;
    const pose = this.poseAt(to);
    if (previousMode === "walk" && to.mode !== "walk" && !this.isFlyingOutside)
      this.lastWalkViewpoint = this.viewpoint();
    this.cursor.visible = false;
    this.isWalkingInSteps = false;
    this.areEyesSettled = true;
    if (to.mode === "walk") this.feet = this.findGround(to);
    else this.orbit = this.orbitFrom(to);
    if (previousMode === "walk" && to.mode === "walk" && !this.isFlyingOutside) {
      const route = findPath(this.space, this.body, this.pose.position, feetBefore, to.position);
      if (route || isPointVisible(this.space, this.pose.position, to.position))
        await this.moveTo(pose, options, createFlight(this.pose, pose, route ?? undefined));
      else await this.fadeTo(pose, options);
      return;
    }
    if (previousMode !== to.mode) {
      this.mode = to.mode;
      this.pins.collapse();
      this.emitter.emit("mode", to.mode);
    }
    // The ceilings are shown again when the visitor is below them.
    if (!this.isObject) for (const ceiling of this.ceilings) ceiling.visible = false;
    this.isFlyingOutside = true;
    const newReach = to.mode === "walk" ? INTEREST_DISTANCE : this.orbit.distance;
    await this.moveTo(pose, options, createOrbitFlight(this.pose, reach, pose, newReach));
    if (this.isFlying) return;
    this.isFlyingOutside = false;
    this.showCeilings();
  }

  private showCeilings(): void {
    // The roof of an object is hidden in the plan only.
    const areVisible = this.mode === "walk" || (this.isObject && this.mode === "orbit");
    for (const ceiling of this.ceilings) ceiling.visible = areVisible;
    this.stage.invalidate();
  }

  /** Moves to a viewpoint at once. */
  private setViewpoint(viewpoint: Viewpoint): void {
    const { position, yaw, pitch, mode } = viewpoint;
    const isNewMode = this.isLoaded && mode !== this.mode;
    this.mode = mode;
    this.feet = this.findGround(viewpoint);
    if (mode !== "walk") this.orbit = this.orbitFrom(viewpoint);
    this.showCeilings();
    this.setPose({ position, yaw, pitch, fov: this.computeFov(mode) });
    if (isNewMode) this.emitter.emit("mode", mode);
  }

  private findGround({ position }: Viewpoint): number {
    return findFloorBelow(this.space, position) ?? position[1] - this.body.eyeHeight;
  }

  protected computeFov(mode: Viewpoint["mode"]): number {
    if (mode === "orbit") return ORBIT_FOV;
    if (mode === "plan") return PLAN_FOV;
    const fov = computeFieldOfView(this.size, WALK_FOV, WALK_FOV_ACROSS);
    return 2 * Math.atan(Math.tan(fov / 2) / this.walkZoom);
  }

  private orbitFrom(viewpoint: Viewpoint): Orbit {
    return computeOrbit(viewpoint, this.space, this.isObject ? "middle" : "floor");
  }

  protected overview(mode: "orbit" | "plan"): Viewpoint {
    if (this.isObject && mode === "orbit" && this.start.mode === "orbit") return this.start;
    return computeOverview(mode, this.extent, this.size, this.computeFov(mode), this.pose.yaw);
  }

  private findPinViewpoint(pin: Pin): Viewpoint {
    const { space, body, pose, mode, isObject } = this;
    const outline = this.overlays.findOutline(pin.id);
    const fov = this.computeFov("walk");
    return findPinViewpoint(pin, {
      space,
      body,
      pose,
      mode,
      isObject,
      canWalk: this.walkStart !== null,
      disc: outline?.middle ?? add(pin.position, pin.stem),
      object: outline && {
        points: outline.points,
        coverage: (viewingPose) => measureScreenCoverage(outline.points, { ...viewingPose, fov }, this.size),
      },
      overview: () => this.overview("orbit"),
    });
  }

  private setOrbitPose(yaw: number, pitch: number): void {
    const position = computeOrbitPosition(this.orbit, yaw, pitch);
    this.setPose({ position, yaw, pitch, fov: this.computeFov(this.mode) });
  }
}
