import { BufferAttribute, BufferGeometry, Group } from "three";
import { direction } from "../core/angles";
import type { PlacedMediaItem, SurfaceHit, Vec3 } from "../core/contract";
import type { Pose } from "../core/flight";
import { clampAspect, estimateScreenPixels, type MediaPlane, placeMedia } from "../core/media-plane";
import type { Size } from "../core/projection";
import { choosePlayingMedia, computeVolume } from "../core/spatial-audio";
import { chooseTextureSides, imagePixelBudget } from "../core/texture-budget";
import { dot, subtract } from "../core/vec";
import { isSmallDevice } from "./device.client";
import { Film, Listener } from "./film.client";
import { freeTree } from "./free.client";
import { type HangingSurroundings, Hung } from "./hung.client";
import type { HungObject } from "./hung-object.client";
import { fetchPicture } from "./hung-picture.client";
import type { Stage } from "./stage.client";

/** Pictures on their way at a time. */
const LOADS = 3;
/** Films and sounds that run at a time. */
const PLAYERS = 4;
const PLAYERS_SMALL = 2;
/** Nearer than this on the screen, a model that stands somewhere is fetched. */
const MODEL_ACROSS = 40;
/** Metres beyond a picture at which a ray still counts as meeting it: it hangs a little off its surface. */
const BEHIND = 0.06;

/** Everything that hangs in a space as a surface of its own: pictures, films, sounds and models. */
export class HangingLayer {
  private readonly stage: Stage;
  private readonly around: HangingSurroundings;
  private readonly root = new Group();
  private readonly square = makeSquare();
  private readonly listener: Listener;
  private readonly ended = new AbortController();
  private readonly arrived: (() => void)[] = [];
  private entries: Hung[] = [];
  private playing: boolean;
  /** Whether models move. */
  private moving: boolean;
  private loads = 0;
  private seen: { pose: Pose; size: Size } | null = null;
  private dirty = true;

  constructor(stage: Stage, around: HangingSurroundings) {
    this.stage = stage;
    this.around = around;
    // What moves by itself does not, for whom that is asked.
    this.playing = !around.reducedMotion();
    this.moving = this.playing;
    this.listener = new Listener(() => this.changed());
    stage.scene.add(this.root);
  }

  /**
   * Replaces all of them; what stays keeps its picture, and a film its place.
   * @param pinned those that have a pin: a sound is nothing to be seen besides it.
   */
  set(media: readonly PlacedMediaItem[], pinned: ReadonlySet<string>): void {
    const before = new Map(this.entries.map((entry) => [entry.medium.id, entry]));
    const seen = new Set<string>();
    this.entries = [];
    for (const medium of media) {
      if (seen.has(medium.id)) continue;
      seen.add(medium.id);
      const order = this.entries.length;
      const known = before.get(medium.id);
      const isSame = known && known.medium.url === medium.url && known.medium.imageUrl === medium.imageUrl;
      const aspect = medium.aspect ?? (isSame ? known.aspect : null);
      const frame = placeMedia(medium.placement, aspect, order);
      if (!frame) continue;
      const entry = isSame ? known : new Hung(medium, frame, this.square, this.around);
      if (isSame) before.delete(medium.id);
      else this.root.add(entry.object);
      Object.assign(entry, { medium, aspect });
      entry.put(frame);
      entry.unseen = medium.kind === "audio" && pinned.has(medium.id);
      this.entries.push(entry);
    }
    const stopped = [...before.values()].some(({ standing }) => standing?.motion);
    for (const entry of before.values()) this.free(entry);
    this.changed();
    if (stopped) this.around.choicesChanged();
  }

  find(id: string): Hung | undefined {
    return this.entries.find(({ medium }) => medium.id === id);
  }

  /** Shows one at another place until the next set(). */
  move(id: string, { position, normal }: SurfaceHit): void {
    const order = this.entries.findIndex(({ medium }) => medium.id === id);
    const entry = this.entries[order];
    if (!entry) return;
    const frame = placeMedia({ ...entry.medium.placement, position, normal }, entry.aspect, order);
    if (frame) entry.put(frame);
    this.changed();
  }

  /** The nearest that a ray meets, not farther than what the space itself has there. @param direction unit length. */
  meet(origin: Vec3, towards: Vec3, farthest: number): { id: string; hit: SurfaceHit } | null {
    let best: { id: string; hit: SurfaceHit } | null = null;
    let nearest = farthest + BEHIND + this.around.lift;
    for (const entry of this.entries) {
      const { medium, frame } = entry;
      const at = entry.meet(origin, towards);
      if (!at || at.distance >= nearest) continue;
      nearest = at.distance;
      best = { id: medium.id, hit: { position: at.position, normal: frame.normal, pinId: medium.id } };
    }
    return best;
  }

  /** Starts or stops a film or a sound by the visitor's own hand. */
  press(id: string): void {
    const entry = this.entries.find(({ medium }) => medium.id === id);
    if (!entry?.isFilm || entry.failed) return;
    entry.chosen = this.wants(entry) ? "stop" : "play";
    this.listener.allow();
    this.changed();
  }

  /** Whether films and sounds start by themselves; false also stops those that run. */
  setPlaying(on: boolean): void {
    this.playing = on;
    for (const entry of this.entries) entry.chosen = null;
    this.changed();
  }

  /** Whether models move; null when none of those that are there can. */
  get moves(): boolean | null {
    return this.entries.some(({ standing }) => standing?.motion) ? this.moving : null;
  }

  /** Lets the models move, or stops them. */
  setMoving(on: boolean): void {
    this.moving = on;
    for (const { standing } of this.entries) if (standing?.motion) standing.motion.isRunning = on;
    this.changed();
  }

  /** Moves the models that are seen. @param elapsed milliseconds. @returns whether they go on moving */
  animate(elapsed: number): boolean {
    let goesOn = false;
    for (const { standing, object, isAhead } of this.entries)
      if (isAhead && object.visible && standing?.motion?.update(elapsed)) goesOn = true;
    return goesOn;
  }

  /**
   * Fetches, plays and lets go by where the camera is now. Answers whether another frame is needed.
   * @param hides what of them the space hides in another way than by depth; null for nothing.
   */
  update(pose: Pose, size: Size, hides: ((frame: MediaPlane) => boolean) | null): boolean {
    // One picture a frame: sending several to the graphics memory at once is felt.
    this.arrived.shift()?.();
    const moved = this.dirty || this.seen?.pose !== pose || this.seen.size !== size;
    if (moved) {
      this.dirty = false;
      this.seen = { pose, size };
      this.look(pose, size, hides);
    }
    return this.arrived.length > 0;
  }

  dispose(): void {
    this.ended.abort();
    for (const entry of this.entries) this.free(entry);
    this.entries = [];
    this.arrived.length = 0;
    this.listener.dispose();
    this.square.dispose();
    freeTree(this.root);
  }

  private look(pose: Pose, size: Size, hides: ((frame: MediaPlane) => boolean) | null): void {
    const focal = size.height / 2 / Math.tan(pose.fov / 2);
    const ahead = direction(pose.yaw, pose.pitch);
    const right: Vec3 = [Math.cos(pose.yaw), 0, -Math.sin(pose.yaw)];
    const views = this.entries.map((entry) => {
      const { frame } = entry;
      entry.object.visible = !entry.unseen && !hides?.(frame);
      const way = subtract(frame.centre, pose.position);
      const away = Math.hypot(...way);
      // What is just beside the screen is there when one turns; what is behind the visitor can wait.
      const isAhead = away < 2 * Math.max(frame.width, frame.height) || dot(way, ahead) > -0.2 * away;
      entry.isAhead = isAhead;
      const across = entry.object.visible && isAhead ? estimateScreenPixels(frame, pose.position, focal) : 0;
      const isOnScreen = away < Math.max(frame.width, frame.height) || dot(way, ahead) > 0.3 * away;
      return { entry, across, away, isOnScreen, pan: away > 0.01 ? dot(way, right) / away : 0 };
    });
    this.hold(views);
    this.play(views);
    this.moveSeen(views.map(({ entry, across, isOnScreen }) => ({ entry, across: isOnScreen ? across : 0 })));
    for (const { entry, across } of views) if (across >= MODEL_ACROSS) this.stand(entry);
  }

  private hold(views: readonly { entry: Hung; across: number }[]): void {
    const small = isSmallDevice();
    const pictured = views.filter(
      ({ entry }) => entry.picture !== null && !entry.failed && !entry.film?.isShown,
    );
    const chosen = chooseTextureSides(
      pictured.map(({ entry, across }) => ({
        id: entry.medium.id,
        screenPixels: across,
        aspect: clampAspect(entry.aspect),
        loadedSide: entry.side,
      })),
      imagePixelBudget(small) * Math.min(1, window.devicePixelRatio || 1),
      this.stage.renderer.capabilities.maxTextureSize,
    );
    const byId = new Map(pictured.map(({ entry }) => [entry.medium.id, entry]));
    for (const [id, entry] of byId) if (!chosen.has(id)) entry.letGo();
    for (const [id, side] of chosen) {
      const entry = byId.get(id);
      if (!entry || entry.side === side || entry.loading || this.loads >= LOADS) continue;
      void this.fetch(entry, side);
    }
  }

  private async fetch(entry: Hung, side: number): Promise<void> {
    const url = entry.picture;
    if (url === null) return;
    const loading = new AbortController();
    entry.loading = loading;
    this.loads++;
    try {
      let file: Blob | null = null;
      const picture = await fetchPicture(url, side, entry.aspect, loading.signal, (got) => {
        file = got;
      });
      const show = () => {
        // It was let go while it waited for its frame.
        if (entry.loading !== loading) {
          picture.close();
          return;
        }
        entry.loading = null;
        if (entry.film?.isShown) picture.close();
        else {
          this.shape(entry, picture.height / picture.width);
          entry.wearPicture(picture, side);
          if (file && entry.medium.kind === "image") void this.openMoving(entry, file, side);
        }
        this.changed();
      };
      this.arrived.push(show);
    } catch {
      if (loading.signal.aborted) return;
      entry.loading = null;
      this.fail(entry);
    } finally {
      this.loads--;
      this.changed();
    }
  }

  /** Lets a picture move that has several frames; where motion is not wanted, its first one stays. */
  private async openMoving(entry: Hung, file: Blob, side: number): Promise<void> {
    if (!/^image\/(gif|webp|a?png)$/.test(file.type) || this.around.reducedMotion()) return;
    try {
      const { MovingPicture } = await import("./moving-picture.client");
      const moving = await MovingPicture.open(file, side, () => entry.refresh());
      // It was let go meanwhile, or is held in another size.
      if (!moving || entry.side !== side || entry.moving || this.ended.signal.aborted)
        return moving?.dispose();
      entry.wearMoving(moving, side);
      this.changed();
    } catch {
      // The module did not come: the first frame stays.
    }
  }

  /** Lets those pictures move that are seen, the largest ones alone. */
  private moveSeen(views: readonly { entry: Hung; across: number }[]): void {
    const moving = views.filter(({ entry }) => entry.moving).sort((a, b) => b.across - a.across);
    const most = isSmallDevice() ? PLAYERS_SMALL : PLAYERS;
    for (const [index, { entry, across }] of moving.entries()) {
      if (index < most && across > 0 && this.playing && !document.hidden) entry.moving?.play();
      else entry.moving?.pause();
    }
  }

  private play(views: readonly { entry: Hung; across: number; away: number; pan: number }[]): void {
    const films = views.filter(({ entry }) => entry.isFilm && !entry.failed);
    if (films.length === 0) return;
    const wanted = films.filter(({ entry }) => this.wants(entry) && !document.hidden);
    const running = choosePlayingMedia(
      wanted.map(({ entry, across, away }) => ({
        id: entry.medium.id,
        volume: computeVolume(away, entry.medium.placement.reach),
        screenPixels: entry.medium.kind === "audio" ? 0 : across,
      })),
      isSmallDevice() ? PLAYERS_SMALL : PLAYERS,
    );
    for (const { entry, across, away, pan } of films) {
      const { medium } = entry;
      const runs = running.has(medium.id) && (medium.kind === "video" || this.listener.isAllowed);
      if (runs && !entry.film)
        entry.film = new Film(medium.url, medium.kind === "video", this.listener, {
          frame: () => this.frame(entry),
          over: () => {
            entry.chosen = "stop";
            this.changed();
          },
          failed: () => this.fail(entry),
        });
      if (runs) entry.film?.play(computeVolume(away, medium.placement.reach), pan);
      else entry.film?.pause();
      // A film that nobody sees any more gives its decoder back.
      if (!runs && entry.film && across === 0 && !entry.chosen) this.endFilm(entry);
      entry.showMark(!runs);
    }
  }

  /** A frame of a film has come. */
  private frame(entry: Hung): void {
    const { film } = entry;
    if (!film) return;
    if (film.texture && entry.wearFilm(film.texture)) this.shape(entry, film.aspect);
    this.around.invalidate();
  }

  private wants({ medium, chosen }: Hung): boolean {
    return chosen ? chosen === "play" : this.playing && medium.placement.play === "auto";
  }

  /** Fetches a model that stands in the space, once. */
  private stand(entry: Hung): void {
    if (!entry.isStaged || entry.model || entry.failed) return;
    entry.model = "loading";
    const { signal } = this.ended;
    const load = async () => {
      const model = await this.fetchObject(entry.medium, signal);
      if (model.motion) model.motion.isRunning = this.moving;
      if (model.isLit && !signal.aborted) await this.light().catch(() => {});
      const isGone = signal.aborted || entry.model !== "loading";
      if (isGone) return model.dispose();
      model.prepare(this.stage, this.around.renderOrder);
      entry.stand(model);
      this.changed();
      if (model.motion) this.around.choicesChanged();
    };
    load().catch(() => !signal.aborted && this.fail(entry));
  }

  private async fetchObject({ kind, url }: PlacedMediaItem, signal: AbortSignal): Promise<HungObject> {
    if (kind === "splat") {
      const { HungSplat } = await import("./hung-splat.client");
      return HungSplat.load(url, signal);
    }
    const { HungModel } = await import("./hung-model.client");
    return HungModel.load(url, signal, this.stage.renderer);
  }

  /** The graphics context came back: what was computed in it is made again. */
  restored(): void {
    for (const { standing } of this.entries) standing?.prepare(this.stage, this.around.renderOrder);
  }

  /** Models want light; a space of pictures or of splats has none, and none of it is changed by some. */
  private async light(): Promise<void> {
    const { SceneLight, STUDIO } = await import("../model/scene-light.client");
    await SceneLight.light(this.stage, STUDIO, this.ended.signal);
  }

  /** The shape that the file has, where nobody has said it. */
  private shape(entry: Hung, aspect: number): void {
    if (entry.medium.aspect !== null) return;
    entry.aspect = aspect;
    const order = this.entries.indexOf(entry);
    const frame = placeMedia(entry.medium.placement, aspect, Math.max(0, order));
    if (frame) entry.put(frame);
  }

  private fail(entry: Hung): void {
    this.endFilm(entry);
    entry.fail();
    this.changed();
  }

  private endFilm(entry: Hung): void {
    const { film } = entry;
    if (!film) return;
    entry.film = null;
    entry.undress();
    film.dispose();
    this.changed();
  }

  private free(entry: Hung): void {
    entry.dispose();
    entry.film?.dispose();
    entry.film = null;
    this.around.invalidate();
  }

  private changed(): void {
    this.dirty = true;
    this.around.invalidate();
  }
}

/** A square of one metre, seen from its front, whose picture is not flipped. */
function makeSquare(): BufferGeometry {
  const square = new BufferGeometry();
  const corners = [-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0];
  square.setAttribute("position", new BufferAttribute(Float32Array.from(corners), 3));
  square.setAttribute("uv", new BufferAttribute(Float32Array.from([0, 1, 1, 1, 1, 0, 0, 0]), 2));
  square.setIndex([0, 1, 2, 0, 2, 3]);
  return square;
}
