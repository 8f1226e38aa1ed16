import type { AdapterOptions, Pin, ViewerTool, Viewpoint } from "../core/contract";
import type { Emitter } from "../core/emitter";
import { ShowcaseCamera } from "./showcase-camera.client";
import { disconnect } from "./showcase-connection.client";
import { ShowcasePlacing } from "./showcase-placing.client";
import type { ShowcaseSdk } from "./showcase-sdk";
import { ShowcaseTags } from "./showcase-tags.client";

/**
 * Camera, tags and placing of a connected showcase. The constructor throws when the showcase lacks what the camera or the tags need. The caller must
 * then end the connection.
 */
export class ConnectedShowcase {
  readonly tags: ShowcaseTags;
  private readonly sdk: ShowcaseSdk;
  private readonly layer: HTMLElement;
  private readonly options: AdapterOptions;
  private readonly camera: ShowcaseCamera;
  private readonly placing: ShowcasePlacing;

  constructor(
    sdk: ShowcaseSdk,
    frame: HTMLElement,
    { options, emitter }: { readonly options: AdapterOptions; readonly emitter: Emitter },
  ) {
    this.sdk = sdk;
    this.options = options;
    this.layer = document.createElement("div");
    this.layer.className = "pointer-events-none absolute inset-0 overflow-clip";
    // The chip shows the name of the tag under the pointer.
    const chip = document.createElement("span");
    chip.hidden = true;
    // The accessible list contains the same text.
    chip.ariaHidden = "true";
    chip.className =
      "absolute top-0 left-0 max-w-60 truncate rounded bg-glass px-2 py-1 text-sm text-glass-ink backdrop-blur";
    const button = document.createElement("button");
    button.type = "button";
    button.hidden = true;
    button.title = options.messages.placeAtPosition;
    button.setAttribute("aria-label", options.messages.placeAtPosition);
    button.dataset.place = "";
    button.className =
      "pointer-events-auto absolute top-0 left-0 size-11 cursor-crosshair rounded-full border-3 border-glass-ink bg-glass/40 shadow-[0_0_0_2px_#15171c] after:absolute after:inset-0 after:m-auto after:size-2 after:rounded-full after:bg-glass-ink focus-visible:outline-glass-ink";
    this.layer.appendChild(chip);
    this.layer.appendChild(button);
    frame.insertAdjacentElement("afterend", this.layer);
    let camera: ShowcaseCamera | null = null;
    try {
      camera = new ShowcaseCamera(sdk, emitter);
      this.camera = camera;
      this.tags = new ShowcaseTags(sdk, frame, chip, (id) => emitter.emit("pinopen", id));
      this.placing = new ShowcasePlacing(sdk, frame, button, (hit) => emitter.emit("place", hit));
    } catch (cause) {
      camera?.dispose();
      this.layer.remove();
      throw cause;
    }
  }

  get viewpoint(): Viewpoint | null {
    return this.camera.viewpoint;
  }

  setTool(tool: ViewerTool): void {
    this.placing.setActive(tool === "place");
  }

  goTo(target: Viewpoint | Pin, instant: boolean): Promise<void> {
    return this.camera.requestMove(target, instant || this.options.prefersReducedMotion());
  }

  setMode(mode: Viewpoint["mode"]): void {
    const { viewpoint, lastWalkViewpoint } = this.camera;
    if (!viewpoint || viewpoint.mode === mode) return;
    const { nodeId: _, ...view } = viewpoint;
    const walkViewpoint = mode === "walk" ? lastWalkViewpoint : null;
    // The camera rejects a mode that the showcase does not have.
    this.goTo(walkViewpoint ?? { ...view, mode }, false).catch(() => {});
  }

  dispose(): void {
    this.placing.dispose();
    this.tags.dispose();
    this.camera.dispose();
    this.layer.remove();
    disconnect(this.sdk);
  }
}
