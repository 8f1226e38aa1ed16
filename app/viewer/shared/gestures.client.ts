/** Translates touch, mouse and keyboard input on a host element into gestures. Positions and distances are CSS pixels. */

/** Moves of the keys that are held. Opposite keys cancel each other out. */
export interface HeldKeys {
  /** −1 backwards … 1 forwards. */
  readonly forward: number;
  /** −1 left … 1 right. */
  readonly aside: number;
  /** 1 turns left, which increases the yaw; −1 turns right. */
  readonly turn: number;
  /** −1 down … 1 up. */
  readonly tilt: number;
  readonly fast: boolean;
}

/** Handlers of gestures. The viewer decides what a gesture does. */
export interface GestureHandlers {
  /** A move with one finger or the main button. */
  drag(dx: number, dy: number): void;
  /** A move with two fingers, with another button, or with Shift. */
  slide(dx: number, dy: number): void;
  /** Two fingers move apart (> 1) or together (< 1). */
  pinch(factor: number): void;
  /** The wheel zooms in (> 1) or out (< 1). */
  wheel(factor: number): void;
  /** A click or tap on the canvas. */
  tap(x: number, y: number): void;
  /** The mouse moves over the canvas without a button, or leaves it (null). */
  hover(point: { x: number; y: number } | null): void;
  /**
   * A key was pressed.
   * @param key KeyboardEvent.code of a key that moves the camera while it is held, and KeyboardEvent.key of others
   * @returns whether the key was used; a used key is not also held
   */
  press(key: string): boolean;
  /** The held keys may have changed: see readHeldKeys. */
  heldKeysChange(): void;
  /** The visitor takes control, so automatic moves stop. */
  takeControl(): void;
  /**
   * The last finger or button was released after a drag, or the browser interrupted a press.
   * @param vx horizontal speed in pixels per millisecond
   * @param vy vertical speed in pixels per millisecond
   */
  release(vx: number, vy: number): void;
  /** A press began at a point of the canvas, or on a pin. Returns whether there is an object that can be dragged. */
  grabObject(x: number, y: number): boolean;
  /** The grabbed object is dragged over a point of the canvas. */
  dragObject(x: number, y: number): void;
  /**
   * The dragged object is released: "put" at its current position, or "back" at its start when Escape, another finger or the
   * browser interrupted the drag.
   */
  releaseObject(how: "put" | "back"): void;
}

/** Distance in CSS pixels from which a press becomes a drag. */
const DRAG_DISTANCE_MIN = { mouse: 4, touch: 10 };
/** Keys that move the camera while they are held, by KeyboardEvent.code, so that WASD has the same place on every keyboard layout. */
const HELD_KEYS: Readonly<Record<string, readonly [keyof Omit<HeldKeys, "fast">, number]>> = {
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
  private readonly disposal = new AbortController();
  private fast = false;
  private isDragging = false;
  /** Whether the press is on an object that can be dragged, and whether that object is being moved. */
  private hasGrabbed = false;
  private isDraggingObject = false;
  private startX = 0;
  private startY = 0;
  private startedOnCanvas = false;
  private button = 0;
  private lastMoveTime = 0;
  private vx = 0;
  private vy = 0;

  /** Listens on the host, so that a drag may also begin on a pin, until dispose is called. */
  constructor(host: HTMLElement, canvas: HTMLCanvasElement, handlers: GestureHandlers) {
    this.host = host;
    this.canvas = canvas;
    this.handlers = handlers;
    const { signal } = this.disposal;
    // A drag that begins on a pin must not scroll the page.
    host.style.touchAction = "none";
    host.addEventListener("pointerdown", this.onDown, { signal });
    host.addEventListener("pointermove", this.onMove, { signal });
    host.addEventListener("pointerup", this.onUp, { signal });
    host.addEventListener("pointercancel", this.onCancel, { signal });
    // The canvas's implicit pointer capture ends when the host captures the pointer. That event is ignored.
    host.addEventListener("lostpointercapture", (event) => event.target === host && this.onCancel(event), {
      signal,
    });
    host.addEventListener("pointerleave", () => handlers.hover(null), { signal });
    host.addEventListener("touchend", this.onTouchEnd, { signal, passive: false });
    host.addEventListener("click", this.onClick, { signal, capture: true });
    host.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    host.addEventListener("wheel", this.onWheel, { signal, passive: false });
    host.addEventListener("keydown", this.onKeyDown, { signal });
    host.addEventListener("keyup", this.onKeyUp, { signal });
    host.addEventListener(
      "focusout",
      () => {
        this.releaseKeys();
        host.removeAttribute("data-pointed");
      },
      { signal },
    );
    // Browsers do not report a key that is released in another window.
    window.addEventListener("blur", () => this.releaseKeys(), { signal });
  }

  /** Returns the moves of the keys that are held now. */
  readHeldKeys(): HeldKeys {
    const moves = { forward: 0, aside: 0, turn: 0, tilt: 0 };
    for (const code of this.keys) {
      const meaning = HELD_KEYS[code];
      if (meaning) moves[meaning[0]] = Math.max(-1, Math.min(1, moves[meaning[0]] + meaning[1]));
    }
    return { ...moves, fast: this.fast };
  }

  dispose(): void {
    this.disposal.abort();
    this.host.style.touchAction = "";
    this.pointers.clear();
    this.keys.clear();
  }

  private releaseKeys(): void {
    if (this.keys.size === 0) return;
    this.keys.clear();
    this.handlers.heldKeysChange();
  }

  private readonly onDown = (event: PointerEvent): void => {
    if (event.pointerType === "mouse" && event.button > 2) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pointers.size > 1) {
      this.endObjectDrag("back");
      this.beginDrag(event.pointerId);
      return;
    }
    const point = this.toCanvasPoint(event);
    this.hasGrabbed = event.button === 0 && this.handlers.grabObject(point.x, point.y);
    this.startX = event.clientX;
    this.startY = event.clientY;
    this.startedOnCanvas = event.target === this.canvas;
    this.button = event.button;
    this.isDragging = false;
    this.vx = 0;
    this.vy = 0;
    this.lastMoveTime = event.timeStamp;
    if (this.startedOnCanvas) {
      this.canvas.focus({ preventScroll: true });
      // Browsers treat a focus set by a script like one set by the keyboard. With this attribute, the page shows the focus frame only to keyboard
      // users.
      this.host.toggleAttribute("data-pointed", true);
    }
    this.handlers.takeControl();
  };

  private beginDrag(pointerId: number): void {
    this.isDragging = true;
    this.handlers.hover(null);
    this.host.setPointerCapture(pointerId);
  }

  private readonly onMove = (event: PointerEvent): void => {
    const previousPoint = this.pointers.get(event.pointerId);
    if (!previousPoint) {
      if (event.pointerType === "mouse") this.hover(event);
      return;
    }
    const dx = event.clientX - previousPoint.x;
    const dy = event.clientY - previousPoint.y;
    if (!this.isDragging) {
      const dragDistanceMin =
        event.pointerType === "mouse" ? DRAG_DISTANCE_MIN.mouse : DRAG_DISTANCE_MIN.touch;
      if (Math.hypot(event.clientX - this.startX, event.clientY - this.startY) < dragDistanceMin) return;
      this.beginDrag(event.pointerId);
      this.isDraggingObject = this.hasGrabbed && this.pointers.size === 1;
    }
    if (this.isDraggingObject) {
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const point = this.toCanvasPoint(event);
      this.handlers.dragObject(point.x, point.y);
      return;
    }
    if (this.pointers.size === 1) {
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const elapsed = Math.max(1, event.timeStamp - this.lastMoveTime);
      this.lastMoveTime = event.timeStamp;
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
    this.handlers.hover(this.toCanvasPoint(event));
  }

  private toCanvasPoint(event: PointerEvent): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  private endObjectDrag(how: "put" | "back"): void {
    this.hasGrabbed = false;
    if (!this.isDraggingObject) return;
    this.isDraggingObject = false;
    this.handlers.releaseObject(how);
  }

  private readonly onUp = (event: PointerEvent): void => {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
    if (this.isDraggingObject) {
      this.endObjectDrag("put");
      return;
    }
    this.hasGrabbed = false;
    if (this.isDragging) {
      const isStationary = event.timeStamp - this.lastMoveTime > 60;
      this.handlers.release(isStationary ? 0 : this.vx, isStationary ? 0 : this.vy);
      return;
    }
    if (!this.startedOnCanvas || event.button !== 0) return;
    const { x, y } = this.toCanvasPoint(event);
    this.handlers.tap(x, y);
  };

  private readonly onCancel = (event: PointerEvent): void => {
    if (!this.pointers.delete(event.pointerId) || this.pointers.size > 0) return;
    this.endObjectDrag("back");
    this.handlers.release(0, 0);
  };

  /**
   * Suppresses the mouse events and the click that browsers send after a tap. After the tap, controls of the page may have moved to its position, and
   * the click would press them.
   */
  private readonly onTouchEnd = (event: TouchEvent): void => {
    if (this.startedOnCanvas && event.cancelable) event.preventDefault();
  };

  /** Suppresses the click at the end of a drag. */
  private readonly onClick = (event: MouseEvent): void => {
    if (!this.isDragging || event.detail === 0) return;
    this.isDragging = false;
    event.preventDefault();
    event.stopPropagation();
  };

  private readonly onWheel = (event: WheelEvent): void => {
    // A page that scrolls receives the wheel until the visitor has focused the space.
    const page = document.documentElement;
    const pageScrolls = page.scrollHeight > page.clientHeight + 1;
    if (pageScrolls && !event.ctrlKey && !this.host.contains(document.activeElement)) return;
    event.preventDefault();
    const pixelsPerUnit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
    // Pinching on a touchpad is reported as a wheel with Ctrl and small steps.
    const pixels = event.deltaY * pixelsPerUnit * (event.ctrlKey ? 6 : 1);
    this.handlers.wheel(Math.exp(-Math.max(-300, Math.min(300, pixels)) / 700));
  };

  private readonly onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "Escape" && this.isDraggingObject) {
      event.preventDefault();
      this.endObjectDrag("back");
      return;
    }
    this.host.removeAttribute("data-pointed");
    this.fast = event.shiftKey;
    if (HELD_KEYS[event.code]) {
      event.preventDefault();
      if (!this.keys.has(event.code)) {
        if (event.repeat || this.handlers.press(event.code)) return;
        this.keys.add(event.code);
        this.handlers.takeControl();
      }
      this.handlers.heldKeysChange();
      return;
    }
    // The keys of a pin's button press the button, not what is in the centre of the canvas.
    if (event.target instanceof HTMLButtonElement && ["Enter", " "].includes(event.key)) return;
    if (this.handlers.press(event.key)) event.preventDefault();
  };

  private readonly onKeyUp = (event: KeyboardEvent): void => {
    this.fast = event.shiftKey;
    if (this.keys.delete(event.code)) this.handlers.heldKeysChange();
  };
}
