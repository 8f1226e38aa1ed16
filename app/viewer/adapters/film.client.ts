import { LinearFilter, SRGBColorSpace, Texture } from "three";

/** Milliseconds in which a sound follows the visitor, so that steps do not crackle. */
const FOLLOW_S = 0.08;
const SIGNS = ["pointerdown", "keydown"] as const;

/**
 * The visitor's ears: sounds are let through from the first sign of the visitor on, as browsers want it, and give way when
 * another player of the page begins.
 */
export class Listener {
  private readonly onAllowed: () => void;
  private readonly stop = new AbortController();
  private readonly films = new Set<Film>();
  private context: AudioContext | null = null;
  private allowed = navigator.userActivation?.hasBeenActive === true;

  constructor(onAllowed: () => void) {
    this.onAllowed = onAllowed;
    const { signal } = this.stop;
    for (const sign of SIGNS) window.addEventListener(sign, () => this.allow(), { signal, capture: true });
    document.addEventListener("visibilitychange", onAllowed, { signal });
    document.addEventListener("play", (event) => this.giveWay(event.target), { signal, capture: true });
  }

  /** Whether browsers let sounds through by now. */
  get isAllowed(): boolean {
    return this.allowed;
  }

  allow(): void {
    if (this.allowed) return;
    this.allowed = true;
    for (const film of this.films) film.unmute();
    this.onAllowed();
  }

  /** Where a film's sound goes; null before it may be heard and without sound on this device. */
  ears(): AudioContext | null {
    if (!this.allowed || typeof AudioContext === "undefined") return null;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") void this.context.resume().catch(() => {});
    return this.context;
  }

  add(film: Film): void {
    this.films.add(film);
  }

  remove(film: Film): void {
    this.films.delete(film);
  }

  dispose(): void {
    this.stop.abort();
    void this.context?.close().catch(() => {});
    this.context = null;
  }

  /** Two films at a time are heard only in a space: what the page itself plays is listened to alone. */
  private giveWay(player: EventTarget | null): void {
    if (!(player instanceof HTMLMediaElement) || player.muted) return;
    for (const film of this.films) film.yieldTo(player);
  }
}

/** What a film tells. */
export interface FilmEvents {
  /** Another frame is there to be shown. */
  frame(): void;
  /** It has ended, or the page plays something else: it waits to be started again. */
  over(): void;
  failed(): void;
}

/** After so long a film is fetched anew once more, in milliseconds. */
const RENEWAL_MS = 30_000;

/** A film or a sound at a place of the space: fetched when it is played for the first time. */
export class Film {
  /** The film's frames; null for sounds and before the first one. */
  texture: Texture | null = null;
  private readonly element: HTMLVideoElement | HTMLAudioElement;
  private readonly listener: Listener;
  private readonly events: FilmEvents;
  private readonly stop = new AbortController();
  private readonly loops: boolean;
  private sound: { source: MediaElementAudioSourceNode; gain: GainNode; pan: StereoPannerNode } | null = null;
  private wanted = false;
  private request = 0;
  private renewedAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, isVideo: boolean, listener: Listener, events: FilmEvents) {
    this.listener = listener;
    this.events = events;
    this.loops = isVideo;
    const element = document.createElement(isVideo ? "video" : "audio");
    this.element = element;
    element.muted = !listener.isAllowed;
    element.loop = this.loops;
    element.preload = "auto";
    if (element instanceof HTMLVideoElement) element.playsInline = true;
    const { signal } = this.stop;
    // Frames of a file that another host sends may only be drawn when they were asked for in this way.
    element.crossOrigin = "anonymous";
    element.addEventListener("error", () => this.renew() || events.failed(), { signal });
    element.addEventListener("ended", () => events.over(), { signal });
    element.src = url;
    listener.add(this);
  }

  /** Whether its frames are to be seen. */
  get isShown(): boolean {
    return this.texture !== null;
  }

  /** Height by width. */
  get aspect(): number {
    const { element } = this;
    return element instanceof HTMLVideoElement && element.videoWidth > 0
      ? element.videoHeight / element.videoWidth
      : 0.75;
  }

  /** Plays, or goes on playing. @param loud 0…1. @param pan −1 left … 1 right of the visitor. */
  play(loud: number, pan: number): void {
    this.hear(loud, pan);
    if (this.wanted) return;
    this.wanted = true;
    // A browser that wants another sign of the visitor first leaves the picture as it is.
    this.element.play().catch(() => {
      this.wanted = false;
    });
    this.follow();
  }

  pause(): void {
    if (!this.wanted) return;
    this.wanted = false;
    this.element.pause();
  }

  unmute(): void {
    this.element.muted = false;
  }

  /** Fetches a film anew that can be read no further: the address to which a player was led may hold for five minutes. */
  private renew(): boolean {
    const { element } = this;
    const at = element.currentTime;
    const now = performance.now();
    if (at === 0 || now - this.renewedAt < RENEWAL_MS) return false;
    this.renewedAt = now;
    element.load();
    element.currentTime = at;
    if (this.wanted) element.play().catch(() => undefined);
    return true;
  }

  /** Stops for a player of the page that is heard. */
  yieldTo(player: HTMLMediaElement): void {
    if (player === this.element || !this.wanted) return;
    this.pause();
    this.events.over();
  }

  dispose(): void {
    this.stop.abort();
    this.listener.remove(this);
    this.wanted = false;
    const { element } = this;
    if (element instanceof HTMLVideoElement && this.request) element.cancelVideoFrameCallback?.(this.request);
    element.pause();
    element.removeAttribute("src");
    // Without this the browser keeps the decoder and the connection.
    element.load();
    for (const node of this.sound ? Object.values(this.sound) : []) (node as AudioNode).disconnect();
    this.sound = null;
    this.texture?.dispose();
    this.texture = null;
  }

  private hear(loud: number, pan: number): void {
    const ears = this.listener.ears();
    if (!ears) {
      this.element.volume = loud;
      return;
    }
    if (!this.sound) {
      const source = ears.createMediaElementSource(this.element);
      const gain = ears.createGain();
      const side = ears.createStereoPanner();
      source.connect(gain).connect(side).connect(ears.destination);
      this.sound = { source, gain, pan: side };
      this.element.volume = 1;
      gain.gain.value = 0;
    }
    const now = ears.currentTime;
    this.sound.gain.gain.setTargetAtTime(loud, now, FOLLOW_S);
    this.sound.pan.pan.setTargetAtTime(Math.max(-0.8, Math.min(0.8, pan)), now, FOLLOW_S);
  }

  /** Tells of each frame as it comes, so that the space is drawn as often as the film has frames and no more. */
  private follow(): void {
    const { element } = this;
    if (!(element instanceof HTMLVideoElement)) return;
    const { signal } = this.stop;
    const next = () => {
      if (signal.aborted) return;
      if (!this.texture && element.videoWidth > 0) this.texture = frameTexture(element);
      this.events.frame();
      if (this.wanted) ask();
    };
    const ask = () => {
      if (element.requestVideoFrameCallback) this.request = element.requestVideoFrameCallback(next);
      else setTimeout(next, 40);
    };
    ask();
  }
}

function frameTexture(element: HTMLVideoElement): Texture {
  // The texture is as large as its element says, which without these is nothing.
  element.width = element.videoWidth;
  element.height = element.videoHeight;
  const texture = new Texture(element);
  texture.flipY = false;
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = LinearFilter;
  texture.magFilter = LinearFilter;
  texture.generateMipmaps = false;
  texture.needsUpdate = true;
  return texture;
}
