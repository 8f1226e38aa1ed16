/**
 * A fake Matterport showcase on the URLs of the real one: a page that implements its handshake and draws a plain room, and the script whose URL the page
 * sends. Its features and behaviour follow the types of @matterport/sdk and @matterport/webcomponent (decision 022). The fake has its own protocol
 * between script and page.
 */
import { sdkScript } from "./showcase-sdk-script";

/** Behaviour of the fake showcase, from `behave` in the URL of its page. */
export type ShowcaseBehaviour =
  | "connect"
  | "ConnectionRefused"
  | "ConnectionCancelled"
  | "InvalidProvider"
  | "KeyReferrerMismatch"
  | "SomethingNew"
  /** Sends no message. */
  | "silent"
  /** Sends only the first message of the handshake. */
  | "half"
  /** Responds after 1.5 seconds. */
  | "late"
  /** Never becomes ready for calls. */
  | "stuck"
  /** Never completes the first camera flight. */
  | "unresponsive"
  /** Delays every call. */
  | "slow"
  /** Never reports its camera pose. */
  | "nowhere"
  /** Does not offer the calls for tags, so that setting up the page fails halfway. */
  | "no-tags"
  /** Has no enabled sweep (a position at which the camera stood). */
  | "no-sweeps"
  /** A frame of another origin inside the page responds in its place. */
  | "elsewhere"
  /** Sends the URL of a script of another origin. */
  | "foreign-script"
  /** Sends the URL of a script that does not exist, that provides no SDK, or whose SDK fails. */
  | "no-script"
  | "empty-script"
  | "broken-script";

/** The application key that the fake showcase accepts. */
export const SHOWCASE_KEY = "fake-key";
const SCRIPTS = "https://static.matterport.com/showcase-sdk/client/";

/** State of the fake showcase that tests read in its frame. */
export interface FakeShowcase {
  /** Current tags by id. */
  tags(): Record<
    string,
    { label: string; anchor: number[]; stem: number[]; color: number[]; opacity: number; allowed: object }
  >;
  /** Position of a point of the space in the page, in CSS pixels. */
  screen(point: readonly [number, number, number]): [number, number];
  pose(): { sweep: string; mode: string; position: number[]; rotation: { x: number; y: number } };
  /** Number of connection requests, and whether a connection was closed. */
  connectionRequests: number;
  ended: boolean;
  /** Names of the received calls. */
  calls: string[];
  /** Maximum number of concurrent calls. */
  maxConcurrentCalls: number;
  /** Transitions of the requested camera flights. */
  transitions: string[];
}

/** The page of the fake showcase. Its source is inserted into the page, so it cannot use anything else of this file. */
function showcasePage(scripts: string, key: string): void {
  type V = [number, number, number];
  interface Tag {
    label: string;
    description: string;
    anchor: V;
    stem: V;
    color: V;
    opacity: number;
    allowed: { opening?: boolean };
  }
  const query = new URLSearchParams(location.search);
  const behaviour = query.get("behave") ?? "connect";
  const room = { min: [-6, 0, 0] as V, max: [6, 3, 6] as V };
  const sweeps = {
    green: [-3, 1.6, 4.5],
    door: [0, 1.6, 3],
    red: [3, 1.6, 1.5],
  } as unknown as Record<string, V>;
  const tags = new Map<string, Tag>();
  let [sweep, mode] = ["green", "mode.inside"];
  let position: V = [-3, 1.6, 4.5];
  let rotation = { x: 0, y: 0 };
  let phase = "appphase.starting";
  let intersection: object | null = null;
  let openTags = { hovered: null as string | null, selected: new Set<string>(), docked: null };
  let flight = 0;
  let lastTagNumber = 0;
  let activeCalls = 0;

  const canvas = document.querySelector("canvas") as HTMLCanvasElement;
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const tan = Math.tan(rad(35));
  const axes = (): [V, V, V] => {
    const [cy, sy, cx, sx] = [
      Math.cos(rad(rotation.y)),
      Math.sin(rad(rotation.y)),
      Math.cos(rad(rotation.x)),
      Math.sin(rad(rotation.x)),
    ];
    return [
      [cy, 0, -sy],
      [sy * sx, cx, cy * sx],
      [sy * cx, -sx, cy * cx],
    ];
  };
  const dot = (a: V, b: V) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const minus = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const plus = (a: V, b: V): V => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  /** The third component is the depth, which is negative behind the camera. */
  const screen = (point: V): V => {
    const [right, up, back] = axes();
    const offset = minus(point, position);
    const depth = -dot(offset, back);
    const scale = innerHeight / 2 / tan / Math.max(depth, 1e-6);
    return [innerWidth / 2 + dot(offset, right) * scale, innerHeight / 2 - dot(offset, up) * scale, depth];
  };
  const ray = (x: number, y: number): V => {
    const [right, up, back] = axes();
    const sx = ((x - innerWidth / 2) / innerHeight) * 2 * tan;
    const sy = ((innerHeight / 2 - y) / innerHeight) * 2 * tan;
    const direction = right.map((value, axis) => value * sx + (up[axis] ?? 0) * sy - (back[axis] ?? 0)) as V;
    const length = Math.hypot(...direction);
    return direction.map((value) => value / length) as V;
  };
  /** The point at which a ray from the camera meets a wall, the floor or the ceiling. */
  const findSurfacePoint = (direction: V): { position: V; normal: V } => {
    let nearestDistance = Number.POSITIVE_INFINITY;
    let surfaceNormal: V = [0, 1, 0];
    direction.forEach((value, axis) => {
      if (Math.abs(value) < 1e-9) return;
      const bound = (value > 0 ? room.max : room.min)[axis] ?? 0;
      const distance = (bound - (position[axis] ?? 0)) / value;
      if (distance >= nearestDistance) return;
      nearestDistance = distance;
      surfaceNormal = [0, 0, 0];
      surfaceNormal[axis] = -Math.sign(value);
    });
    return {
      position: plus(position, direction.map((value) => value * nearestDistance) as V),
      normal: surfaceNormal,
    };
  };
  const toXyz = ([x, y, z]: V) => ({ x, y, z });
  const toTriple = ({ x, y, z }: { x: number; y: number; z: number }): V => [x, y, z];

  const draw = () => {
    canvas.width = innerWidth;
    canvas.height = innerHeight;
    const context = canvas.getContext("2d");
    if (!context) return;
    context.fillStyle = "#e9e6df";
    context.fillRect(0, 0, innerWidth, innerHeight);
    const line = (a: V, b: V, color: string) => {
      const [, , back] = axes();
      const depth = (point: V) => -dot(minus(point, position), back);
      let [from, to] = [a, b];
      for (const swap of [false, true]) {
        const [near, far] = swap ? [to, from] : [from, to];
        if (depth(near) >= 0.05) continue;
        if (depth(far) < 0.05) return;
        const share = (0.05 - depth(near)) / (depth(far) - depth(near));
        const clippedPoint = near.map((value, axis) => value + ((far[axis] ?? 0) - value) * share) as V;
        if (swap) to = clippedPoint;
        else from = clippedPoint;
      }
      const [start, end] = [screen(from), screen(to)];
      context.strokeStyle = color;
      context.beginPath();
      context.moveTo(start[0], start[1]);
      context.lineTo(end[0], end[1]);
      context.stroke();
    };
    for (let x = -6; x <= 6; x++) line([x, 0, 0], [x, 0, 6], x % 6 ? "#cfc9bb" : "#8a8371");
    for (let z = 0; z <= 6; z++) line([-6, 0, z], [6, 0, z], z % 6 ? "#cfc9bb" : "#8a8371");
    for (const x of [-6, 6]) {
      line([x, 3, 0], [x, 3, 6], "#8a8371");
      for (const z of [0, 6]) line([x, 0, z], [x, 3, z], "#8a8371");
    }
    for (const z of [0, 6]) line([-6, 3, z], [6, 3, z], "#8a8371");
    for (const tag of tags.values()) {
      line(tag.anchor, plus(tag.anchor, tag.stem), "#444");
      const [x, y, depth] = screen(plus(tag.anchor, tag.stem));
      if (depth < 0.05) continue;
      context.globalAlpha = tag.opacity;
      context.fillStyle = `rgb(${tag.color.map((value) => Math.round(value * 255)).join(" ")})`;
      context.beginPath();
      context.arc(x, y, 10, 0, 7);
      context.fill();
      context.globalAlpha = 1;
    }
  };

  const watchers = new Map<string, string>();
  let notify: (type: string, payload: object) => void = () => {};
  const values: Record<string, () => unknown> = {
    "App.state": () => ({ phase, application: "application.showcase", phaseTimes: {} }),
    "Camera.pose": () =>
      behaviour === "nowhere"
        ? null
        : {
            position: toXyz(position),
            rotation: { ...rotation },
            sweep,
            mode,
            projection: new Float32Array([innerWidth / innerHeight, tan]),
          },
    "Pointer.intersection": () => intersection,
    "Tag.openTags": () => ({ ...openTags, selected: new Set(openTags.selected) }),
    "Sweep.data": () =>
      Object.entries(sweeps).map(([id, position]) => [
        id,
        { id, enabled: behaviour !== "no-sweeps", alignmentType: "aligned", position: toXyz(position) },
      ]),
  };
  const notifyWatchers = (path: string) => {
    for (const [id, watchedPath] of watchers)
      if (watchedPath === path) {
        const value = values[path]?.();
        if (value !== null) notify("fake.value", { id, value });
      }
    if (path !== "App.state") draw();
  };
  const fakeShowcase: FakeShowcase = {
    tags: () =>
      Object.fromEntries(
        [...tags].map(([id, { label, anchor, stem, color, opacity, allowed }]) => [
          id,
          { label, anchor, stem, color, opacity, allowed },
        ]),
      ),
    screen: (point) => screen(point as unknown as V).slice(0, 2) as [number, number],
    pose: () => ({ sweep, mode, position, rotation }),
    connectionRequests: 0,
    ended: false,
    calls: [],
    maxConcurrentCalls: 0,
    transitions: [],
  };
  Object.assign(window, { fakeShowcase });

  /** Moves the camera. A second flight during the move is rejected, as in the real showcase. */
  const fly = (
    to: V,
    targetRotation: { x: number; y: number } | undefined,
    transition: string | undefined,
    durationMs: number,
  ) =>
    new Promise<void>((done, fail) => {
      fakeShowcase.transitions.push(transition ?? "none");
      if (behaviour === "unresponsive" && fakeShowcase.transitions.length === 1) return;
      if (flight) return fail(new Error("The camera is already in a transition."));
      const [from, startRotation, startedAt] = [position, rotation, performance.now()];
      const goal = targetRotation ?? rotation;
      const flightMs = transition === "transition.instant" ? 0 : durationMs;
      const step = () => {
        const progress = flightMs === 0 ? 1 : Math.min(1, (performance.now() - startedAt) / flightMs);
        position = from.map((value, axis) => value + ((to[axis] ?? 0) - value) * progress) as V;
        rotation = {
          x: startRotation.x + (goal.x - startRotation.x) * progress,
          y: startRotation.y + (goal.y - startRotation.y) * progress,
        };
        if (progress < 1) flight = requestAnimationFrame(step);
        else {
          flight = 0;
          done();
        }
        notifyWatchers("Camera.pose");
      };
      step();
    });
  const tagOf = (id: string): Tag => {
    const tag = tags.get(id);
    if (!tag) throw new Error(`There is no tag ${id}`);
    return tag;
  };
  const select = (id: string | null) => {
    openTags = { ...openTags, selected: new Set(id ? [id] : []) };
    notifyWatchers("Tag.openTags");
  };
  // biome-ignore lint/suspicious/noExplicitAny: messages have the forms of the published types.
  const calls: Record<string, (...input: any[]) => unknown> = {
    "Tag.add": (...descriptors) => {
      if (
        descriptors.some(
          (descriptor) =>
            !descriptor.anchorPosition || !descriptor.stemVector || descriptor.label === "refused",
        )
      )
        throw new Error("Tag.add: descriptor is not valid");
      return descriptors.map((descriptor) => {
        const id = `sdk-${++lastTagNumber}`;
        tags.set(id, {
          label: descriptor.label ?? "",
          description: descriptor.description ?? "",
          opacity: descriptor.opacity ?? 1,
          allowed: { opening: true },
          anchor: toTriple(descriptor.anchorPosition),
          stem: toTriple(descriptor.stemVector),
          color: descriptor.color ? [descriptor.color.r, descriptor.color.g, descriptor.color.b] : [0, 0, 0],
        });
        return id;
      });
    },
    "Tag.remove": (...ids) => ids.filter((id) => tags.delete(id)),
    "Tag.allowAction": (id, actions) => void Object.assign(tagOf(id), { allowed: actions }),
    "Tag.close": (id) => openTags.selected.has(id) && select(null),
    "Tag.editBillboard": (id, text) => void Object.assign(tagOf(id), text),
    "Tag.editColor": (id, { r, g, b }) => void Object.assign(tagOf(id), { color: [r, g, b] }),
    "Tag.editOpacity": (id, opacity) => void Object.assign(tagOf(id), { opacity }),
    "Tag.editPosition": (id, changes) => {
      const tag = tagOf(id);
      if (changes.anchorPosition) tag.anchor = toTriple(changes.anchorPosition);
      if (changes.stemVector) tag.stem = toTriple(changes.stemVector);
    },
    "Sweep.moveTo": async (id, { rotation: targetRotation, transition, transitionTime = 700 }) => {
      const to = sweeps[id];
      if (!to) throw new Error(`Sweep.moveTo: not a valid sweep id ${id}`);
      await fly(to, targetRotation, transition, transitionTime);
      [sweep, mode] = [id, "mode.inside"];
      notifyWatchers("Camera.pose");
      return id;
    },
    "Mode.moveTo": async (to, { rotation: targetRotation, transition } = {}) => {
      if (query.get("dh") === "0" && to === "mode.dollhouse") throw new Error("The mode is not there.");
      if (to === "mode.inside") throw new Error("A sweep is needed.");
      await fly([0, 14, 12], targetRotation ?? { x: -50, y: 0 }, transition, 500);
      [sweep, mode] = ["", to];
      notifyWatchers("Camera.pose");
      return to;
    },
  };

  const interfacePaths = () =>
    Object.keys(calls).filter((path) => behaviour !== "no-tags" || !path.startsWith("Tag."));

  const respondToConnection = (origin: string) => {
    const [hostId, clientId] = [7001, 8001];
    const respond = (type: string, payload: object, overrides: object = {}) =>
      parent.postMessage(
        { type, payload, ...overrides, fromId: hostId, toId: clientId, timestamp: Date.now() },
        origin,
      );
    const accept = (script: string) => {
      respond("postmessage.handshake", {});
      if (behaviour === "half") return;
      notify = (type, payload) => respond(type, payload);
      respond("postmessage.accept", {
        scriptUrl: script,
        interface: interfacePaths(),
        sourceId: clientId,
        targetId: hostId,
        targetOrigin: location.origin,
      });
      if (behaviour !== "stuck")
        setTimeout(() => {
          phase = "appphase.playing";
          notifyWatchers("App.state");
        }, 60);
    };
    const reject = (errorType: string) => respond("postmessage.reject", { errorType, reason: "It says so." });
    if (/^[A-Z]/.test(behaviour)) return reject(behaviour);
    if (query.get("applicationKey") !== key) return reject("KeyReferrerMismatch");
    if (behaviour === "late") return void setTimeout(() => accept(`${scripts}sdk-client.js`), 1500);
    if (behaviour === "foreign-script") return accept("https://evil.example/sdk-client.js");
    if (behaviour.endsWith("-script")) return accept(`${scripts}${behaviour}.js`);
    accept(`${scripts}sdk-client.js`);
  };

  const connectedSenders = new Set<number>();
  addEventListener("message", ({ data, source, origin }) => {
    if (source !== parent || typeof data?.type !== "string") return;
    if (data.type === "postmessage.connect" && data.toId === -1) {
      fakeShowcase.connectionRequests++;
      if (connectedSenders.has(data.fromId) || behaviour === "silent" || behaviour === "elsewhere") return;
      connectedSenders.add(data.fromId);
      respondToConnection(origin);
    }
    if (data.type === "fake.watch") {
      watchers.set(data.payload.id, data.payload.path);
      const value = values[data.payload.path]?.() ?? null;
      if (value !== null) notify("fake.value", { id: data.payload.id, value });
    }
    if (data.type === "fake.leave") watchers.delete(data.payload.id);
    if (data.type === "fake.end") fakeShowcase.ended = true;
    if (data.type === "fake.call") {
      const { id, path, input } = data.payload;
      fakeShowcase.calls.push(path);
      fakeShowcase.maxConcurrentCalls = Math.max(fakeShowcase.maxConcurrentCalls, ++activeCalls);
      new Promise((begin) => setTimeout(begin, behaviour === "slow" ? 60 : 0))
        .then(() => calls[path]?.(...input))
        .then(
          (value) => notify("fake.answer", { id, value: value === undefined ? null : value }),
          (error) => notify("fake.answer", { id, error: String(error.message) }),
        )
        .finally(() => {
          activeCalls--;
          draw();
        });
    }
  });

  const tagUnder = (x: number, y: number) => {
    for (const [id, tag] of tags) {
      const [tx, ty, depth] = screen(plus(tag.anchor, tag.stem));
      if (depth > 0 && Math.hypot(tx - x, ty - y) < 12) return id;
    }
    return null;
  };
  let isDragged = false;
  addEventListener("pointermove", ({ clientX, clientY, buttons, movementX }) => {
    if (buttons) {
      isDragged ||= Math.abs(movementX) > 0;
      rotation = { ...rotation, y: rotation.y + movementX / 5 };
      notifyWatchers("Camera.pose");
    }
    const { position, normal } = findSurfacePoint(ray(clientX, clientY));
    const hovered = tagUnder(clientX, clientY);
    intersection = {
      position: toXyz(position),
      normal: toXyz(normal),
      floorIndex: 0,
      floorId: 0,
      object: hovered ? "intersectedobject.tag" : "intersectedobject.model",
    };
    notifyWatchers("Pointer.intersection");
    if (hovered !== openTags.hovered) {
      openTags = { ...openTags, hovered };
      notifyWatchers("Tag.openTags");
    }
  });
  addEventListener("pointerdown", () => {
    isDragged = false;
  });
  addEventListener("click", ({ clientX, clientY }) => {
    const id = tagUnder(clientX, clientY);
    if (!isDragged) select(id);
  });
  addEventListener("resize", draw);
  draw();
  if (behaviour === "elsewhere") {
    const innerFrame = document.createElement("iframe");
    innerFrame.setAttribute("sandbox", "allow-scripts");
    innerFrame.srcdoc = `<script>setInterval(() => top.postMessage({ type: "postmessage.accept", payload: { sourceId: 1, targetId: 2,
      scriptUrl: "${scripts}sdk-client.js", interface: [] }, fromId: 2, toId: 1 }, "*"), 50)</script>`;
    document.body.appendChild(innerFrame);
  }
}

/** Compiled functions may call this helper of the compiler. */
const HELPERS = "var __name = (target) => target;";

/** Response of the showcase's sites; null makes the request fail. */
export function showcaseResponse(href: string): { readonly type: string; readonly body: string } | null {
  const url = new URL(href);
  if (url.origin === "https://my.matterport.com" && url.pathname.startsWith("/show"))
    return {
      type: "text/html; charset=utf-8",
      body: `<!doctype html><html lang="en"><title>Showcase</title><body style="margin:0;overflow:hidden;background:#e8e4da"><canvas style="position:absolute;inset:0"></canvas><main><h1 style="position:absolute;margin:8px;font:12px sans-serif">Showcase</h1></main><script>${HELPERS}(${showcasePage})(${JSON.stringify(SCRIPTS)}, ${JSON.stringify(SHOWCASE_KEY)})</script></body></html>`,
    };
  if (!href.startsWith(SCRIPTS)) return null;
  const script = (body: string) => ({ type: "text/javascript", body });
  switch (url.pathname.split("/").at(-1)) {
    case "sdk-client.js":
      return script(`${HELPERS}(${sdkScript})();`);
    case "empty-script.js":
      return script("export const nothing = 1;");
    case "broken-script.js":
      return script('export class SdkBuilder { build() { throw new Error("broken"); } }');
    default:
      return null;
  }
}

/** URL prefixes of the showcase's sites. */
export const SHOWCASE_SITES = ["https://my.matterport.com/", "https://static.matterport.com/"];
