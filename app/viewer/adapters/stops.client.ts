import type { AdapterMessages, Vec3 } from "../core/contract";
import type { Pose } from "../core/flight";
import { type Box, createProjector, type Size } from "../core/projection";

/** A place one can step to. */
export interface Stop {
  readonly id: string;
  readonly title: string;
  /** On the floor. */
  readonly position: Vec3;
}

interface StopElement {
  readonly stop: Stop;
  readonly button: HTMLButtonElement;
  /** Where the button is on the screen, or null while it is not. */
  box: Box | null;
}

/** Half the size of a button, in CSS pixels: as wide as a ring looks from a few metres away. */
const HALF = { width: 32, height: 24 };

/**
 * Buttons over the rings on the floor: the ring is drawn by the adapter, in perspective; the button carries the name, the focus
 * and the click.
 */
export class StopLayer {
  private readonly root: HTMLDivElement;
  private readonly words: AdapterMessages;
  private readonly go: (id: string) => void;
  private entries: StopElement[] = [];

  constructor(host: HTMLElement, words: AdapterMessages, go: (id: string) => void) {
    this.words = words;
    this.go = go;
    this.root = document.createElement("div");
    this.root.className = "pointer-events-none absolute inset-0 overflow-hidden";
    // Below the pins, which are nearer to the eye than the floor.
    host.insertBefore(this.root, host.querySelector("canvas")?.nextSibling ?? null);
  }

  set(stops: readonly Stop[]): void {
    const focused = this.entries.find(({ button }) => button === document.activeElement);
    for (const { button } of this.entries) button.remove();
    this.entries = stops.map((stop) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.stop = stop.id;
      button.setAttribute("aria-label", this.words.stepTo(stop.title));
      button.className =
        "group/stop pointer-events-auto absolute -top-6 -left-8 grid h-12 w-16 place-items-center rounded-full focus-visible:outline-3 focus-visible:outline-offset-0 focus-visible:outline-glass-ink focus-visible:ring-6 focus-visible:ring-glass data-wait:animate-breathe";
      const label = document.createElement("span");
      label.textContent = stop.title;
      label.className =
        "pointer-events-none absolute top-full max-w-56 truncate rounded bg-glass px-2 py-1 text-sm leading-5 font-semibold whitespace-nowrap text-glass-ink opacity-0 transition-opacity group-hover/stop:opacity-100 group-focus-visible/stop:opacity-100";
      button.appendChild(label);
      button.addEventListener("click", () => this.go(stop.id));
      this.root.appendChild(button);
      return { stop, button, box: null };
    });
    // The ring under a keyboard user's feet is gone after the step: the space itself takes over.
    if (focused) this.root.parentElement?.querySelector("canvas")?.focus({ preventScroll: true });
  }

  /** Marks the place whose picture is still on its way, or none. */
  wait(id: string | null): void {
    for (const { stop, button } of this.entries) button.toggleAttribute("data-wait", stop.id === id);
  }

  update(pose: Pose, size: Size): void {
    const project = createProjector(pose, size);
    for (const entry of this.entries) {
      const { stop, button } = entry;
      const { x, y, depth } = project(stop.position);
      const shown = depth > 0.2 && x > 0 && y > 0 && x < size.width && y < size.height;
      button.style.visibility = shown ? "visible" : "hidden";
      entry.box = shown
        ? { left: x - HALF.width, top: y - HALF.height, right: x + HALF.width, bottom: y + HALF.height }
        : null;
      if (shown) button.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    }
  }

  /** The parts of the screen that take clicks, as of the last update. */
  boxes(): Box[] {
    return this.entries.flatMap(({ box }) => box ?? []);
  }

  dispose(): void {
    this.root.remove();
    this.entries = [];
  }
}
