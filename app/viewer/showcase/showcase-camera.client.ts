import { createAbortError } from "../core/abort";
import type { Pin, Viewpoint } from "../core/contract";
import type { Emitter } from "../core/emitter";
import { isFinitePoint } from "../core/vec";
import { ViewerError } from "../core/viewer-error";
import type { SdkPose, SdkSweep, ShowcaseSdk } from "./showcase-sdk";
import {
  findShowcasePinViewpoint,
  findSweep,
  selectUsableSweeps,
  toSdkMode,
  toSdkRotation,
  toSdkVector,
  toViewpoint,
} from "./showcase-view";

/** Time without movement after which the camera has settled, in milliseconds. */
const SETTLE_DELAY_MS = 250;
/** Duration of a flight, in milliseconds. */
const FLIGHT_MS = 1400;
/** Time limit for a call of the showcase, in milliseconds: the flight plus a margin. */
const CALL_TIMEOUT_MS = FLIGHT_MS + 4000;
/** Difference up to which the yaw counts as unchanged, in radians. */
const SAME_YAW = 1e-4;

interface MoveRequest {
  readonly target: Viewpoint | Pin;
  readonly instant: boolean;
  readonly arrived: () => void;
  readonly failed: (error: unknown) => void;
}

/** The camera of a connected showcase. One flight runs at a time, and the newest request is the next one. */
export class ShowcaseCamera {
  pose: SdkPose | null = null;
  /** Places from which the showcase was captured and at which a visitor can stand. */
  sweeps: readonly SdkSweep[] = [];
  private readonly sdk: ShowcaseSdk;
  private readonly emitter: Emitter;
  private readonly subscriptions: readonly { cancel(): void }[];
  private readonly sweepsKnown: Promise<void>;
  private resolveSweeps = () => {};
  private cancelCall = () => {};
  private view: Viewpoint | null = null;
  private lastWalkView: Viewpoint | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextRequest: MoveRequest | null = null;
  private isMoving = false;
  private isDisposed = false;

  constructor(sdk: ShowcaseSdk, emitter: Emitter) {
    this.sdk = sdk;
    this.emitter = emitter;
    this.sweepsKnown = new Promise((done) => {
      this.resolveSweeps = done;
    });
    this.subscriptions = [
      sdk.Sweep.data.subscribe({
        onCollectionUpdated: (sweeps) => {
          this.sweeps = selectUsableSweeps([...sweeps].map(([, sweep]) => sweep));
          if (this.sweeps.length > 0) this.resolveSweeps();
        },
      }),
      sdk.Camera.pose.subscribe((pose) => this.updateView(pose)),
    ];
  }

  /** The current viewpoint. Null before the showcase has reported it. */
  get viewpoint(): Viewpoint | null {
    return this.view;
  }

  /** The last viewpoint in walk mode, to return to from above. */
  get lastWalkViewpoint(): Viewpoint | null {
    return this.lastWalkView;
  }

  /**
   * Resolves when the camera has arrived, or a newer request has replaced this one. Invalid targets are ignored. Rejects with
   * load_failed when the showcase rejects the move or does not respond in time.
   */
  requestMove(target: Viewpoint | Pin, instant: boolean): Promise<void> {
    if (this.isDisposed || !isFinitePoint(target.position)) return Promise.resolve();
    return new Promise((arrived, failed) => {
      this.nextRequest?.arrived();
      this.nextRequest = { target, instant, arrived, failed };
      if (!this.isMoving) void this.runRequests();
    });
  }

  dispose(): void {
    this.isDisposed = true;
    this.cancelCall();
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.cancel();
    this.nextRequest?.arrived();
    this.nextRequest = null;
  }

  private async runRequests(): Promise<void> {
    this.isMoving = true;
    for (let request = this.nextRequest; request && !this.isDisposed; request = this.nextRequest) {
      this.nextRequest = null;
      try {
        await this.move(request);
        request.arrived();
      } catch (cause) {
        if (this.isDisposed || this.nextRequest) request.arrived();
        else {
          this.emitter.emit("error", "load_failed");
          request.failed(
            new ViewerError("load_failed", "The showcase rejected the move, or did not respond.", { cause }),
          );
        }
      }
    }
    this.isMoving = false;
  }

  private async move({ target, instant }: MoveRequest): Promise<void> {
    const transition = instant ? "transition.instant" : "transition.fly";
    const requestedView = "mode" in target ? target : target.viewpoint;
    // Sweeps arrive after the connection, and only targets in walk mode and pins without a viewpoint need them.
    if (!requestedView || requestedView.mode === "walk") await this.limitTime(this.sweepsKnown);
    const view = "mode" in target ? target : findShowcasePinViewpoint(this.sweeps, target);
    if (!view) return;
    const rotation = toSdkRotation(view);
    if (view.mode !== "walk") {
      await this.limitTime(
        this.sdk.Mode.moveTo(toSdkMode(view.mode), {
          position: toSdkVector(view.position),
          rotation,
          transition,
        }),
      );
      return;
    }
    const sweep = findSweep(this.sweeps, view);
    if (!sweep) return;
    await this.limitTime(
      this.sdk.Sweep.moveTo(sweep.id, {
        rotation,
        transition,
        ...(!instant && { transitionTime: FLIGHT_MS }),
      }),
    );
  }

  /** Limits the time of a call. Rejects when it takes too long, so that the next request can run, and after disposal. */
  private limitTime(call: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("The showcase does not respond.")), CALL_TIMEOUT_MS);
      const clearTimer = () => clearTimeout(timer);
      this.cancelCall = () => {
        clearTimer();
        reject(createAbortError());
      };
      call.then(resolve, reject).finally(clearTimer);
    });
  }

  private updateView(pose: SdkPose): void {
    this.pose = pose;
    const view = toViewpoint(pose);
    if (!view || this.isDisposed) return;
    const previous = this.view;
    this.view = view;
    if (view.nodeId !== undefined) this.lastWalkView = view;
    if (view.mode !== previous?.mode) this.emitter.emit("mode", view.mode);
    if (!previous || Math.abs(view.yaw - previous.yaw) > SAME_YAW) this.emitter.emit("yaw", view.yaw);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.view && this.emitter.emit("settled", this.view), SETTLE_DELAY_MS);
  }
}
