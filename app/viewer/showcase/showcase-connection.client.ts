import { isShowcaseScript } from "~/domain/spaces/showcase-sites";
import { createAbortError } from "../core/abort";
import type { DisconnectedReason } from "../core/contract";
import type { ShowcaseSdk } from "./showcase-sdk";

/** Interval between connection requests in milliseconds, as in Matterport's own connector. */
const REQUEST_INTERVAL_MS = 500;
/** Version of the handshake. */
const BOOTSTRAP_VERSION = "3.0";

/** Error names of a showcase's response to a connection request, with our reasons. */
const REJECTION_REASONS: Readonly<Record<string, DisconnectedReason>> = {
  ConnectionRefused: "rejected",
  ConnectionCancelled: "cancelled",
  InvalidProvider: "provider",
  KeyReferrerMismatch: "key",
};

/** The reason why there is no connection. */
export class ConnectionError extends Error {
  readonly reason: DisconnectedReason;
  constructor(reason: DisconnectedReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConnectionError";
    this.reason = reason;
  }
}

/** A message between a page and a showcase's frame. */
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

/** The page's end of a channel to a frame. It accepts messages from this frame and its origin only, and sends messages only to them. */
class FrameChannel {
  private readonly frame: HTMLIFrameElement;
  private readonly origin: string;
  private readonly handleEvent: (event: MessageEvent) => void;

  constructor(
    frame: HTMLIFrameElement,
    origin: string,
    onMessage: (message: Message, event: MessageEvent) => void,
  ) {
    this.frame = frame;
    this.origin = origin;
    this.handleEvent = (event) => {
      if (event.source === null || event.source !== frame.contentWindow || event.origin !== origin) return;
      const message = event.data as Message | null;
      if (typeof message === "object" && typeof message?.type === "string") onMessage(message, event);
    };
    window.addEventListener("message", this.handleEvent);
  }

  send(message: Message): void {
    this.frame.contentWindow?.postMessage({ ...message, timestamp: Date.now() }, this.origin);
  }

  close(): void {
    window.removeEventListener("message", this.handleEvent);
  }
}

interface AcceptedHandshake {
  /** Ids of both ends, as the showcase assigned them. */
  readonly sourceId: number | string;
  readonly targetId: number | string;
  readonly scriptUrl: string;
  /** Description from which the script builds the SDK's functions. */
  readonly sdkInterface: unknown;
}

/** The messenger that the showcase's script expects on the page's side. The script reads `observers` itself when it ends. */
class Messenger {
  readonly sourceId: AcceptedHandshake["sourceId"];
  readonly targetId: AcceptedHandshake["targetId"];
  private readonly observersByType = new Map<string, Observer[]>();
  readonly observers = { getValuesAtKey: (type: string): Observer[] => this.observersByType.get(type) ?? [] };
  private readonly openChannel: (onMessage: (message: Message, event: MessageEvent) => void) => FrameChannel;
  private channel: FrameChannel | null = null;

  constructor(handshake: AcceptedHandshake, openChannel: Messenger["openChannel"]) {
    this.sourceId = handshake.sourceId;
    this.targetId = handshake.targetId;
    this.openChannel = openChannel;
  }

  init(): void {
    this.channel ??= this.openChannel((message, event) => {
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
    this.channel?.close();
    this.channel = null;
  }

  addObserver(observer: Observer): void {
    this.observersByType.set(observer.messageType, [
      ...this.observers.getValuesAtKey(observer.messageType),
      observer,
    ]);
  }

  removeObserver(observer: Observer): void {
    const remaining = this.observers
      .getValuesAtKey(observer.messageType)
      .filter((candidate) => candidate !== observer);
    this.observersByType.set(observer.messageType, remaining);
  }

  send(message: Message): void {
    this.channel?.send({ ...message, fromId: this.sourceId, toId: this.targetId });
  }
}

type Builder = new (
  factory: { createMessenger(): Messenger },
  context: Window,
) => { build(sdkInterface: unknown): ShowcaseSdk };
interface SdkScript {
  readonly SdkBuilder?: Builder;
}

/** Global variable in which a script may store its result instead of exporting it. */
const SCRIPT_GLOBAL = "sdk-client";
/** Builders by the URL of their script, because a browser runs a module only once for each page. */
const builders = new Map<string, Builder>();

/** Loads the script that the showcase named, and returns its SDK builder. */
async function loadScript(url: string): Promise<Builder> {
  const cachedBuilder = builders.get(url);
  if (cachedBuilder) return cachedBuilder;
  if (!isShowcaseScript(url))
    throw new ConnectionError("script", "The showcase names a script that may not be run here.");
  let script: SdkScript;
  try {
    script = (await import(/* @vite-ignore */ url)) as SdkScript;
  } catch (cause) {
    throw new ConnectionError("script", "The showcase's script could not be loaded.", { cause });
  }
  const globals = window as unknown as Record<string, SdkScript | undefined>;
  const builder = script.SdkBuilder ?? globals[SCRIPT_GLOBAL]?.SdkBuilder;
  delete globals[SCRIPT_GLOBAL];
  if (typeof builder !== "function")
    throw new ConnectionError("script", "The showcase's script contains no SDK builder.");
  builders.set(url, builder);
  return builder;
}

/** Sends connection requests until the showcase responds. Rejects with the showcase's reason or with AbortError. */
function performHandshake(
  frame: HTMLIFrameElement,
  origin: string,
  signal: AbortSignal,
): Promise<AcceptedHandshake> {
  return new Promise((resolve, reject) => {
    const request: Message = {
      type: "postmessage.connect",
      // The key is undefined here, because the URL of the frame already contains it.
      payload: { bootstrapVersion: BOOTSTRAP_VERSION, options: {}, applicationKey: undefined },
      fromId: Math.floor(Math.random() * 1e6),
      toId: -1,
    };
    const end = () => {
      clearInterval(timer);
      channel.close();
      signal.removeEventListener("abort", onAbort);
    };
    const onAbort = () => {
      end();
      reject(createAbortError());
    };
    const channel = new FrameChannel(frame, origin, ({ type, payload, ...fields }) => {
      const content = (payload ?? fields) as Record<string, unknown>;
      if (type === "postmessage.handshake") clearInterval(timer);
      if (type === "postmessage.reject") {
        end();
        const name = String(content.errorType);
        const reason = Object.hasOwn(REJECTION_REASONS, name) ? REJECTION_REASONS[name] : undefined;
        reject(new ConnectionError(reason ?? "rejected", "The showcase refused the connection."));
      }
      if (type === "postmessage.accept") {
        end();
        resolve({
          sourceId: content.sourceId as AcceptedHandshake["sourceId"],
          targetId: content.targetId as AcceptedHandshake["targetId"],
          scriptUrl: String(content.scriptUrl),
          sdkInterface: content.interface,
        });
      }
    });
    const timer = setInterval(() => channel.send(request), REQUEST_INTERVAL_MS);
    if (signal.aborted) onAbort();
    else {
      signal.addEventListener("abort", onAbort);
      channel.send(request);
    }
  });
}

/**
 * Connects to the showcase in a frame, by the handshake of Matterport's own connector. Repeats its request until the showcase
 * responds or the signal aborts, because a showcase responds only after it has been started, for example by a tap. Rejects with a
 * ConnectionError or AbortError.
 * @param origin origin of the frame, one of the showcase's sites
 */
export async function connectShowcase(
  frame: HTMLIFrameElement,
  origin: string,
  signal: AbortSignal,
): Promise<ShowcaseSdk> {
  const handshake = await performHandshake(frame, origin, signal);
  const SdkBuilder = await loadScript(handshake.scriptUrl);
  if (signal.aborted) throw createAbortError();
  try {
    const messenger = new Messenger(handshake, (onMessage) => new FrameChannel(frame, origin, onMessage));
    // Ending the script does not close the channel.
    signal.addEventListener("abort", () => messenger.dispose());
    return new SdkBuilder({ createMessenger: () => messenger }, window).build(handshake.sdkInterface);
  } catch (cause) {
    throw new ConnectionError("script", "The showcase's script cannot be used.", { cause });
  }
}

/** Ends a connection and ignores errors of the showcase's script. */
export function disconnect(sdk: ShowcaseSdk): void {
  try {
    sdk.disconnect();
  } catch {
    // The connection has ended, so the error is of no use.
  }
}

/** Resolves when a connected showcase accepts calls, which is in its phase "playing". Rejects with AbortError. */
export function waitUntilPlaying(sdk: ShowcaseSdk, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let subscription: { cancel(): void } | null = null;
    const end = () => {
      signal.removeEventListener("abort", end);
      // The state may be reported before `subscribe` returns.
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
