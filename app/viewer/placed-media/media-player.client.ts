import { LinearFilter, SRGBColorSpace, Texture } from "three";

/** Time constant with which the volume and the position of a sound change, in seconds. Sudden changes would crackle. */
const SOUND_TIME_CONSTANT_S = 0.08;
const GESTURE_EVENTS = ["pointerdown", "keydown"] as const;

/**
 * The audio output of a space. Sounds start after the visitor's first gesture, as browsers require. Videos and sounds pause when an audible player
 * outside of the space starts.
 */
export class AudioOutput {
  private readonly onAllowed: () => void;
  private readonly disposal = new AbortController();
  private readonly players = new Set<MediaPlayer>();
  private context: AudioContext | null = null;
  private allowed = navigator.userActivation?.hasBeenActive === true;

  constructor(onAllowed: () => void) {
    this.onAllowed = onAllowed;
    const { signal } = this.disposal;
    for (const eventName of GESTURE_EVENTS)
      window.addEventListener(eventName, () => this.allow(), { signal, capture: true });
    document.addEventListener("visibilitychange", onAllowed, { signal });
    document.addEventListener("play", (event) => this.pauseOthers(event.target), { signal, capture: true });
  }

  /** Whether browsers allow sound, because the visitor has already used the page. */
  get isAllowed(): boolean {
    return this.allowed;
  }

  allow(): void {
    if (this.allowed) return;
    this.allowed = true;
    for (const player of this.players) player.unmute();
    this.onAllowed();
  }

  /** Returns the audio context, or null before sound is allowed and in browsers without AudioContext. */
  getAudioContext(): AudioContext | null {
    if (!this.allowed || typeof AudioContext === "undefined") return null;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") void this.context.resume().catch(() => {});
    return this.context;
  }

  add(player: MediaPlayer): void {
    this.players.add(player);
  }

  remove(player: MediaPlayer): void {
    this.players.delete(player);
  }

  dispose(): void {
    this.disposal.abort();
    void this.context?.close().catch(() => {});
    this.context = null;
  }

  /** Pauses the media of the space when an audible player of the page starts. The space itself may play several media at a time. */
  private pauseOthers(player: EventTarget | null): void {
    if (!(player instanceof HTMLMediaElement) || player.muted) return;
    for (const mediaPlayer of this.players) mediaPlayer.pauseFor(player);
  }
}

/** Callbacks of a media player. */
export interface MediaPlayerEvents {
  /** A new frame is available. */
  frame(): void;
  /** The media item has ended, or another player of the page has started. It stays paused until it is started again. */
  ended(): void;
  failed(): void;
}

/** Minimum time between two reloads of the same media, in milliseconds. */
const RELOAD_INTERVAL_MS = 30_000;

/** A video or a sound at a position in the space. The constructor starts to load its file. */
export class MediaPlayer {
  /** The video's frames. Null for sounds and before the first frame. */
  texture: Texture | null = null;
  private readonly element: HTMLVideoElement | HTMLAudioElement;
  private readonly audioOutput: AudioOutput;
  private readonly events: MediaPlayerEvents;
  private readonly disposal = new AbortController();
  private readonly loops: boolean;
  private sound: { source: MediaElementAudioSourceNode; gain: GainNode; pan: StereoPannerNode } | null = null;
  private isPlaying = false;
  private frameRequest = 0;
  private reloadedAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, isVideo: boolean, audioOutput: AudioOutput, events: MediaPlayerEvents) {
    this.audioOutput = audioOutput;
    this.events = events;
    this.loops = isVideo;
    const element = document.createElement(isVideo ? "video" : "audio");
    this.element = element;
    element.muted = !audioOutput.isAllowed;
    element.loop = this.loops;
    element.preload = "auto";
    if (element instanceof HTMLVideoElement) element.playsInline = true;
    const { signal } = this.disposal;
    // Frames of a file from another host can be drawn only if it was requested with CORS.
    element.crossOrigin = "anonymous";
    element.addEventListener("error", () => this.reload() || events.failed(), { signal });
    element.addEventListener("ended", () => events.ended(), { signal });
    element.src = url;
    audioOutput.add(this);
  }

  /** Whether a frame of the video has been loaded. */
  get hasFrame(): boolean {
    return this.texture !== null;
  }

  /** Height divided by width. */
  get aspect(): number {
    const { element } = this;
    return element instanceof HTMLVideoElement && element.videoWidth > 0
      ? element.videoHeight / element.videoWidth
      : 0.75;
  }

  /**
   * Starts or continues playback.
   * @param volume volume, 0…1
   * @param pan −1 left … 1 right of the visitor
   */
  play(volume: number, pan: number): void {
    this.setSound(volume, pan);
    if (this.isPlaying) return;
    this.isPlaying = true;
    // When the browser requires another gesture first, the preview image stays.
    this.element.play().catch(() => {
      this.isPlaying = false;
    });
    this.requestFrames();
  }

  pause(): void {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.element.pause();
  }

  unmute(): void {
    this.element.muted = false;
  }

  /** Reloads media that can no longer be read, because a signed URL may be valid for only five minutes. Returns whether it reloads. */
  private reload(): boolean {
    const { element } = this;
    const time = element.currentTime;
    const now = performance.now();
    if (time === 0 || now - this.reloadedAt < RELOAD_INTERVAL_MS) return false;
    this.reloadedAt = now;
    element.load();
    element.currentTime = time;
    if (this.isPlaying) element.play().catch(() => undefined);
    return true;
  }

  /** Pauses for an audible player of the page. */
  pauseFor(player: HTMLMediaElement): void {
    if (player === this.element || !this.isPlaying) return;
    this.pause();
    this.events.ended();
  }

  dispose(): void {
    this.disposal.abort();
    this.audioOutput.remove(this);
    this.isPlaying = false;
    const { element } = this;
    if (element instanceof HTMLVideoElement && this.frameRequest)
      element.cancelVideoFrameCallback?.(this.frameRequest);
    element.pause();
    element.removeAttribute("src");
    // Without this call, the browser keeps the decoder and the connection.
    element.load();
    for (const node of this.sound ? Object.values(this.sound) : []) (node as AudioNode).disconnect();
    this.sound = null;
    this.texture?.dispose();
    this.texture = null;
  }

  private setSound(volume: number, pan: number): void {
    const context = this.audioOutput.getAudioContext();
    if (!context) {
      this.element.volume = volume;
      return;
    }
    if (!this.sound) {
      const source = context.createMediaElementSource(this.element);
      const gain = context.createGain();
      const panner = context.createStereoPanner();
      source.connect(gain).connect(panner).connect(context.destination);
      this.sound = { source, gain, pan: panner };
      this.element.volume = 1;
      gain.gain.value = 0;
    }
    const now = context.currentTime;
    this.sound.gain.gain.setTargetAtTime(volume, now, SOUND_TIME_CONSTANT_S);
    this.sound.pan.pan.setTargetAtTime(Math.max(-0.8, Math.min(0.8, pan)), now, SOUND_TIME_CONSTANT_S);
  }

  /** Reports each frame as it arrives, so that the space is drawn as often as the video has frames and not more often. */
  private requestFrames(): void {
    const { element } = this;
    if (!(element instanceof HTMLVideoElement)) return;
    const { signal } = this.disposal;
    const showFrame = () => {
      if (signal.aborted) return;
      if (!this.texture && element.videoWidth > 0) this.texture = createFrameTexture(element);
      this.events.frame();
      if (this.isPlaying) requestNext();
    };
    const requestNext = () => {
      if (element.requestVideoFrameCallback) this.frameRequest = element.requestVideoFrameCallback(showFrame);
      else setTimeout(showFrame, 40);
    };
    requestNext();
  }
}

function createFrameTexture(element: HTMLVideoElement): Texture {
  // The texture gets its size from these attributes, which are 0 by default.
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
