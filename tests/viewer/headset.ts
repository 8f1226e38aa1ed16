/** A fake headset. It implements the part of WebXR that the viewer needs for a session, and draws on the page's own canvas. */

/** Controls of the headset for tests. */
export interface Headset {
  /** Number of frames that it has begun to draw, in all sessions. */
  frames: number;
  /** Pushes its controller's stick sideways: −1 is left, 1 is right, 0 releases it. */
  push(amount: number): void;
  end(): void;
  /** Rejects all further sessions. */
  rejectSessions(): void;
}

declare global {
  interface Window {
    headset: Headset;
  }
}

/**
 * Runs in the page and installs the headset as navigator.xr. Its wearer's eyes are half a metre to the right of the centre, 1.7
 * metres above the floor.
 */
export function installHeadset(): void {
  const axes = [0, 0, 0, 0];
  let rejected = false;
  let gl: WebGL2RenderingContext | null = null;
  const eye = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 1.7, 0, 1];
  // The field of view is 90 degrees horizontally and vertically; objects between 10 cm and 100 m are visible.
  const projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.002, -1, 0, 0, -0.2002, 0];
  const view = { eye: "none", transform: { matrix: eye }, projectionMatrix: projection };
  const frame = { getViewerPose: () => ({ transform: { matrix: eye }, views: [view] }), getPose: () => null };
  class Session extends EventTarget {
    inputSources = [{ handedness: "right", gamepad: { axes }, profiles: [] }];
    enabledFeatures: string[] = [];
    environmentBlendMode = "opaque";
    renderState: object = {};
    requestReferenceSpace = async () => new EventTarget();
    updateRenderState(state: object) {
      this.renderState = { ...this.renderState, ...state };
    }
    requestAnimationFrame(draw: (time: number, frame: unknown) => void) {
      return window.setTimeout(() => {
        window.headset.frames++;
        draw(performance.now(), frame);
        // Waits until the frame is drawn, as a device does, so that software rendering does not fall behind.
        gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      }, 100);
    }
    cancelAnimationFrame(handle: number) {
      clearTimeout(handle);
    }
  }
  class Layer {
    framebuffer = null;
    framebufferWidth = 320;
    framebufferHeight = 210;
    constructor(_session: unknown, context: WebGL2RenderingContext) {
      gl = context;
    }
    getViewport() {
      return { x: 0, y: 0, width: this.framebufferWidth, height: this.framebufferHeight };
    }
  }
  let session = new Session();
  const xr = {
    isSessionSupported: async () => true,
    requestSession: async () => {
      if (rejected) throw new DOMException("No", "NotAllowedError");
      session = new Session();
      return session;
    },
  };
  Object.defineProperty(navigator, "xr", { value: xr, configurable: true });
  Object.assign(window, { XRWebGLLayer: Layer, XRWebGLBinding: class {} });
  WebGL2RenderingContext.prototype.makeXRCompatible = async () => {};
  window.headset = {
    frames: 0,
    push: (amount) => {
      axes[2] = amount;
    },
    end: () => session.dispatchEvent(new Event("end")),
    rejectSessions: () => {
      rejected = true;
    },
  };
}
