import type { Pin } from "../core/contract";
import { add } from "../core/vec";
import type { SdkPose, SdkTagDescriptor, ShowcaseSdk } from "./showcase-sdk";
import { toSdkColor, toSdkVector } from "./showcase-view";

interface ShowcaseTag {
  readonly sdkId: string;
  readonly pin: Pin;
  readonly opacity: number;
}

/** Opacity of the other tags while a tag is open. */
const DIMMED_OPACITY = 0.45;
/** Opacity of tags that visitors do not see. A showcase cannot draw dashed lines; the name says that the tag is hidden. */
const DRAFT_OPACITY = 0.6;
/** With more tags than this, none is dimmed, because each costs a call whenever a tag is opened or closed. */
const DIMMED_TAGS_MAX = 100;
/** Number of tags that are updated in parallel. */
const PARALLEL_CALLS = 20;
/** Ignores a failed call. Its tag stays unchanged, and the page's list does not depend on it. */
const ignoreError = () => {};
const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const toTagPosition = (pin: Pin) => ({
  anchorPosition: toSdkVector(pin.position),
  stemVector: toSdkVector(pin.stem),
});
const toTagDescriptor = (pin: Pin): SdkTagDescriptor => ({
  ...toTagPosition(pin),
  stemVisible: true,
  label: pin.label,
  description: "",
  color: toSdkColor(pin.color),
});

/**
 * The pins as tags of a connected showcase. Choosing one opens its entry in the page, so the showcase's own actions are disabled
 * (`Tag.allowAction`). A tag under the pointer shows its name.
 */
export class ShowcaseTags {
  private readonly sdk: ShowcaseSdk;
  /** Element for the name of the tag under the pointer. */
  private readonly chip: HTMLElement;
  private readonly frame: HTMLElement;
  private readonly onOpen: (id: string) => void;
  private readonly tags = new Map<string, ShowcaseTag>();
  private readonly subscriptions: readonly { cancel(): void }[];
  private requestedPins: readonly Pin[] = [];
  private openId: string | null = null;
  private hovered: Pin | null = null;
  private pose: SdkPose | null = null;
  private selected: string | null = null;
  /** "again": the pins or the open pin have changed while the tags were being updated. */
  private state: "resting" | "working" | "again" | "disposed" = "resting";

  constructor(sdk: ShowcaseSdk, frame: HTMLElement, chip: HTMLElement, onOpen: (id: string) => void) {
    this.sdk = sdk;
    this.frame = frame;
    this.chip = chip;
    this.onOpen = onOpen;
    this.subscriptions = [
      sdk.Tag.openTags.subscribe(({ selected, hovered }) => {
        this.hovered = this.findPin(hovered);
        this.showHoveredName();
        const [selectedId = null] = selected;
        const previous = this.selected;
        this.selected = selectedId;
        const pin = selectedId === previous ? null : this.findPin(selectedId);
        if (!selectedId || !pin) return;
        // The tag is closed at once, so that it can be selected again.
        sdk.Tag.close(selectedId).catch(ignoreError);
        this.onOpen(pin.id);
      }),
      sdk.Camera.pose.subscribe((pose) => {
        this.pose = pose;
        this.showHoveredName();
      }),
    ];
  }

  set(pins: readonly Pin[]): void {
    this.requestedPins = pins;
    this.requestUpdate();
  }

  setOpen(id: string | null): void {
    this.openId = id;
    this.requestUpdate();
  }

  dispose(): void {
    this.state = "disposed";
    for (const subscription of this.subscriptions) subscription.cancel();
  }

  private findPin(sdkId: string | null): Pin | null {
    for (const { sdkId: id, pin } of this.tags.values()) if (id === sdkId) return pin;
    return null;
  }

  /** Shows the name of the tag under the pointer. */
  private showHoveredName(): void {
    const { hovered, pose, frame, chip } = this;
    chip.hidden = !hovered || !pose;
    if (!hovered || !pose) return;
    const size = { w: frame.clientWidth, h: frame.clientHeight };
    const { x, y } = this.sdk.Conversion.worldToScreen(
      toSdkVector(add(hovered.position, hovered.stem)),
      pose,
      size,
    );
    chip.textContent = hovered.label;
    chip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) translate(-50%, -2.75rem)`;
  }

  private requestUpdate(): void {
    if (this.state === "working") this.state = "again";
    if (this.state !== "resting") return;
    this.state = "working";
    void this.runUpdates();
  }

  private async runUpdates(): Promise<void> {
    for (;;) {
      await this.updateTags();
      if (this.state === "disposed") return;
      if (this.state === "working") break;
      this.state = "working";
    }
    this.state = "resting";
  }

  /**
   * Calls a function for each item, some in parallel. Stops after disposal.
   * @param handle must not reject
   */
  private async runForEach<T>(items: readonly T[], handle: (item: T) => Promise<void>): Promise<void> {
    for (let offset = 0; offset < items.length && this.state !== "disposed"; offset += PARALLEL_CALLS)
      await Promise.all(items.slice(offset, offset + PARALLEL_CALLS).map(handle));
  }

  /** Updates the showcase's tags to the requested ones. The calls for one tag run in sequence, so that the newest value is the last. */
  private async updateTags(): Promise<void> {
    const { Tag } = this.sdk;
    const requestedById = new Map(this.requestedPins.map((pin) => [pin.id, pin]));
    const removedTags = [...this.tags].filter(([id]) => !requestedById.has(id));
    if (removedTags.length > 0) {
      for (const [id] of removedTags) this.tags.delete(id);
      await Tag.remove(...removedTags.map(([, { sdkId }]) => sdkId)).catch(ignoreError);
    }
    await this.addTags([...requestedById.values()].filter(({ id }) => !this.tags.has(id)));
    const { openId } = this;
    const isDimming = openId !== null && requestedById.size <= DIMMED_TAGS_MAX;
    await this.runForEach(
      [...this.tags],
      async ([id, { sdkId, pin: previous, opacity: previousOpacity }]) => {
        const pin = requestedById.get(id);
        if (!pin) return;
        const opacity = (isDimming && openId !== id ? DIMMED_OPACITY : 1) * (pin.isDraft ? DRAFT_OPACITY : 1);
        this.tags.set(id, { sdkId, pin, opacity });
        if (pin.label !== previous.label)
          await Tag.editBillboard(sdkId, { label: pin.label }).catch(ignoreError);
        if (pin.color !== previous.color)
          await Tag.editColor(sdkId, toSdkColor(pin.color)).catch(ignoreError);
        if (!isEqual(toTagPosition(pin), toTagPosition(previous)))
          await Tag.editPosition(sdkId, toTagPosition(pin)).catch(ignoreError);
        if (opacity !== previousOpacity) await Tag.editOpacity(sdkId, opacity).catch(ignoreError);
      },
    );
  }

  private async addTags(pins: readonly Pin[]): Promise<void> {
    if (pins.length === 0 || this.state === "disposed") return;
    const { Tag } = this.sdk;
    let ids: string[];
    try {
      ids = await Tag.add(...pins.map(toTagDescriptor));
    } catch {
      // A tag that the showcase rejects must not prevent the others.
      if (pins.length > 1) await this.runForEach(pins, (pin) => this.addTags([pin]));
      return;
    }
    for (const [index, pin] of pins.entries()) {
      const sdkId = ids[index];
      if (sdkId !== undefined) this.tags.set(pin.id, { sdkId, pin, opacity: 1 });
    }
    await this.runForEach(ids, (sdkId) => Tag.allowAction(sdkId, {}).catch(ignoreError));
  }
}
