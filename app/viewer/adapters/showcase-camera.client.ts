import { createAbortError } from "../core/abort";
import { type Pin, ViewerError, type Viewpoint } from "../core/contract";
import type { Emitter } from "../core/emitter";
import type { SdkPose, SdkSweep, ShowcaseSdk } from "../core/showcase-sdk";
import {
  findPinViewpoint,
  findSweep,
  selectUsableSweeps,
  toSdk,
  toSdkMode,
  toSdkRotation,
  toViewpoint,
} from "../core/showcase-view";
import { isFinitePoint } from "../core/vec";

/** The camera rests when it has not moved for so long. */
const REST_MS = 250;
const FLIGHT_MS = 1400;
/** How long a showcase may take to answer what it is asked: a flight, and some patience. */
const ANSWER_MS = FLIGHT_MS + 4000;
/** Angles of a pose within which it is the same. */
const SAME_YAW = 1e-4;

interface Wish {
  readonly target: Viewpoint | Pin;
  readonly instant: boolean;
  readonly arrived: () => void;
  readonly failed: (error: unknown) => void;
}

/** The camera of a connected showcase: where it is, and where it is sent. One flight is under way at a time; the newest wish is the next. */
export class ShowcaseCamera {
  pose: SdkPose | null = null;
  sweeps: readonly SdkSweep[] = [];
  private readonly sdk: ShowcaseSdk;
  private readonly emitter: Emitter;
  private readonly subscriptions: readonly { cancel(): void }[];
  private readonly sweepsKnown: Promise<void>;
  private letGo = () => {};
  private cut = () => {};
  private view: Viewpoint | null = null;
  private walked: Viewpoint | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private next: Wish | null = null;
  private isMoving = false;
  private isOver = false;

  constructor(sdk: ShowcaseSdk, emitter: Emitter) {
    this.sdk = sdk;
    this.emitter = emitter;
    this.sweepsKnown = new Promise((done) => {
      this.letGo = done;
    });
    this.subscriptions = [
      sdk.Sweep.data.subscribe({
        onCollectionUpdated: (sweeps) => {
          this.sweeps = selectUsableSweeps([...sweeps].map(([, sweep]) => sweep));
          if (this.sweeps.length > 0) this.letGo();
        },
      }),
      sdk.Camera.pose.subscribe((pose) => this.follow(pose)),
    ];
  }

  /** Where one stands now; null before the showcase has said it. */
  get viewpoint(): Viewpoint | null {
    return this.view;
  }

  /** Where one walked last, to come back from above. */
  get inside(): Viewpoint | null {
    return this.walked;
  }

  /**
   * Resolves when the camera has arrived, or another wish has taken its place. Wishes that lead nowhere are ignored; rejects with
   * load_failed when the showcase refuses, or does not answer in time.
   */
  go(target: Viewpoint | Pin, instant: boolean): Promise<void> {
    if (this.isOver || !isFinitePoint(target.position)) return Promise.resolve();
    return new Promise((arrived, failed) => {
      this.next?.arrived();
      this.next = { target, instant, arrived, failed };
      if (!this.isMoving) void this.travel();
    });
  }

  dispose(): void {
    this.isOver = true;
    this.cut();
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.cancel();
    this.next?.arrived();
    this.next = null;
  }

  private async travel(): Promise<void> {
    this.isMoving = true;
    for (let wish = this.next; wish && !this.isOver; wish = this.next) {
      this.next = null;
      try {
        await this.move(wish);
        wish.arrived();
      } catch (cause) {
        if (this.isOver || this.next) wish.arrived();
        else {
          this.emitter.emit("error", "load_failed");
          wish.failed(new ViewerError("load_failed", "The showcase did not go there.", { cause }));
        }
      }
    }
    this.isMoving = false;
  }

  private async move({ target, instant }: Wish): Promise<void> {
    const transition = instant ? "transition.instant" : "transition.fly";
    const given = "mode" in target ? target : target.viewpoint;
    // They come after the connection, and only who stands among them needs them.
    if (!given || given.mode === "walk") await this.inTime(this.sweepsKnown);
    const view = "mode" in target ? target : findPinViewpoint(this.sweeps, target);
    if (!view) return;
    const rotation = toSdkRotation(view);
    if (view.mode !== "walk") {
      await this.inTime(
        this.sdk.Mode.moveTo(toSdkMode(view.mode), { position: toSdk(view.position), rotation, transition }),
      );
      return;
    }
    const sweep = findSweep(this.sweeps, view);
    if (!sweep) return;
    await this.inTime(
      this.sdk.Sweep.moveTo(sweep.id, {
        rotation,
        transition,
        ...(!instant && { transitionTime: FLIGHT_MS }),
      }),
    );
  }

  /** What the showcase answers; rejects when it takes too long, so that the next wish has its turn, and at the end. */
  private inTime(answer: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("The showcase does not answer.")), ANSWER_MS);
      const end = () => clearTimeout(late);
      this.cut = () => {
        end();
        reject(createAbortError());
      };
      answer.then(resolve, reject).finally(end);
    });
  }

  private follow(pose: SdkPose): void {
    this.pose = pose;
    const view = toViewpoint(pose);
    if (!view || this.isOver) return;
    const before = this.view;
    this.view = view;
    if (view.nodeId !== undefined) this.walked = view;
    if (view.mode !== before?.mode) this.emitter.emit("mode", view.mode);
    if (!before || Math.abs(view.yaw - before.yaw) > SAME_YAW) this.emitter.emit("yaw", view.yaw);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.view && this.emitter.emit("settled", this.view), REST_MS);
  }
}
