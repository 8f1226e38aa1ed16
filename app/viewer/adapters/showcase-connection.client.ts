import { isShowcaseScript } from "~/domain/spaces/showcase-sites";
import { createAbortError } from "../core/abort";
import type { DisconnectedReason } from "../core/contract";
import type { ShowcaseSdk } from "../core/showcase-sdk";

/** How often a showcase is asked, as its own connector does (reference/showcase §4.3). */
const ASK_MS = 500;
/** The version of the handshake that is spoken. */
const BOOTSTRAP_VERSION = "3.0";

/** The names that a showcase gives to its refusals (reference/showcase §4.3). */
const REFUSALS: Readonly<Record<string, DisconnectedReason>> = {
  ConnectionRefused: "refused",
  ConnectionCancelled: "cancelled",
  InvalidProvider: "provider",
  KeyReferrerMismatch: "key",
};

/** Why there is no connection. */
export class ConnectionError extends Error {
  readonly reason: DisconnectedReason;
  constructor(reason: DisconnectedReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConnectionError";
    this.reason = reason;
  }
}

/** What is said between a page and a showcase's frame. */
interface Message {
  readonly type: string;
  readonly payload?: unknown;
  readonly fromId?: number | string;
  readonly toId?: unknown;
  readonly timestamp?: number;
}

interface Observer {
  readonly messageType: string;
  notify(payload: unknown, from: object, timestamp?: number): void;
}

/** The page's end of a line to a frame: only what that frame says from its own site is heard, and nobody else hears the page. */
class Line {
  private readonly frame: HTMLIFrameElement;
  private readonly origin: string;
  private readonly heard: (event: MessageEvent) => void;

  constructor(
    frame: HTMLIFrameElement,
    origin: string,
    hear: (message: Message, event: MessageEvent) => void,
  ) {
    this.frame = frame;
    this.origin = origin;
    this.heard = (event) => {
      if (event.source === null || event.source !== frame.contentWindow || event.origin !== origin) return;
      const message = event.data as Message | null;
      if (typeof message === "object" && typeof message?.type === "string") hear(message, event);
    };
    window.addEventListener("message", this.heard);
  }

  say(message: Message): void {
    this.frame.contentWindow?.postMessage({ ...message, timestamp: Date.now() }, this.origin);
  }

  close(): void {
    window.removeEventListener("message", this.heard);
  }
}

interface Accepted {
  /** The ids of both ends, as the showcase gave them. */
  readonly sourceId: number | string;
  readonly targetId: number | string;
  readonly scriptUrl: string;
  /** What the script makes the SDK's calls of. */
  readonly form: unknown;
}

/** What the showcase's script asks of the page's end once it is accepted; the script reads `observers` itself when it ends. */
class Messenger {
  readonly sourceId: Accepted["sourceId"];
  readonly targetId: Accepted["targetId"];
  private readonly byType = new Map<string, Observer[]>();
  readonly observers = { getValuesAtKey: (type: string): Observer[] => this.byType.get(type) ?? [] };
  private readonly open: (hear: (message: Message, event: MessageEvent) => void) => Line;
  private line: Line | null = null;

  constructor(accepted: Accepted, open: Messenger["open"]) {
    this.sourceId = accepted.sourceId;
    this.targetId = accepted.targetId;
    this.open = open;
  }

  init(): void {
    this.line ??= this.open((message, event) => {
      const { toId, fromId, type, payload, timestamp } = message;
      const isForUs = Array.isArray(toId)
        ? toId.includes(this.sourceId)
        : toId === undefined || toId === this.sourceId;
      if (!isForUs || (fromId !== this.targetId && !Array.isArray(toId))) return;
      const from = { ...message, id: fromId, origin: event.origin, source: event.source };
      for (const observer of [...this.observers.getValuesAtKey(type)])
        observer.notify(payload || message, from, timestamp);
    });
  }

  dispose(): void {
    this.line?.close();
    this.line = null;
  }

  addObserver(observer: Observer): void {
    this.byType.set(observer.messageType, [...this.observers.getValuesAtKey(observer.messageType), observer]);
  }

  removeObserver(observer: Observer): void {
    const left = this.observers.getValuesAtKey(observer.messageType).filter((one) => one !== observer);
    this.byType.set(observer.messageType, left);
  }

  send(message: Message): void {
    this.line?.say({ ...message, fromId: this.sourceId, toId: this.targetId });
  }
}

type Builder = new (
  factory: { createMessenger(): Messenger },
  context: Window,
) => { build(form: unknown): ShowcaseSdk };
interface SdkScript {
  readonly SdkBuilder?: Builder;
}

/** Where a script may leave what it makes instead of exporting it. */
const LEFT = "sdk-client";
/** By the address of their script: a browser runs it once a page. */
const builders = new Map<string, Builder>();

/** What the script makes that the showcase named. */
async function loadScript(address: string): Promise<Builder> {
  const known = builders.get(address);
  if (known) return known;
  if (!isShowcaseScript(address))
    throw new ConnectionError("script", "The showcase names a script that may not be run here.");
  let loaded: SdkScript;
  try {
    loaded = (await import(/* @vite-ignore */ address)) as SdkScript;
  } catch (cause) {
    throw new ConnectionError("script", "The showcase's script did not come.", { cause });
  }
  const page = window as unknown as Record<string, SdkScript | undefined>;
  const builder = loaded.SdkBuilder ?? page[LEFT]?.SdkBuilder;
  delete page[LEFT];
  if (typeof builder !== "function") throw new ConnectionError("script", "The showcase's script is none.");
  builders.set(address, builder);
  return builder;
}

/** Asks until the showcase accepts; rejects with what it refuses with. */
function handshake(frame: HTMLIFrameElement, origin: string, signal: AbortSignal): Promise<Accepted> {
  return new Promise((resolve, reject) => {
    const ask: Message = {
      type: "postmessage.connect",
      // The key stands in the address of the frame.
      payload: { bootstrapVersion: BOOTSTRAP_VERSION, options: {}, applicationKey: undefined },
      fromId: Math.floor(Math.random() * 1e6),
      toId: -1,
    };
    const end = () => {
      clearInterval(timer);
      line.close();
      signal.removeEventListener("abort", left);
    };
    const left = () => {
      end();
      reject(createAbortError());
    };
    const line = new Line(frame, origin, ({ type, payload, ...bare }) => {
      const said = (payload ?? bare) as Record<string, unknown>;
      if (type === "postmessage.handshake") clearInterval(timer);
      if (type === "postmessage.reject") {
        end();
        const name = String(said.errorType);
        const reason = Object.hasOwn(REFUSALS, name) ? REFUSALS[name] : undefined;
        reject(new ConnectionError(reason ?? "refused", "The showcase refused the connection."));
      }
      if (type === "postmessage.accept") {
        end();
        resolve({
          sourceId: said.sourceId as Accepted["sourceId"],
          targetId: said.targetId as Accepted["targetId"],
          scriptUrl: String(said.scriptUrl),
          form: said.interface,
        });
      }
    });
    const timer = setInterval(() => line.say(ask), ASK_MS);
    if (signal.aborted) left();
    else {
      signal.addEventListener("abort", left);
      line.say(ask);
    }
  });
}

/**
 * Connects a showcase that its frame shows, by the handshake of its own connector (reference/showcase §4.3). Goes on asking until
 * the signal aborts: a showcase answers only once it has been started, be it by a tap. Rejects with a ConnectionError or AbortError.
 * @param origin the frame's own, one of the showcases' sites
 */
export async function connectShowcase(
  frame: HTMLIFrameElement,
  origin: string,
  signal: AbortSignal,
): Promise<ShowcaseSdk> {
  const accepted = await handshake(frame, origin, signal);
  const SdkBuilder = await loadScript(accepted.scriptUrl);
  if (signal.aborted) throw createAbortError();
  try {
    const messenger = new Messenger(accepted, (hear) => new Line(frame, origin, hear));
    // The script's own end does not close the line.
    signal.addEventListener("abort", () => messenger.dispose());
    return new SdkBuilder({ createMessenger: () => messenger }, window).build(accepted.form);
  } catch (cause) {
    throw new ConnectionError("script", "The showcase's script cannot be used.", { cause });
  }
}

/** Ends a connection, whatever the showcase's script says to it. */
export function disconnect(sdk: ShowcaseSdk): void {
  try {
    sdk.disconnect();
  } catch {
    // Nobody hears it any more.
  }
}

/** Resolves when a connected showcase can be moved about in: before that it takes no calls (reference/showcase §4.3). */
export function whenPlaying(sdk: ShowcaseSdk, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let subscription: { cancel(): void } | null = null;
    const end = () => {
      signal.removeEventListener("abort", end);
      // It may be told before it is subscribed.
      queueMicrotask(() => subscription?.cancel());
      if (signal.aborted) reject(createAbortError());
      else resolve();
    };
    signal.addEventListener("abort", end);
    subscription = sdk.App.state.subscribe(({ phase }) => {
      if (phase === "appphase.playing") end();
    });
    if (signal.aborted) end();
  });
}
