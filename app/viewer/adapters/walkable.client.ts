import { type Camera, Mesh, MeshBasicMaterial, type Object3D, RingGeometry } from "three";
import { clampPitch, direction, lookAt } from "../core/angles";
import {
  type GoToOptions,
  type Pin,
  type PlanImage,
  type SpaceViewer,
  type SurfaceHit,
  type Vec3,
  ViewerError,
  type ViewerSource,
  type Viewpoint,
} from "../core/contract";
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
import { findPath } from "../core/path";
import { computeFieldOfView, computeScreenRay } from "../core/projection";
import { measureScreenCoverage } from "../core/screen-coverage";
import { TimeSlicer } from "../core/time-slicer";
import { Triangles } from "../core/triangles";
import { add, distance, isFinitePoint, mix, scale, subtract } from "../core/vec";
import { findViewingPose, isPointVisible, measureVisibility, type ViewingPose } from "../core/viewing-pose";
import {
  BODY,
  type Body,
  findFloorBelow,
  findNearestStandingPosition,
  findStandingFloor,
  walk,
} from "../core/walker";
import { chooseFirstView, type FirstView } from "../model/first-view";
import { freeTree } from "./free.client";
import type { HeldKeys } from "./gestures.client";
import { ALL_LAYERS, BOTH_SIDES, ROOM_LAYER } from "./model-content.client";
import { SpatialViewer } from "./spatial.client";

const DEGREE = Math.PI / 180;
/** Metres a second. */
const WALK_SPEED = 2.2;
const WALK_FOV = 62 * DEGREE;
const WALK_FOV_ACROSS = 58 * DEGREE;
const ORBIT_FOV = 40 * DEGREE;
/** Nearly parallel rays: rooms keep their proportions, yet walls show a little of their faces. */
const PLAN_FOV = 14 * DEGREE;
const ORBIT_LOWEST = -8 * DEGREE;
const ORBIT_HIGHEST = -88 * DEGREE;
const ZOOM_MIN = 0.6;
const ZOOM_MAX = 2.5;
/** Floors are at least this flat. */
const FLOOR = 0.7;
/** Metres: farther away a click is a slip. */
const CLICK_REACH = 25;
/** Someone who is told to stand farther outside than this was sent by a broken link. */
const OUTSIDE = 3;
/** Metres ahead: what someone inside looks at. */
const INTEREST = 2;
/** A pin that is this near and seen can be read from here. */
const READING = 3.5;

/** The same for an object, which can be viewed from below. */
const OBJECT_LOWEST = 65 * DEGREE;
/** Distance of the camera from an open pin of an object, as a share of the object's size. */
const OBJECT_READING = 0.9;

/** What a space that can be walked through is made of. */
export interface Walkable {
  /** What rays meet and what carries and stops a visitor. */
  readonly triangles: Triangles;
  /** What is taken off to look in from above. */
  readonly ceilings: readonly Object3D[];
  readonly eyeHeight: number;
  /** Null lets the viewer choose. */
  readonly start: Viewpoint | null;
}

/** A space of surfaces that one walks through, sees as a whole, or from above. A source says how it is built and freed. */
export abstract class WalkableViewer extends SpatialViewer {
  modes: SpaceViewer["modes"] = ["walk", "orbit", "plan"];
  private mode: Viewpoint["mode"] = "walk";
  private readonly cursor = makeCursor();
  private ceilings: readonly Object3D[] = [];
  private space = new Triangles(new Float32Array());
  private body: Body = { ...BODY, eyeHeight: 1.6 };
  private start: Viewpoint = { position: [0, 1.6, 0], yaw: 0, pitch: 0, mode: "walk" };
  /** The floor's height where the visitor stands. */
  private feet = 0;
  /** False while the eyes have not reached their height above the feet. */
  private settled = true;
  private walking = false;
  /** On the way between inside and outside. */
  private changing = false;
  private zoom = 1;
  private orbit: Orbit = { centre: [0, 0, 0], distance: 10 };
  /** Whether the space is an object, viewed from all sides, and not a room, viewed from inside. */
  protected isObject = false;
  /** Viewpoint from which walking starts; null when there is no place to stand. */
  private stand: Viewpoint | null = null;
  /** Where the visitor stood before looking from outside. */
  private inside: Viewpoint | null = null;

  /** Fetches and builds the source. */
  protected abstract build(source: ViewerSource, signal: AbortSignal): Promise<Walkable>;

  protected async open(source: ViewerSource, signal: AbortSignal): Promise<void> {
    const { triangles, ceilings, eyeHeight, start } = await this.build(source, signal);
    if (triangles.count === 0) throw new ViewerError("load_failed", "The space has no surfaces.");
    this.stage.scene.add(this.cursor);
    this.space = triangles;
    this.ceilings = ceilings;
    this.body = { ...BODY, eyeHeight };
    const trusted = start && this.trusted(start);
    // A start in walk mode means that the owner treats the space as a room, so no detection is needed.
    const first = trusted?.mode === "walk" ? null : await this.firstView(signal);
    this.isObject = first?.isObject ?? false;
    this.start = trusted ?? first?.start ?? this.middle();
    this.stand = first ? first.stand : this.start;
    this.modes = this.stand ? ["walk", "orbit", "plan"] : ["orbit", "plan"];
    this.arrive(this.start);
  }

  /** Where to begin in a space whose owner has not said it. */
  protected usualStart(): Viewpoint {
    return this.middle();
  }

  /** Calls a function that finds a place inside the space from its surfaces and the visitor's body. */
  protected standInside<T>(find: (space: Triangles, body: Body) => T): T {
    return find(this.space, this.body);
  }

  /** Detects whether the space is an object or a room, and chooses a start when the owner has not set one inside. */
  protected async firstView(_signal: AbortSignal): Promise<FirstView> {
    return { isObject: false, start: this.usualStart(), stand: this.middle() };
  }

  /**
   * Determines the first view by testing what would be visible from candidate places.
   * @param poses positions of an animated object's vertices in other poses, three numbers each
   */
  protected tryViews(signal: AbortSignal, poses?: Float32Array): Promise<FirstView> {
    const { space, body, size } = this;
    const fovs = { walkFov: this.fovOf("walk"), orbitFov: ORBIT_FOV };
    const breath = new TimeSlicer(signal);
    return chooseFirstView({ space, body, size, ...fovs, breath, bothSides: BOTH_SIDES, poses });
  }

  protected close(): void {
    freeTree(this.cursor);
    this.ceilings = [];
    this.space = new Triangles(new Float32Array());
  }

  /** Box that the overview shows. */
  protected get extent(): Extent {
    return this.space;
  }

  /** The corners of everything that rays meet: nine numbers a triangle. */
  protected get corners(): Float32Array {
    return this.space.corners;
  }

  viewpoint(): Viewpoint {
    const { position, yaw, pitch } = this.pose;
    return { position, yaw, pitch, mode: this.mode };
  }

  async goTo(target: Viewpoint | { readonly pinId: string }, options?: GoToOptions): Promise<void> {
    if (!this.isLoaded) return;
    const pin = "pinId" in target ? this.fittings.anchor(target.pinId) : undefined;
    this.pins.seek(pin?.id ?? null);
    const viewpoint = "pinId" in target ? pin && this.before(pin) : this.trusted(target);
    // What is far outside of the space cannot be gone to.
    if (viewpoint && this.trusted(viewpoint)) await this.travel(viewpoint, options);
  }

  setMode(mode: Viewpoint["mode"]): void {
    if (!this.isLoaded || mode === this.mode) return;
    if (mode !== "walk") void this.travel(this.overview(mode));
    else if (this.stand) void this.travel(this.inside ?? this.stand);
  }

  zoomBy(factor: number): void {
    if (!this.isLoaded || !(factor > 0)) return;
    this.grab();
    if (this.mode === "walk") {
      this.zoom = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, this.zoom * factor));
      this.setPose({ ...this.pose, fov: this.fovOf("walk") });
      return;
    }
    const farthest = 3 * this.orbitFrom(this.overview(this.mode)).distance;
    const nearest = minOrbitDistance(this.mode, this.space);
    const away = Math.min(farthest, Math.max(nearest, this.orbit.distance / factor));
    this.orbit = { ...this.orbit, distance: away };
    this.turnAbout(this.pose.yaw, this.pose.pitch);
  }

  protected range(): { near: number; far: number } {
    const { min, max } = this.space;
    const radius = distance(min, max) / 2;
    const away = distance(this.pose.position, mix(min, max, 0.5));
    // Thin walls flicker when the near plane of a far camera is near. Objects of a few millimetres need a near plane as close.
    const nearest = Math.min(0.05, radius * 0.02);
    // The range includes content that lies slightly outside the space.
    const beyond = Math.min(1, radius);
    return {
      near: Math.max(nearest, (away - radius) * 0.8 - beyond * 0.1),
      far: (away + radius) * 1.2 + beyond,
    };
  }

  protected meet(origin: Vec3, towards: Vec3): SurfaceHit | null {
    const layers = this.mode === "walk" || this.isObject ? ALL_LAYERS : ROOM_LAYER;
    const hit = this.space.raycast(origin, towards, undefined, layers);
    return hit && { position: hit.position, normal: hit.normal };
  }

  protected hiding(): ((pin: Pin, disc: Vec3) => boolean) | null {
    if (this.mode !== "walk" && !this.isObject) return null;
    const eye = this.pose.position;
    return (_pin, disc) => !isPointVisible(this.space, eye, disc);
  }

  protected drag(dx: number, dy: number): void {
    const { pose, size } = this;
    if (this.mode === "plan") this.slide(dx, dy);
    else if (this.mode === "orbit") {
      const turn = Math.PI / Math.max(300, Math.min(size.width, size.height));
      const lowest = this.isObject ? OBJECT_LOWEST : ORBIT_LOWEST;
      const pitch = Math.min(lowest, Math.max(ORBIT_HIGHEST, pose.pitch - dy * turn));
      this.turnAbout(pose.yaw - dx * turn, pitch);
    } else this.look(dx, dy);
  }

  protected slide(dx: number, dy: number): void {
    if (this.mode === "walk") {
      this.walkBy(dy * 0.01, -dx * 0.01);
      return;
    }
    const { pose, size, orbit } = this;
    const metres = (2 * orbit.distance * Math.tan(pose.fov / 2)) / size.height;
    const { ahead, right } = this.ways();
    this.orbit = slideOrbit(orbit, add(scale(right, -dx * metres), scale(ahead, dy * metres)), this.space);
    this.turnAbout(pose.yaw, pose.pitch);
  }

  protected pinch(factor: number): void {
    if (this.mode === "walk") this.walkBy(Math.log(factor) * 2.5, 0);
    else this.zoomBy(factor);
  }

  protected tap(x: number, y: number): void {
    const hit = this.meet(this.pose.position, computeScreenRay(this.pose, this.size, x, y));
    if (!hit || hit.normal[1] < FLOOR || !this.stand) return;
    const eye: Vec3 = [hit.position[0], hit.position[1] + this.body.eyeHeight, hit.position[2]];
    const stand = findNearestStandingPosition(this.space, this.body, eye, 0.8);
    if (this.mode === "walk") {
      if (distance(this.pose.position, hit.position) <= CLICK_REACH) this.walkTo(stand ?? eye);
    } else if (stand) void this.travel({ position: stand, yaw: this.pose.yaw, pitch: 0, mode: "walk" });
  }

  protected hover(point: { x: number; y: number } | null): void {
    const { cursor, pose } = this;
    const before = cursor.visible;
    const looking = point && this.mode === "walk" && !this.isFlying;
    const hit = looking
      ? this.meet(pose.position, computeScreenRay(pose, this.size, point.x, point.y))
      : null;
    cursor.visible =
      hit !== null && hit.normal[1] >= FLOOR && distance(hit.position, pose.position) < CLICK_REACH;
    if (hit && cursor.visible) {
      const [x, y, z] = add(hit.position, scale(hit.normal, 0.01));
      cursor.position.set(x, y, z);
      cursor.lookAt(x + hit.normal[0], y + hit.normal[1], z + hit.normal[2]);
      cursor.updateMatrixWorld();
    }
    if (before || cursor.visible) this.stage.invalidate();
  }

  protected eyeHeight(): number {
    return this.body.eyeHeight;
  }

  protected stride(from: Vec3, towards: Vec3): void {
    const hit = this.meet(from, towards);
    if (!hit || hit.normal[1] < FLOOR) return;
    const eye = add(hit.position, [0, this.body.eyeHeight, 0]);
    const position = findNearestStandingPosition(this.space, this.body, eye, 0.8);
    if (position) this.arrive({ ...this.viewpoint(), position, mode: "walk" });
  }

  override async capturePlanImage(): Promise<PlanImage | null> {
    if (!this.isLoaded) return null;
    const { takePlan } = await import("./plan-picture.client");
    const before = this.ceilings.map(({ visible }) => visible);
    const off = (camera: Camera) => {
      for (const ceiling of this.ceilings) ceiling.visible = false;
      return this.arrange(camera);
    };
    const floor = findFloorBelow(this.space, this.start.position) ?? this.space.min[1];
    const plan = await takePlan(this.stage, this.space, floor, off);
    this.ceilings.forEach((ceiling, index) => {
      ceiling.visible = before[index] ?? true;
    });
    await this.arrange(this.stage.camera);
    this.stage.invalidate();
    return plan;
  }

  protected goHome(): void {
    void this.travel(this.start);
  }

  protected step(keys: HeldKeys, elapsed: number): boolean {
    const hurry = (keys.fast ? 2 : 1) * (elapsed / 1000);
    if (this.mode === "walk") {
      const turned = this.turnByKeys(keys, elapsed);
      const wanted = keys.forward !== 0 || keys.aside !== 0;
      if (wanted) {
        // Not faster on the diagonal.
        const share = (WALK_SPEED * hurry) / Math.hypot(keys.forward, keys.aside);
        this.walkBy(keys.forward * share, keys.aside * share);
      } else this.walking = false;
      return this.settle(elapsed) || turned || wanted;
    }
    const [aside, ahead] = [keys.aside - keys.turn, keys.forward + keys.tilt];
    if (aside === 0 && ahead === 0) return false;
    this.drag(-aside * 500 * hurry, ahead * 500 * hurry);
    return true;
  }

  protected resized(): void {
    this.setPose({ ...this.pose, fov: this.fovOf(this.mode) });
  }

  protected override grab(): void {
    // Half-way between inside and outside is no place to be left at.
    if (this.changing) return;
    const flying = this.isFlying;
    super.grab();
    if (!flying || this.mode !== "walk") return;
    this.feet = this.groundOf(this.viewpoint());
    this.settled = false;
    this.stage.invalidate();
  }

  /** The horizontal directions of the look. */
  private ways(): { ahead: Vec3; right: Vec3 } {
    return { ahead: direction(this.pose.yaw, 0), right: direction(this.pose.yaw - Math.PI / 2, 0) };
  }

  private walkBy(forward: number, aside: number): void {
    const { pose, space, body } = this;
    const { ahead, right } = this.ways();
    let from = pose.position;
    if (!this.walking) {
      this.walking = true;
      // An owner's viewpoint may be nearer to a wall than a body is wide.
      if (findStandingFloor(space, body, from[0], this.feet, from[2]) === null) {
        const stand = findNearestStandingPosition(
          space,
          body,
          [from[0], this.feet + body.eyeHeight, from[2]],
          1,
        );
        if (stand) {
          from = [stand[0], from[1], stand[2]];
          this.feet = stand[1] - body.eyeHeight;
        }
      }
    }
    const dx = ahead[0] * forward + right[0] * aside;
    const dz = ahead[2] * forward + right[2] * aside;
    const { eye, feet } = walk(space, body, from, this.feet, dx, dz);
    this.feet = feet;
    this.settled = false;
    this.cursor.visible = false;
    this.setPose({ ...pose, position: [eye[0], from[1], eye[2]] });
  }

  /** Climbs and descends smoothly to where the feet are. Answers whether there is some way left. */
  private settle(elapsed: number): boolean {
    if (this.settled) return false;
    const [x, y, z] = this.pose.position;
    const gap = this.feet + this.body.eyeHeight - y;
    this.settled = Math.abs(gap) < 0.002;
    if (!this.settled)
      this.setPose({ ...this.pose, position: [x, y + gap * (1 - Math.exp(-elapsed / 90)), z] });
    return !this.settled;
  }

  /** On foot to a place that was clicked: around what is between, or as far as one comes. */
  private walkTo(eye: Vec3): void {
    const { pose, space, body } = this;
    const way = findPath(space, body, pose.position, this.feet, eye);
    const [dx, , dz] = subtract(eye, pose.position);
    const goal = way ? eye : walk(space, body, pose.position, this.feet, dx, dz).eye;
    this.cursor.visible = false;
    this.feet = goal[1] - body.eyeHeight;
    const to = { ...pose, position: goal };
    void this.moveTo(to, {}, createFlight(pose, to, way ?? undefined, false));
  }

  /** Goes to a viewpoint: on foot where there is a way, through the air to and from outside, by a fade otherwise. */
  private async travel(to: Viewpoint, options?: GoToOptions): Promise<void> {
    const from = this.mode;
    const feetBefore = this.feet;
    const reach = from === "walk" ? INTEREST : this.orbit.distance;
    const pose: Pose = { position: to.position, yaw: to.yaw, pitch: to.pitch, fov: this.fovOf(to.mode) };
    if (from === "walk" && to.mode !== "walk" && !this.changing) this.inside = this.viewpoint();
    this.cursor.visible = false;
    this.walking = false;
    this.settled = true;
    if (to.mode === "walk") this.feet = this.groundOf(to);
    else this.orbit = this.orbitFrom(to);
    if (from === "walk" && to.mode === "walk" && !this.changing) {
      const way = findPath(this.space, this.body, this.pose.position, feetBefore, to.position);
      if (way || isPointVisible(this.space, this.pose.position, to.position))
        await this.moveTo(pose, options, createFlight(this.pose, pose, way ?? undefined));
      else await this.fadeTo(pose, options);
      return;
    }
    if (from !== to.mode) {
      this.mode = to.mode;
      this.pins.fold();
      this.emitter.emit("mode", to.mode);
    }
    // They come back when the visitor is below them.
    if (!this.isObject) for (const ceiling of this.ceilings) ceiling.visible = false;
    this.changing = true;
    const flight = createOrbitFlight(
      this.pose,
      reach,
      pose,
      to.mode === "walk" ? INTEREST : this.orbit.distance,
    );
    await this.moveTo(pose, options, flight);
    if (this.isFlying) return;
    this.changing = false;
    this.showCeilings();
  }

  private showCeilings(): void {
    // The roof of an object is hidden in the plan only.
    const isOn = this.mode === "walk" || (this.isObject && this.mode === "orbit");
    for (const ceiling of this.ceilings) ceiling.visible = isOn;
    this.stage.invalidate();
  }

  /** Stands at a viewpoint at once. */
  private arrive(viewpoint: Viewpoint): void {
    const { position, yaw, pitch, mode } = viewpoint;
    this.mode = mode;
    this.feet = this.groundOf(viewpoint);
    if (mode !== "walk") this.orbit = this.orbitFrom(viewpoint);
    this.showCeilings();
    this.setPose({ position, yaw, pitch, fov: this.fovOf(mode) });
  }

  private groundOf({ position }: Viewpoint): number {
    return findFloorBelow(this.space, position) ?? position[1] - this.body.eyeHeight;
  }

  protected fovOf(mode: Viewpoint["mode"]): number {
    if (mode === "orbit") return ORBIT_FOV;
    if (mode === "plan") return PLAN_FOV;
    return 2 * Math.atan(Math.tan(computeFieldOfView(this.size, WALK_FOV, WALK_FOV_ACROSS) / 2) / this.zoom);
  }

  /** A viewpoint that someone could be at, or null. */
  private trusted({ position, yaw, pitch, mode }: Viewpoint): Viewpoint | null {
    if (!isFinitePoint(position) || !Number.isFinite(yaw) || !Number.isFinite(pitch)) return null;
    const { min, max } = this.space;
    const reach = mode === "walk" ? OUTSIDE : 50 * distance(min, max);
    const outside = position.some(
      (value, axis) => value < (min[axis] ?? 0) - reach || value > (max[axis] ?? 0) + reach,
    );
    return outside ? null : { position, yaw, pitch: clampPitch(pitch), mode };
  }

  /** Where to begin in a model whose start is nowhere. */
  private middle(): Viewpoint {
    const middle = mix(this.space.min, this.space.max, 0.5);
    return {
      position: findNearestStandingPosition(this.space, this.body, middle, 5) ?? middle,
      yaw: 0,
      pitch: 0,
      mode: "walk",
    };
  }

  private orbitFrom(viewpoint: Viewpoint): Orbit {
    return computeOrbit(viewpoint, this.space, this.isObject ? "middle" : "floor");
  }

  protected overview(mode: "orbit" | "plan"): Viewpoint {
    if (this.isObject && mode === "orbit" && this.start.mode === "orbit") return this.start;
    return computeOverview(mode, this.extent, this.size, this.fovOf(mode), this.pose.yaw);
  }

  /** Where to be to see a pin: as its owner said, from here if it can be read from here, in front of it, or from outside. */
  private before(pin: Pin): Viewpoint {
    const trusted = pin.viewpoint && this.trusted(pin.viewpoint);
    if (trusted) return trusted;
    const { space, body, pose } = this;
    const outline = this.fittings.outline(pin.id);
    const fov = this.fovOf("walk");
    const whole = outline && {
      points: outline.points,
      coverage: (stand: ViewingPose) => measureScreenCoverage(outline.points, { ...stand, fov }, this.size),
    };
    const disc = outline?.middle ?? add(pin.position, pin.stem);
    const eye = pose.position;
    const here = { position: eye, ...lookAt(eye, disc, pose.yaw) };
    if (this.mode === "walk" && (whole ? measureVisibility(space, whole, here) >= 1 : true))
      if (distance(eye, disc) < READING && isPointVisible(space, eye, disc)) return { ...here, mode: "walk" };
    // The way out of the surface that it hangs on, from what is looked at of it.
    const stand =
      this.stand && findViewingPose(space, body, subtract(disc, pin.stem), pin.stem, eye, whole ?? undefined);
    if (stand) return { ...stand, mode: "walk" };
    const away = Math.min(6, distance(space.min, space.max) * OBJECT_READING);
    // An object is viewed from the side on which the pin is placed.
    const { yaw, pitch } = this.isObject ? lookAt(pin.stem, [0, 0, 0], pose.yaw) : this.overview("orbit");
    return {
      position: computeOrbitPosition({ centre: disc, distance: away }, yaw, pitch),
      yaw,
      pitch,
      mode: "orbit",
    };
  }

  private turnAbout(yaw: number, pitch: number): void {
    const position = computeOrbitPosition(this.orbit, yaw, pitch);
    this.setPose({ position, yaw, pitch, fov: this.fovOf(this.mode) });
  }
}

/** The ring on the floor under the mouse: where a click leads. */
function makeCursor(): Mesh {
  const material = new MeshBasicMaterial({
    color: 0xffffff,
    transparent: true,
    opacity: 0.85,
    depthWrite: false,
    toneMapped: false,
  });
  const cursor = new Mesh(new RingGeometry(0.17, 0.22, 48), material);
  cursor.visible = false;
  // Splats are drawn without depth, in the order in which they are told.
  cursor.renderOrder = 1;
  return cursor;
}
