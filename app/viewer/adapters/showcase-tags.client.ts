import type { Pin } from "../core/contract";
import type { SdkPose, SdkTagDescriptor, ShowcaseSdk } from "../core/showcase-sdk";
import { toSdk, toSdkColor } from "../core/showcase-view";
import { add } from "../core/vec";

interface Shown {
  readonly sdkId: string;
  readonly pin: Pin;
  readonly opacity: number;
}

/** How far the others step back while one is open. */
const DIMMED = 0.45;
/** Of more tags than that none steps back: each would be a call whenever one is opened or closed. */
const MOST_DIMMED = 100;
/** How many tags are seen to at once. */
const AT_ONCE = 20;
/** A call that fails leaves its tag as it was: what the page lists does not depend on it. */
const ignore = () => {};
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const placeOf = (pin: Pin) => ({ anchorPosition: toSdk(pin.position), stemVector: toSdk(pin.stem) });
const descriptor = (pin: Pin): SdkTagDescriptor => ({
  ...placeOf(pin),
  stemVisible: true,
  label: pin.label,
  description: "",
  color: toSdkColor(pin.color),
});

/**
 * Our pins as tags of a connected showcase. They say nothing themselves: whoever chooses one is led to its entry in the page, so
 * what a showcase would open itself is not allowed (§4.5 allowAction). A tag under the pointer shows its name.
 */
export class ShowcaseTags {
  private readonly sdk: ShowcaseSdk;
  private readonly chip: HTMLElement;
  private readonly frame: HTMLElement;
  private readonly onOpen: (id: string) => void;
  private readonly shown = new Map<string, Shown>();
  private readonly subscriptions: readonly { cancel(): void }[];
  private wanted: readonly Pin[] = [];
  private openId: string | null = null;
  private hovered: Pin | null = null;
  private pose: SdkPose | null = null;
  private selected: string | null = null;
  private state: "resting" | "working" | "again" | "over" = "resting";

  constructor(sdk: ShowcaseSdk, frame: HTMLElement, chip: HTMLElement, onOpen: (id: string) => void) {
    this.sdk = sdk;
    this.frame = frame;
    this.chip = chip;
    this.onOpen = onOpen;
    this.subscriptions = [
      sdk.Tag.openTags.subscribe(({ selected, hovered }) => {
        this.hovered = this.pinOf(hovered);
        this.name();
        const [first = null] = selected;
        const before = this.selected;
        this.selected = first;
        const pin = first === before ? null : this.pinOf(first);
        if (!first || !pin) return;
        // Let go at once, so that it can be chosen again.
        sdk.Tag.close(first).catch(ignore);
        this.onOpen(pin.id);
      }),
      sdk.Camera.pose.subscribe((pose) => {
        this.pose = pose;
        this.name();
      }),
    ];
  }

  set(pins: readonly Pin[]): void {
    this.wanted = pins;
    this.settle();
  }

  setOpen(id: string | null): void {
    this.openId = id;
    this.settle();
  }

  dispose(): void {
    this.state = "over";
    for (const subscription of this.subscriptions) subscription.cancel();
  }

  private pinOf(sdkId: string | null): Pin | null {
    for (const { sdkId: id, pin } of this.shown.values()) if (id === sdkId) return pin;
    return null;
  }

  /** Writes the name of the tag under the pointer beside it. */
  private name(): void {
    const { hovered, pose, frame, chip } = this;
    chip.hidden = !hovered || !pose;
    if (!hovered || !pose) return;
    const size = { w: frame.clientWidth, h: frame.clientHeight };
    const { x, y } = this.sdk.Conversion.worldToScreen(
      toSdk(add(hovered.position, hovered.stem)),
      pose,
      size,
    );
    chip.textContent = hovered.label;
    chip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -2.75rem)`;
  }

  private settle(): void {
    if (this.state === "working") this.state = "again";
    if (this.state !== "resting") return;
    this.state = "working";
    void this.work();
  }

  private async work(): Promise<void> {
    for (;;) {
      await this.step();
      if (this.state === "over") return;
      if (this.state === "working") break;
      this.state = "working";
    }
    this.state = "resting";
  }

  /**
   * Does something for each of many, some at a time; leaves the rest when it is over.
   * @param act must not reject
   */
  private async each<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
    for (let at = 0; at < all.length && this.state !== "over"; at += AT_ONCE)
      await Promise.all(all.slice(at, at + AT_ONCE).map(act));
  }

  /** Brings the showcase to what is wanted now; one tag's calls go out one after another, so that the last word is the newest. */
  private async step(): Promise<void> {
    const { Tag } = this.sdk;
    const wanted = new Map(this.wanted.map((pin) => [pin.id, pin]));
    const gone = [...this.shown].filter(([id]) => !wanted.has(id));
    if (gone.length > 0) {
      for (const [id] of gone) this.shown.delete(id);
      await Tag.remove(...gone.map(([, { sdkId }]) => sdkId)).catch(ignore);
    }
    await this.put([...wanted.values()].filter(({ id }) => !this.shown.has(id)));
    const { openId } = this;
    const isDimming = openId !== null && wanted.size <= MOST_DIMMED;
    await this.each([...this.shown], async ([id, { sdkId, pin: before, opacity: lit }]) => {
      const pin = wanted.get(id);
      if (!pin) return;
      const opacity = isDimming && openId !== id ? DIMMED : 1;
      this.shown.set(id, { sdkId, pin, opacity });
      if (pin.label !== before.label) await Tag.editBillboard(sdkId, { label: pin.label }).catch(ignore);
      if (pin.color !== before.color) await Tag.editColor(sdkId, toSdkColor(pin.color)).catch(ignore);
      if (!same(placeOf(pin), placeOf(before))) await Tag.editPosition(sdkId, placeOf(pin)).catch(ignore);
      if (opacity !== lit) await Tag.editOpacity(sdkId, opacity).catch(ignore);
    });
  }

  private async put(pins: readonly Pin[]): Promise<void> {
    if (pins.length === 0 || this.state === "over") return;
    const { Tag } = this.sdk;
    let ids: string[];
    try {
      ids = await Tag.add(...pins.map(descriptor));
    } catch {
      // One that the showcase does not take must not keep the others away.
      if (pins.length > 1) await this.each(pins, (pin) => this.put([pin]));
      return;
    }
    for (const [at, pin] of pins.entries()) {
      const sdkId = ids[at];
      if (sdkId !== undefined) this.shown.set(pin.id, { sdkId, pin, opacity: 1 });
    }
    await this.each(ids, (sdkId) => Tag.allowAction(sdkId, {}).catch(ignore));
  }
}
