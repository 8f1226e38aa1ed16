import type { SurfaceHit } from "../core/contract";
import { distance, normalize } from "../core/vec";
import type { SdkIntersection, SdkPose, ShowcaseSdk } from "./showcase-sdk";
import { fromSdkVector } from "./showcase-view";

/** Time without movement of the pointer's target and of the camera after which the button appears, in milliseconds. */
const SETTLE_DELAY_MS = 160;
/** Distance in metres within which a point counts as unchanged. */
const SAME_POINT_DISTANCE = 0.01;

/**
 * Placing in a connected showcase. The showcase receives the clicks in its frame, so the page shows a button under a pointer that does not move. The
 * button reports the point and the normal of Pointer.intersection. On touch screens, it appears at the last touched position.
 */
export class ShowcasePlacing {
  private readonly sdk: ShowcaseSdk;
  private readonly frame: HTMLElement;
  private readonly button: HTMLButtonElement;
  private readonly onPlace: (hit: SurfaceHit) => void;
  private subscriptions: readonly { cancel(): void }[] = [];
  private pose: SdkPose | null = null;
  private target: SdkIntersection | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    sdk: ShowcaseSdk,
    frame: HTMLElement,
    button: HTMLButtonElement,
    onPlace: (hit: SurfaceHit) => void,
  ) {
    this.sdk = sdk;
    this.frame = frame;
    this.button = button;
    this.onPlace = onPlace;
    button.addEventListener("click", () => {
      const hit = this.readHit();
      if (hit) this.onPlace(hit);
    });
  }

  setActive(on: boolean): void {
    if (on === this.subscriptions.length > 0) return;
    for (const subscription of this.subscriptions) subscription.cancel();
    this.subscriptions = [];
    this.hide();
    this.target = null;
    if (!on) return;
    // Each subscription reports its current value at once, so the button also appears when nothing moves.
    this.subscriptions = [
      this.sdk.Camera.pose.subscribe((pose) => {
        this.pose = pose;
        this.restartTimer();
      }),
      this.sdk.Pointer.intersection.subscribe((intersection) => {
        const previous = this.target;
        this.target = intersection;
        if (!previous || intersection.object !== previous.object) return this.restartTimer();
        if (
          distance(fromSdkVector(intersection.position), fromSdkVector(previous.position)) >
          SAME_POINT_DISTANCE
        )
          this.restartTimer();
        else this.target = previous;
      }),
    ];
  }

  dispose(): void {
    this.setActive(false);
  }

  private readHit(): SurfaceHit | null {
    const { target: hit } = this;
    if (!hit || hit.object === "intersectedobject.none" || hit.object === "intersectedobject.unknown")
      return null;
    return { position: fromSdkVector(hit.position), normal: normalize(fromSdkVector(hit.normal)) };
  }

  private restartTimer(): void {
    this.hide();
    this.timer = setTimeout(() => this.show(), SETTLE_DELAY_MS);
  }

  private hide(): void {
    clearTimeout(this.timer);
    this.button.hidden = true;
  }

  private show(): void {
    const { target: hit, pose, frame, button } = this;
    if (!hit || !pose || !this.readHit()) return;
    const size = { w: frame.clientWidth, h: frame.clientHeight };
    const { x, y } = this.sdk.Conversion.worldToScreen(hit.position, pose, size);
    if (!(x >= 0 && y >= 0 && x <= size.w && y <= size.h)) return;
    button.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)`;
    button.hidden = false;
  }
}
