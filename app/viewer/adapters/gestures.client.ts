/** Fingers, mouse and keys on a host element, as moves in CSS pixels. */

/** The moves that keys ask for while they are held; each 0 or 1, opposite keys cancel out. */
export interface HeldKeys {
  /** −1 backwards … 1 forwards. */
  readonly forward: number;
  /** −1 left … 1 right. */
  readonly aside: number;
  /** −1 right … 1 left, as yaw grows. */
  readonly turn: number;
  /** −1 down … 1 up. */
  readonly tilt: number;
  readonly fast: boolean;
}

/** What gestures mean is the viewer's own affair: this is where they are told. */
export interface GestureHandlers {
  /** One finger, or the main button. */
  drag(dx: number, dy: number): void;
  /** Two fingers, or another button. */
  slide(dx: number, dy: number): void;
  /** Two fingers apart (> 1) or together (< 1). */
  pinch(factor: number): void;
  /** Zoom by the wheel, > 1 closer. */
  wheel(factor: number): void;
  /** A click or tap on the canvas itself. */
  tap(x: number, y: number): void;
  /** The mouse is over a point of the canvas without a button, or has left it (null). */
  hover(point: { x: number; y: number } | null): void;
  /** A key was pressed that is not held for a move. Answers whether it meant something. */
  press(key: string): boolean;
  /** Whether held keys changed: ask held(). */
  move(): void;
  /** The visitor takes over: what moves by itself stops. */
  grab(): void;
  /** The last finger was lifted after a drag. @param vx, vy pixels a millisecond. */
  release(vx: number, vy: number): void;
  /** A press began at a point of the canvas, or on a pin there. Answers whether it takes hold of something that can be carried. */
  take(x: number, y: number): boolean;
  /** What was taken is carried over a point of the canvas. */
  carry(x: number, y: number): void;
  /** What was carried is put down where it is; or, when the browser or another finger broke off, where it was. */
  drop(how: "put" | "back"): void;
}

/** A press that moves farther is a drag. */
const SLOP = { mouse: 4, touch: 10 };
/** Key names that move while they are held, by KeyboardEvent.code, so that WASD is a place on every keyboard. */
const HELD: Readonly<Record<string, readonly [keyof Omit<HeldKeys, "fast">, number]>> = {
  KeyW: ["forward", 1],
  ArrowUp: ["forward", 1],
  KeyS: ["forward", -1],
  ArrowDown: ["forward", -1],
  KeyA: ["aside", -1],
  KeyD: ["aside", 1],
  KeyQ: ["turn", 1],
  ArrowLeft: ["turn", 1],
  KeyE: ["turn", -1],
  ArrowRight: ["turn", -1],
  PageUp: ["tilt", 1],
  PageDown: ["tilt", -1],
};

/** Listens to one host element from its construction to dispose. */
export class Gestures {
  private readonly host: HTMLElement;
  private readonly canvas: HTMLCanvasElement;
  private readonly handlers: GestureHandlers;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private readonly keys = new Set<string>();
  private readonly stop = new AbortController();
  private fast = false;
  private dragging = false;
  /** The press has hold of something; `carrying` once it moves. */
  private taken = false;
  private carrying = false;
  private startX = 0;
  private startY = 0;
  private startedOnCanvas = false;
  private button = 0;
  private lastMove = 0;
  private vx = 0;
  private vy = 0;

  /** Listens on the host, so that a drag may begin on a pin as well, until dispose is called. */
  constructor(host: HTMLElement, canvas: HTMLCanvasElement, handlers: GestureHandlers) {
    this.host = host;
    this.canvas = canvas;
    this.handlers = handlers;
    const { signal } = this.stop;
    // A drag that begins on a pin must not scroll the page either.
    host.style.touchAction = "none";
    host.addEventListener("pointerdown", this.onDown, { signal });
    host.addEventListener("pointermove", this.onMove, { signal });
    host.addEventListener("pointerup", this.onUp, { signal });
    host.addEventListener("pointercancel", this.onCancel, { signal });
    // A finger's own capture by the canvas ends when the host takes it over.
    host.addEventListener("lostpointercapture", (event) => event.target === host && this.onCancel(event), {
      signal,
    });
    host.addEventListener("pointerleave", () => handlers.hover(null), { signal });
    host.addEventListener("click", this.onClick, { signal, capture: true });
    host.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    host.addEventListener("wheel", this.onWheel, { signal, passive: false });
    host.addEventListener("keydown", this.onKeyDown, { signal });
    host.addEventListener("keyup", this.onKeyUp, { signal });
    host.addEventListener(
      "focusout",
      () => {
        this.letGo();
        host.removeAttribute("data-pointed");
      },
      { signal },
    );
    // A key that is lifted in another window is never heard.
    window.addEventListener("blur", () => this.letGo(), { signal });
  }

  /** What the held keys ask for now. */
  held(): HeldKeys {
    const sum = { forward: 0, aside: 0, turn: 0, tilt: 0 };
    for (const code of this.keys) {
      const meaning = HELD[code];
      if (meaning) sum[meaning[0]] = Math.max(-1, Math.min(1, sum[meaning[0]] + meaning[1]));
    }
    return { ...sum, fast: this.fast };
  }

  dispose(): void {
    this.stop.abort();
    this.host.style.touchAction = "";
    this.pointers.clear();
    this.keys.clear();
  }

  private letGo(): void {
    if (this.keys.size === 0) return;
    this.keys.clear();
    this.handlers.move();
  }

  private readonly onDown = (event: PointerEvent): void => {
    if (event.pointerType === "mouse" && event.button > 2) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size > 1) {
      this.putDown("back");
      this.beginDrag(event.pointerId);
      return;
    }
    const at = this.onCanvas(event);
    this.taken = event.button === 0 && this.handlers.take(at.x, at.y);
    this.startX = event.clientX;
    this.startY = event.clientY;
    this.startedOnCanvas = event.target === this.canvas;
    this.button = event.button;
    this.dragging = false;
    this.vx = 0;
    this.vy = 0;
    this.lastMove = event.timeStamp;
    if (this.startedOnCanvas) {
      this.canvas.focus({ preventScroll: true });
      // Browsers take a focus by script for one by key; the page shows the focus to whoever uses keys.
      this.host.toggleAttribute("data-pointed", true);
    }
    this.handlers.grab();
  };

  private beginDrag(pointerId: number): void {
    this.dragging = true;
    this.handlers.hover(null);
    // The pointer may have been lifted in the meantime.
    if (this.pointers.has(pointerId)) this.host.setPointerCapture(pointerId);
  }

  private readonly onMove = (event: PointerEvent): void => {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") this.hover(event);
      return;
    }
    const dx = event.clientX - before.x;
    const dy = event.clientY - before.y;
    if (!this.dragging) {
      const slop = event.pointerType === "mouse" ? SLOP.mouse : SLOP.touch;
      if (Math.hypot(event.clientX - this.startX, event.clientY - this.startY) < slop) return;
      this.beginDrag(event.pointerId);
      this.carrying = this.taken && this.pointers.size === 1;
    }
    if (this.carrying) {
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const at = this.onCanvas(event);
      this.handlers.carry(at.x, at.y);
      return;
    }
    if (this.pointers.size === 1) {
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const elapsed = Math.max(1, event.timeStamp - this.lastMove);
      this.lastMove = event.timeStamp;
      this.vx = this.vx * 0.6 + (dx / elapsed) * 0.4;
      this.vy = this.vy * 0.6 + (dy / elapsed) * 0.4;
      if (this.button === 0 && !event.shiftKey) this.handlers.drag(dx, dy);
      else this.handlers.slide(dx, dy);
      return;
    }
    const [a, b] = this.pointers.values();
    if (!a || !b) return;
    const spread = Math.hypot(a.x - b.x, a.y - b.y);
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [c, d] = this.pointers.values();
    if (!c || !d) return;
    const newSpread = Math.hypot(c.x - d.x, c.y - d.y);
    this.vx = 0;
    this.vy = 0;
    this.handlers.slide((c.x + d.x) / 2 - middle.x, (c.y + d.y) / 2 - middle.y);
    if (spread > 8 && newSpread > 8) this.handlers.pinch(newSpread / spread);
  };

  private hover(event: PointerEvent): void {
    if (event.target !== this.canvas) {
      this.handlers.hover(null);
      return;
    }
    this.handlers.hover(this.onCanvas(event));
  }

  private onCanvas(event: PointerEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private putDown(how: "put" | "back"): void {
    this.taken = false;
    if (!this.carrying) return;
    this.carrying = false;
    this.handlers.drop(how);
  }

  private readonly onUp = (event: PointerEvent): void => {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
    if (this.carrying) {
      this.putDown("put");
      return;
    }
    this.taken = false;
    if (this.dragging) {
      const still = event.timeStamp - this.lastMove > 60;
      this.handlers.release(still ? 0 : this.vx, still ? 0 : this.vy);
      return;
    }
    if (!this.startedOnCanvas || event.button !== 0) return;
    const { x, y } = this.onCanvas(event);
    this.handlers.tap(x, y);
  };

  private readonly onCancel = (event: PointerEvent): void => {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
    this.putDown("back");
    this.handlers.release(0, 0);
  };

  /** The click that ends a drag opens nothing. */
  private readonly onClick = (event: MouseEvent): void => {
    if (!this.dragging || event.detail === 0) return;
    this.dragging = false;
    event.preventDefault();
    event.stopPropagation();
  };

  private readonly onWheel = (event: WheelEvent): void => {
    // A page that scrolls keeps its wheel until the visitor has entered the space.
    const page = document.documentElement;
    const scrolls = page.scrollHeight > page.clientHeight + 1;
    if (scrolls && !event.ctrlKey && !this.host.contains(document.activeElement)) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
    // Pinching on a touchpad arrives as a wheel with Ctrl and small steps.
    const pixels = event.deltaY * lines * (event.ctrlKey ? 6 : 1);
    this.handlers.wheel(Math.exp(-Math.max(-300, Math.min(300, pixels)) / 700));
  };

  private readonly onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape" && this.carrying) {
      event.preventDefault();
      this.putDown("back");
      return;
    }
    this.host.removeAttribute("data-pointed");
    this.fast = event.shiftKey;
    if (HELD[event.code]) {
      event.preventDefault();
      if (!this.keys.has(event.code)) {
        if (event.repeat || this.handlers.press(event.code)) return;
        this.keys.add(event.code);
        this.handlers.grab();
      }
      this.handlers.move();
      return;
    }
    if (this.handlers.press(event.key)) event.preventDefault();
  };

  private readonly onKeyUp = (event: KeyboardEvent): void => {
    this.fast = event.shiftKey;
    if (this.keys.delete(event.code)) this.handlers.move();
  };
}
