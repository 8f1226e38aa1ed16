import type { AdapterOptions, Pin, Vec3 } from "../core/contract";
import { contrastColor } from "../core/contrast-color";
import type { Pose } from "../core/flight";
import { type LabelLayout, type LabelPin, layoutLabels, placeDisc } from "../core/label-layout";
import { type Box, createProjector, findScreenEdge, type Size } from "../core/projection";
import { add, distance } from "../core/vec";

/** Rays are cheap, but a hundred of them in a frame are not. */
const CHECKS_PER_FRAME = 24;
/** Nearer than this a disc would fill the eye. */
const NEAREST = 0.15;

interface PinElements {
  pin: Pin;
  readonly button: HTMLButtonElement;
  readonly disc: HTMLSpanElement;
  readonly count: HTMLSpanElement;
  readonly label: HTMLSpanElement;
  readonly stem: HTMLDivElement;
  disc3d: Vec3;
  width: number;
  height: number;
  hidden: boolean;
  hovered: boolean;
}

/** What the pins tell their viewer. */
export interface PinLayerEvents {
  open(id: string): void;
  /** Something about the pins changed that needs a frame. */
  invalidate(): void;
}

/**
 * The pins over a canvas: real buttons in the list's order, so that Tab and screen readers find them, each a disc with a label
 * on a stem. Where they are is the label layout's decision.
 */
export class PinLayer {
  private readonly root: HTMLDivElement;
  private readonly stems: HTMLDivElement;
  private readonly options: AdapterOptions;
  private readonly events: PinLayerEvents;
  private entries: PinElements[] = [];
  private layout: LabelLayout = [];
  private openId: string | null = null;
  private soughtId: string | null = null;
  private covered: readonly Box[] = [];
  private expanded: string | null = null;
  private nextCheck = 0;
  private checksLeft = 0;
  /** Whether the sizes of the labels are known. Reading them makes the browser lay out the page at once. */
  private isMeasured = false;
  /** For which camera the pins stand where they are; null when they have to be put anew. */
  private laid: { readonly pose: Pose; readonly size: Size } | null = null;

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

  /** Replaces all pins; those that stay keep their elements and with them the focus. */
  set(pins: readonly Pin[]): void {
    const before = new Map(this.entries.map((entry) => [entry.pin.id, entry]));
    const seen = new Set<string>();
    this.entries = pins
      .filter(({ id }) => !seen.has(id) && seen.add(id))
      .map((pin) => {
        const entry = before.get(pin.id) ?? this.create(pin);
        before.delete(pin.id);
        this.fill(entry, pin);
        return entry;
      });
    for (const entry of before.values()) {
      entry.button.remove();
      entry.stem.remove();
    }
    let next: ChildNode | null = this.stems.nextSibling;
    for (const { button } of this.entries) {
      // Moving an element takes the focus away from it.
      if (button === next) next = button.nextSibling;
      else this.root.insertBefore(button, next);
    }
    this.isMeasured = false;
    this.moved();
  }

  /** Shows one at another place until the next set(). */
  move(id: string, position: Vec3, stem: Vec3): void {
    const entry = this.entries.find(({ pin }) => pin.id === id);
    if (!entry) return;
    entry.pin = { ...entry.pin, position, stem };
    entry.disc3d = add(position, stem);
    this.moved();
  }

  /** The pin whose disc or label is under a point of the canvas. */
  at(x: number, y: number): Pin | undefined {
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
    this.touch();
  }

  /** Marks the pin that the visitor was led to, or none: it is shown even where the view from there leaves it out. */
  seek(id: string | null): void {
    this.soughtId = id;
    this.touch();
  }

  /** What the page covers: discs and labels leave it free. */
  keepFree(boxes: readonly Box[]): void {
    this.covered = boxes;
    this.touch();
  }

  /** Folds a disc that was opened to show its members. */
  fold(): void {
    if (this.expanded === null) return;
    this.expanded = null;
    this.touch();
  }

  /** The camera or the pins moved: what hides what must be found out again. */
  moved(): void {
    this.checksLeft = this.entries.length;
    this.touch();
  }

  /**
   * Puts every pin where it belongs in this frame. Answers whether some pins still have to be checked.
   * @param isHidden whether something stands between the camera and a pin; null where nothing hides anything.
   * @param keepFree what, besides what the page covers, discs and labels must not cover.
   */
  update(
    pose: Pose,
    size: Size,
    isHidden: ((pin: Pin, disc: Vec3) => boolean) | null,
    keepFree: readonly Box[] = [],
  ): boolean {
    // A film draws frames of its own, in which no pin moves.
    if (this.checksLeft === 0 && this.laid?.pose === pose && this.laid.size === size) return false;
    this.laid = { pose, size };
    if (!this.isMeasured) this.measure();
    this.check(isHidden);
    const { covered } = this;
    const bottom = Math.max(0, ...covered.map(({ top }) => size.height - top));
    const taken = [...covered, ...keepFree];
    // A pin at the edge has no place of its own: it stands where its label can be read as well.
    const free = { ...size, height: size.height - bottom };
    const project = createProjector(pose, size);
    const shown: LabelPin[] = [];
    const feet = new Map<string, { x: number; y: number }>();
    for (const entry of this.entries) {
      const seen = project(entry.disc3d);
      const { x, y, depth } = seen;
      const focused = entry.button === document.activeElement;
      const margin = 12;
      const inView =
        depth > NEAREST && x > -margin && y > -margin && x < size.width + margin && y < size.height + margin;
      const wanted = entry.pin.id === this.openId || entry.pin.id === this.soughtId;
      const visible = wanted || (inView && (!entry.hidden || focused));
      if (!visible) {
        // An element that is hidden loses the focus, and a keyboard user the place.
        show(entry.button, focused ? "faint" : "no");
        entry.stem.hidden = true;
        continue;
      }
      const foot = project(entry.pin.position);
      if (inView && foot.depth > NEAREST) feet.set(entry.pin.id, foot);
      shown.push({
        id: entry.pin.id,
        ...(inView ? placeDisc(seen, size, taken) : placeDisc(findScreenEdge(seen, size), free, taken)),
        distance: distance(pose.position, entry.disc3d),
        width: entry.width,
        height: entry.height,
        emphasis: focused ? 3 : entry.hovered ? 2 : wanted ? 1 : 0,
      });
    }
    this.layout = layoutLabels(
      shown,
      { size, expanded: this.expanded, bottom, reservedBoxes: taken },
      this.layout,
    );
    this.apply(feet);
    return this.checksLeft > 0;
  }

  dispose(): void {
    this.root.remove();
    this.entries = [];
    this.layout = [];
  }

  /** Something about the pins changed. */
  private touch(): void {
    this.laid = null;
    this.events.invalidate();
  }

  private check(isHidden: ((pin: Pin, disc: Vec3) => boolean) | null): void {
    if (!isHidden) {
      for (const entry of this.entries) entry.hidden = false;
      this.checksLeft = 0;
      return;
    }
    const checks = Math.min(CHECKS_PER_FRAME, this.checksLeft, this.entries.length);
    for (let count = 0; count < checks; count++) {
      this.nextCheck = (this.nextCheck + 1) % this.entries.length;
      const entry = this.entries[this.nextCheck];
      if (entry) entry.hidden = isHidden(entry.pin, entry.disc3d);
    }
    this.checksLeft -= checks;
  }

  private apply(feet: ReadonlyMap<string, { x: number; y: number }>): void {
    const byId = new Map(this.entries.map((entry) => [entry.pin.id, entry]));
    this.layout.forEach((disc, order) => {
      const { x, y, side, members, isCovered } = disc;
      for (const member of members) {
        const entry = byId.get(member);
        if (!entry) continue;
        const leads = member === disc.id;
        const { button, stem, count, label } = entry;
        button.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
        button.style.zIndex = String(this.layout.length - order);
        show(button, leads && !isCovered ? "yes" : "faint");
        const several = leads && members.length > 1;
        count.textContent = several ? String(members.length) : "";
        button.toggleAttribute("data-cluster", several && side === null);
        button.title = several && side === null ? this.options.messages.cluster(members.length) : "";
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

  private create(pin: Pin): PinElements {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.pin = pin.id;
    button.className =
      "group/pin pointer-events-auto absolute -top-5 -left-5 grid size-10 place-items-center rounded-full outline-none transition-opacity";
    const disc = document.createElement("span");
    disc.setAttribute("aria-hidden", "true");
    disc.className =
      "relative grid size-8 place-items-center rounded-full ring-2 ring-glass-ink outline-2 outline-offset-2 outline-glass group-hover/pin:ring-4 group-hover/pin:outline-offset-4 group-focus-visible/pin:ring-4 group-focus-visible/pin:outline-4 group-focus-visible/pin:outline-offset-4 group-data-open/pin:size-9 group-data-open/pin:ring-4 group-data-open/pin:outline-offset-4";
    const count = document.createElement("span");
    count.className =
      "absolute -top-2 -right-2 grid h-5 min-w-5 place-items-center rounded-full bg-glass-ink px-1 text-xs font-semibold text-glass empty:hidden group-data-cluster/pin:static group-data-cluster/pin:bg-transparent group-data-cluster/pin:text-sm group-data-cluster/pin:text-current";
    const label = document.createElement("span");
    // 2.625rem from the edge of a 40 px button is LABEL_OFFSET from its middle.
    label.className =
      "absolute max-w-56 truncate rounded bg-glass px-2 py-1 text-sm leading-5 font-semibold whitespace-nowrap text-glass-ink transition-opacity group-data-open/pin:bg-glass-ink group-data-open/pin:text-glass data-[side=above]:bottom-[2.625rem] data-[side=above]:left-1/2 data-[side=above]:-translate-x-1/2 data-[side=below]:top-[2.625rem] data-[side=below]:left-1/2 data-[side=below]:-translate-x-1/2 data-[side=left]:right-[2.625rem] data-[side=none]:pointer-events-none data-[side=none]:left-[2.625rem] data-[side=none]:opacity-0 data-[side=right]:left-[2.625rem]";
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
      disc3d: [0, 0, 0],
      width: 0,
      height: 0,
      hidden: true,
      hovered: false,
    };
    const hover = (hovered: boolean) => () => {
      entry.hovered = hovered;
      this.touch();
    };
    button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && hover(true)());
    button.addEventListener("pointerleave", hover(false));
    button.addEventListener("focus", () => this.touch());
    button.addEventListener("blur", () => this.touch());
    button.addEventListener("click", (event) => this.choose(entry.pin.id, event.detail > 0));
    this.stems.appendChild(stem);
    stem.hidden = true;
    show(button, "no");
    return entry;
  }

  private choose(id: string, byPointer: boolean): void {
    const group = this.layout.find((disc) => disc.id === id);
    if (byPointer && group && group.members.length > 1 && this.openId !== id) {
      this.expanded = id;
      this.touch();
      return;
    }
    this.expanded = null;
    this.events.open(id);
  }

  private fill(entry: PinElements, pin: Pin): void {
    entry.pin = pin;
    entry.disc3d = add(pin.position, pin.stem);
    entry.label.textContent = pin.label;
    entry.disc.style.backgroundColor = pin.color;
    entry.disc.style.color = contrastColor(pin.color);
    const icon = this.options.createIcon?.(pin.icon);
    if (icon) icon.classList.add("group-data-cluster/pin:hidden");
    entry.disc.replaceChildren(...(icon ? [icon] : []), entry.count);
    entry.button.setAttribute("aria-expanded", String(pin.id === this.openId));
    entry.button.toggleAttribute("data-open", pin.id === this.openId);
  }

  /** Letters may have another size than before. */
  resized(): void {
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

/** "faint" is there for the keyboard, but not to be seen or clicked. */
function show(button: HTMLButtonElement, how: "yes" | "faint" | "no"): void {
  button.style.visibility = how === "no" ? "hidden" : "visible";
  button.style.opacity = how === "yes" ? "1" : "0";
  button.style.pointerEvents = how === "yes" ? "auto" : "none";
}
