import type { AdapterMessages, Vec3 } from "../core/contract";
import type { Pose } from "../core/flight";
import { type Box, createProjector, type Size } from "../core/projection";

/** A panorama node to which the visitor can step. */
export interface LinkedNode {
  readonly id: string;
  readonly title: string;
  /** Its position on the floor. */
  readonly position: Vec3;
}

interface NodeButton {
  readonly node: LinkedNode;
  readonly button: HTMLButtonElement;
  /** Box of the button on the screen, or null while it is outside. */
  box: Box | null;
}

/** Half the size of a button in CSS pixels: about the size of a ring from a few metres away. */
const HALF_SIZE = { width: 32, height: 24 };

/**
 * Buttons over the rings that mark linked nodes on the floor. The adapter draws the rings in perspective; the buttons provide the accessible
 * name, the focus and the click.
 */
export class NodeButtonLayer {
  private readonly root: HTMLDivElement;
  private readonly messages: AdapterMessages;
  private readonly requestStep: (id: string) => void;
  private entries: NodeButton[] = [];

  constructor(host: HTMLElement, messages: AdapterMessages, requestStep: (id: string) => void) {
    this.messages = messages;
    this.requestStep = requestStep;
    this.root = document.createElement("div");
    this.root.className = "pointer-events-none absolute inset-0 overflow-hidden";
    // The buttons are below the pins, which are nearer to the camera than the floor.
    host.insertBefore(this.root, host.querySelector("canvas")?.nextSibling ?? null);
  }

  setNodes(nodes: readonly LinkedNode[]): void {
    const focused = this.entries.find(({ button }) => button === document.activeElement);
    for (const { button } of this.entries) button.remove();
    this.entries = nodes.map((node) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.node = node.id;
      button.setAttribute("aria-label", this.messages.stepTo(node.title));
      button.className =
        "group/node pointer-events-auto absolute -top-6 -left-8 grid h-12 w-16 place-items-center rounded-full focus-visible:outline-3 focus-visible:outline-offset-0 focus-visible:outline-glass-ink focus-visible:ring-6 focus-visible:ring-glass data-wait:animate-breathe";
      const label = document.createElement("span");
      label.textContent = node.title;
      label.className =
        "pointer-events-none absolute top-full max-w-56 truncate rounded bg-glass px-2 py-1 text-sm leading-5 font-semibold whitespace-nowrap text-glass-ink opacity-0 transition-opacity group-hover/node:opacity-100 group-focus-visible/node:opacity-100";
      button.appendChild(label);
      button.addEventListener("click", () => this.requestStep(node.id));
      this.root.appendChild(button);
      return { node, button, box: null };
    });
    // A focused button is removed by the step, so the focus moves to the canvas.
    if (focused) this.root.parentElement?.querySelector("canvas")?.focus({ preventScroll: true });
  }

  /** Marks the node whose image is being loaded, or none. */
  markLoading(id: string | null): void {
    for (const { node, button } of this.entries) button.toggleAttribute("data-wait", node.id === id);
  }

  update(pose: Pose, size: Size): void {
    const project = createProjector(pose, size);
    for (const entry of this.entries) {
      const { node, button } = entry;
      const { x, y, depth } = project(node.position);
      const isVisible = depth > 0.2 && x > 0 && y > 0 && x < size.width && y < size.height;
      button.style.visibility = isVisible ? "visible" : "hidden";
      entry.box = isVisible
        ? {
            left: x - HALF_SIZE.width,
            top: y - HALF_SIZE.height,
            right: x + HALF_SIZE.width,
            bottom: y + HALF_SIZE.height,
          }
        : null;
      if (isVisible) button.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
    }
  }

  /** Returns the boxes of the buttons after the last update. */
  listBoxes(): Box[] {
    return this.entries.flatMap(({ box }) => box ?? []);
  }

  dispose(): void {
    this.root.remove();
    this.entries = [];
  }
}
