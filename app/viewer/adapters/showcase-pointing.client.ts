import type { SurfaceHit } from "../core/contract";
import type { SdkIntersection, SdkPose, ShowcaseSdk } from "../core/showcase-sdk";
import { fromSdk } from "../core/showcase-view";
import { distance, normalize } from "../core/vec";

/** The pointer rests when what it points at, and the camera, have not moved for so long. */
const REST_MS = 160;
/** Metres within which a point is the same. */
const SAME = 0.01;

/**
 * Placing in a connected showcase. Clicks in its frame are the showcase's own, so a button of the page comes up where the pointer
 * rests, under the pointer: pressing it says the point and the normal of Pointer.intersection. On touch screens it comes up where
 * the finger was.
 */
export class ShowcasePointing {
  private readonly sdk: ShowcaseSdk;
  private readonly frame: HTMLElement;
  private readonly button: HTMLButtonElement;
  private readonly onPlace: (hit: SurfaceHit) => void;
  private subscriptions: readonly { cancel(): void }[] = [];
  private pose: SdkPose | null = null;
  private at: SdkIntersection | null = null;
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
      const hit = this.hit();
      if (hit) this.onPlace(hit);
    });
  }

  setActive(on: boolean): void {
    if (on === this.subscriptions.length > 0) return;
    for (const subscription of this.subscriptions) subscription.cancel();
    this.subscriptions = [];
    this.hide();
    this.at = null;
    if (!on) return;
    // What each of them tells at once is where they are, and no move.
    this.subscriptions = [
      this.sdk.Camera.pose.subscribe((pose) => {
        this.pose = pose;
        this.moved();
      }),
      this.sdk.Pointer.intersection.subscribe((next) => {
        const before = this.at;
        this.at = next;
        if (!before || next.object !== before.object) return this.moved();
        if (distance(fromSdk(next.position), fromSdk(before.position)) > SAME) this.moved();
        else this.at = before;
      }),
    ];
  }

  dispose(): void {
    this.setActive(false);
  }

  private hit(): SurfaceHit | null {
    const { at } = this;
    if (!at || at.object === "intersectedobject.none" || at.object === "intersectedobject.unknown")
      return null;
    return { position: fromSdk(at.position), normal: normalize(fromSdk(at.normal)) };
  }

  private moved(): void {
    this.hide();
    this.timer = setTimeout(() => this.show(), REST_MS);
  }

  private hide(): void {
    clearTimeout(this.timer);
    this.button.hidden = true;
  }

  private show(): void {
    const { at, pose, frame, button } = this;
    if (!at || !pose || !this.hit()) return;
    const size = { w: frame.clientWidth, h: frame.clientHeight };
    const { x, y } = this.sdk.Conversion.worldToScreen(at.position, pose, size);
    if (!(x >= 0 && y >= 0 && x <= size.w && y <= size.h)) return;
    button.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -50%)`;
    button.hidden = false;
  }
}
