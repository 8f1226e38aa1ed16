import type { AdapterOptions, Pin, Vec3 } from "../core/contract";
import type { Pose } from "../core/flight";
import { type LabelLayout, type LabelPin, layoutLabels, placeDisc } from "../core/label-layout";
import { type Box, createProjector, findScreenEdge, type Size } from "../core/projection";
import { add, distance } from "../core/vec";
import { contrastColor } from "./contrast-color";

/** Maximum number of occlusion tests in a frame. A single ray is cheap, but a hundred in one frame are not. */
const CHECKS_PER_FRAME = 24;
/** Minimum distance in metres from which a disc is shown. */
const DISC_DEPTH_MIN = 0.15;

interface PinElements {
  pin: Pin;
  readonly button: HTMLButtonElement;
  readonly disc: HTMLSpanElement;
  readonly count: HTMLSpanElement;
  readonly label: HTMLSpanElement;
  readonly stem: HTMLDivElement;
  discPosition: Vec3;
  width: number;
  height: number;
  /** Whether something is between the camera and the disc. */
  isOccluded: boolean;
  isHovered: boolean;
}

/** Callbacks of the pins. */
export interface PinLayerEvents {
  open(id: string): void;
  /** Closes the open pin. */
  close(): void;
  /** A change of the pins needs a new frame. */
  invalidate(): void;
}

/**
 * The pins over a canvas: buttons in the list's order, so that Tab and screen readers reach them. Each is a disc with a label on
 * a stem. The label layout decides where they are.
 */
export class PinLayer {
  private readonly root: HTMLDivElement;
  private readonly stems: HTMLDivElement;
  private readonly options: AdapterOptions;
  private readonly events: PinLayerEvents;
  private entries: PinElements[] = [];
  private layout: LabelLayout = [];
  private openId: string | null = null;
  private targetId: string | null = null;
  private coveredBoxes: readonly Box[] = [];
  private expandedId: string | null = null;
  private nextCheck = 0;
  private checksLeft = 0;
  /** Whether the sizes of the labels are known. Reading them forces a layout of the page. */
  private isMeasured = false;
  /** Camera for which the pins were positioned. Null when they must be positioned again. */
  private lastLayoutInput: { readonly pose: Pose; readonly size: Size } | null = null;

  constructor(host: HTMLElement, options: AdapterOptions, events: PinLayerEvents) {
    this.options = options;
    this.events = events;
    this.root = document.createElement("div");
    this.root.className = "pointer-events-none absolute inset-0 overflow-hidden";
    this.stems = document.createElement("div");
    this.stems.setAttribute("aria-hidden", "true");
    this.root.appendChild(this.stems);
    host.appendChild(this.root);
  }

  /** Replaces all pins. Pins with the same id keep their elements and, in the same order, the focus. */
  set(pins: readonly Pin[]): void {
    const previousEntries = new Map(this.entries.map((entry) => [entry.pin.id, entry]));
    const pinIds = new Set<string>();
    this.entries = pins
      .filter(({ id }) => !pinIds.has(id) && pinIds.add(id))
      .map((pin) => {
        const entry = previousEntries.get(pin.id) ?? this.createElements(pin);
        previousEntries.delete(pin.id);
        this.updateElements(entry, pin);
        return entry;
      });
    for (const entry of previousEntries.values()) {
      entry.button.remove();
      entry.stem.remove();
    }
    let nextButton: ChildNode | null = this.stems.nextSibling;
    for (const { button } of this.entries) {
      // Moving an element removes its focus.
      if (button === nextButton) nextButton = button.nextSibling;
      else this.root.insertBefore(button, nextButton);
    }
    this.isMeasured = false;
    this.requestChecks();
  }

  /** Shows a pin at another position until the next call of set. */
  move(id: string, position: Vec3, stem: Vec3): void {
    const entry = this.entries.find(({ pin }) => pin.id === id);
    if (!entry) return;
    entry.pin = { ...entry.pin, position, stem };
    entry.discPosition = add(position, stem);
    this.requestChecks();
  }

  /** Returns the pin whose disc or label is at a point of the canvas. */
  findAt(x: number, y: number): Pin | undefined {
    const box = this.root.getBoundingClientRect();
    const element = document.elementFromPoint(x + box.left, y + box.top)?.closest("[data-pin]");
    return this.entries.find(({ button }) => button === element)?.pin;
  }

  setOpen(id: string | null): void {
    this.openId = id;
    for (const { pin, button } of this.entries) {
      button.toggleAttribute("data-open", pin.id === id);
      button.setAttribute("aria-expanded", String(pin.id === id));
    }
    this.requestLayout();
  }

  /** Marks the pin to which the camera flies, or none. It is shown even when it is outside of the view or hidden. */
  setTarget(id: string | null): void {
    this.targetId = id;
    this.requestLayout();
  }

  /** Sets the boxes that the page covers. Discs and labels stay outside of them. */
  setReservedBoxes(boxes: readonly Box[]): void {
    this.coveredBoxes = boxes;
    this.requestLayout();
  }

  /** Collapses the disc that shows its members. */
  collapse(): void {
    if (this.expandedId === null) return;
    this.expandedId = null;
    this.requestLayout();
  }

  /** Repeats the occlusion tests after the camera or the pins have moved. */
  requestChecks(): void {
    this.checksLeft = this.entries.length;
    this.requestLayout();
  }

  /**
   * Positions every pin for a frame. Returns whether some pins must still be tested.
   * @param isHidden whether something is between the camera and a pin; null when nothing hides pins
   * @param reservedBoxes boxes, besides those that the page covers, that discs and labels must not cover
   */
  update(
    pose: Pose,
    size: Size,
    isHidden: ((pin: Pin, disc: Vec3) => boolean) | null,
    reservedBoxes: readonly Box[] = [],
  ): boolean {
    // Videos request frames in which no pin moves.
    if (this.checksLeft === 0 && this.lastLayoutInput?.pose === pose && this.lastLayoutInput.size === size)
      return false;
    this.lastLayoutInput = { pose, size };
    if (!this.isMeasured) this.measure();
    this.checkOcclusion(isHidden);
    const { coveredBoxes } = this;
    const bottom = Math.max(0, ...coveredBoxes.map(({ top }) => size.height - top));
    const occupiedBoxes = [...coveredBoxes, ...reservedBoxes];
    // The disc of a pin that is not in view stays above the boxes at the bottom.
    const freeSize = { ...size, height: size.height - bottom };
    const project = createProjector(pose, size);
    const visiblePins: LabelPin[] = [];
    const feet = new Map<string, { x: number; y: number }>();
    for (const entry of this.entries) {
      const discPoint = project(entry.discPosition);
      const { x, y, depth } = discPoint;
      const focused = entry.button === document.activeElement;
      const margin = 12;
      const isInView =
        depth > DISC_DEPTH_MIN &&
        x > -margin &&
        y > -margin &&
        x < size.width + margin &&
        y < size.height + margin;
      const isRequested = entry.pin.id === this.openId || entry.pin.id === this.targetId;
      const visible = isRequested || (isInView && (!entry.isOccluded || focused));
      if (!visible) {
        // A hidden element would lose the focus, and a keyboard user the position in the page.
        setVisibility(entry.button, focused ? "transparent" : "hidden");
        entry.stem.hidden = true;
        continue;
      }
      const foot = project(entry.pin.position);
      if (isInView && foot.depth > DISC_DEPTH_MIN) feet.set(entry.pin.id, foot);
      visiblePins.push({
        id: entry.pin.id,
        ...(isInView
          ? placeDisc(discPoint, size, occupiedBoxes)
          : placeDisc(findScreenEdge(discPoint, size), freeSize, occupiedBoxes)),
        distance: distance(pose.position, entry.discPosition),
        width: entry.width,
        height: entry.height,
        emphasis: focused ? 3 : entry.isHovered ? 2 : isRequested ? 1 : 0,
      });
    }
    this.layout = layoutLabels(
      visiblePins,
      { size, expandedId: this.expandedId, bottom, reservedBoxes: occupiedBoxes },
      this.layout,
    );
    this.applyLayout(feet);
    return this.checksLeft > 0;
  }

  dispose(): void {
    this.root.remove();
    this.entries = [];
    this.layout = [];
  }

  /** Positions the pins again in the next frame. */
  private requestLayout(): void {
    this.lastLayoutInput = null;
    this.events.invalidate();
  }

  private checkOcclusion(isHidden: ((pin: Pin, disc: Vec3) => boolean) | null): void {
    if (!isHidden) {
      for (const entry of this.entries) entry.isOccluded = false;
      this.checksLeft = 0;
      return;
    }
    const checks = Math.min(CHECKS_PER_FRAME, this.checksLeft, this.entries.length);
    for (let count = 0; count < checks; count++) {
      this.nextCheck = (this.nextCheck + 1) % this.entries.length;
      const entry = this.entries[this.nextCheck];
      if (entry) entry.isOccluded = isHidden(entry.pin, entry.discPosition);
    }
    this.checksLeft -= checks;
  }

  private applyLayout(feet: ReadonlyMap<string, { x: number; y: number }>): void {
    const entriesById = new Map(this.entries.map((entry) => [entry.pin.id, entry]));
    this.layout.forEach((disc, order) => {
      const { x, y, side, members, isCovered } = disc;
      for (const member of members) {
        const entry = entriesById.get(member);
        if (!entry) continue;
        const isLeader = member === disc.id;
        const { button, stem, count, label } = entry;
        button.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
        button.style.zIndex = String(this.layout.length - order);
        setVisibility(button, isLeader && !isCovered ? "visible" : "transparent");
        const isCluster = isLeader && members.length > 1;
        count.textContent = isCluster ? String(members.length) : "";
        button.toggleAttribute("data-cluster", isCluster && side === null);
        button.title = isCluster && side === null ? this.options.messages.cluster(members.length) : "";
        label.dataset.side = side ?? "none";
        const foot = feet.get(member);
        stem.hidden = !foot;
        if (foot) {
          const dx = x - foot.x;
          const dy = y - foot.y;
          stem.style.transform = `translate(${foot.x}px, ${foot.y}px) rotate(${Math.atan2(dy, dx)}rad)`;
          stem.style.width = `${Math.hypot(dx, dy)}px`;
        }
      }
    });
  }

  private createElements(pin: Pin): PinElements {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.pin = pin.id;
    // While a position is chosen, a press on a pin chooses the surface behind it.
    button.className =
      "group/pin pointer-events-auto group-data-placing/stage:pointer-events-none absolute -top-5 -left-5 grid size-10 place-items-center rounded-full outline-none transition-opacity";
    const disc = document.createElement("span");
    disc.setAttribute("aria-hidden", "true");
    disc.className =
      "relative grid size-8 place-items-center rounded-full ring-2 ring-glass-ink outline-2 outline-offset-2 outline-glass group-hover/pin:ring-4 group-hover/pin:outline-offset-4 group-focus-visible/pin:ring-4 group-focus-visible/pin:outline-4 group-focus-visible/pin:outline-offset-4 group-data-open/pin:size-9 group-data-open/pin:ring-4 group-data-open/pin:outline-offset-4 group-data-draft/pin:opacity-75 group-data-draft/pin:ring-0 group-data-draft/pin:outline-dashed group-data-draft/pin:outline-glass-ink";
    const count = document.createElement("span");
    count.className =
      "absolute -top-2 -right-2 grid h-5 min-w-5 place-items-center rounded-full bg-glass-ink px-1 text-xs font-semibold text-glass empty:hidden group-data-cluster/pin:static group-data-cluster/pin:bg-transparent group-data-cluster/pin:text-sm group-data-cluster/pin:text-current";
    const label = document.createElement("span");
    // 2.625rem from the edge of a 40 px button is LABEL_OFFSET (core/label-layout) from its centre.
    label.className =
      "absolute flex w-max max-w-56 overflow-hidden rounded bg-glass px-2 py-1 text-sm leading-5 font-semibold whitespace-nowrap text-glass-ink transition-opacity group-data-open/pin:bg-glass-ink group-data-open/pin:text-glass data-[side=above]:bottom-[2.625rem] data-[side=above]:left-1/2 data-[side=above]:-translate-x-1/2 data-[side=below]:top-[2.625rem] data-[side=below]:left-1/2 data-[side=below]:-translate-x-1/2 data-[side=left]:right-[2.625rem] data-[side=none]:pointer-events-none data-[side=none]:left-[2.625rem] data-[side=none]:opacity-0 data-[side=right]:left-[2.625rem]";
    const stem = document.createElement("div");
    stem.className =
      "absolute top-0 left-0 h-0 origin-left border-t-2 border-glass-ink/80 before:absolute before:-top-[4px] before:-left-[3px] before:size-1.5 before:rounded-full before:bg-glass-ink";
    button.appendChild(disc);
    button.appendChild(label);
    const entry: PinElements = {
      pin,
      button,
      disc,
      count,
      label,
      stem,
      discPosition: [0, 0, 0],
      width: 0,
      height: 0,
      isOccluded: true,
      isHovered: false,
    };
    const hover = (isHovered: boolean) => () => {
      entry.isHovered = isHovered;
      this.requestLayout();
    };
    button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && hover(true)());
    button.addEventListener("pointerleave", hover(false));
    button.addEventListener("focus", () => this.requestLayout());
    button.addEventListener("blur", () => this.requestLayout());
    button.addEventListener("click", (event) => this.choose(entry.pin.id, event.detail > 0));
    this.stems.appendChild(stem);
    stem.hidden = true;
    setVisibility(button, "hidden");
    return entry;
  }

  private choose(id: string, byPointer: boolean): void {
    const group = this.layout.find((disc) => disc.id === id);
    const sharesDisc = byPointer && group !== undefined && group.members.length > 1;
    this.expandedId = sharesDisc ? id : null;
    if (sharesDisc) this.requestLayout();
    // A click on a shared disc only expands it, except when the visible name is that of the open pin: that pin is then opened, too.
    if (sharesDisc && this.openId !== id) return;
    // By key, the button of the open pin closes it, as its aria-expanded says. A click on it means its content, which stays open.
    if (!byPointer && this.openId === id) this.events.close();
    else this.events.open(id);
  }

  private updateElements(entry: PinElements, pin: Pin): void {
    entry.pin = pin;
    entry.discPosition = add(pin.position, pin.stem);
    const { label, labelEnd = "" } = pin;
    const start = document.createElement("span");
    start.className = "truncate";
    start.textContent = label.slice(0, label.length - labelEnd.length);
    const end = document.createElement("span");
    end.className = "max-w-full shrink-0 truncate whitespace-pre";
    end.textContent = labelEnd;
    entry.label.replaceChildren(start, end);
    entry.disc.style.backgroundColor = pin.color;
    entry.disc.style.color = contrastColor(pin.color);
    const icon = this.options.createIcon?.(pin.icon);
    if (icon) icon.classList.add("group-data-cluster/pin:hidden");
    entry.disc.replaceChildren(...(icon ? [icon] : []), entry.count);
    entry.button.setAttribute("aria-expanded", String(pin.id === this.openId));
    entry.button.toggleAttribute("data-open", pin.id === this.openId);
    entry.button.toggleAttribute("data-draft", pin.isDraft === true);
  }

  /** Clears the measured sizes, because font sizes may have changed. */
  forgetSizes(): void {
    this.isMeasured = false;
  }

  /** Reads the sizes of all labels at once, after they have all been written. */
  private measure(): void {
    this.isMeasured = true;
    for (const entry of this.entries) {
      entry.width = entry.label.offsetWidth;
      entry.height = entry.label.offsetHeight;
    }
  }
}

/** Sets the visibility of a button. A transparent button can be reached by keyboard, but is invisible and cannot be clicked. */
function setVisibility(button: HTMLButtonElement, how: "visible" | "transparent" | "hidden"): void {
  button.style.visibility = how === "hidden" ? "hidden" : "visible";
  button.style.opacity = how === "visible" ? "1" : "0";
  button.style.pointerEvents = how === "visible" ? "" : "none";
}
