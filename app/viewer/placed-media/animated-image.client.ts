/** Default duration of a frame, as in browsers, in milliseconds. */
const FRAME_DEFAULT_MS = 100;
const FRAME_MIN_MS = 20;

/** Whether a file has a type that may be animated. */
export const mayBeAnimated = ({ type }: Blob): boolean => /^image\/(gif|webp|png|apng)$/.test(type);

/** An animated GIF, WebP or PNG on a canvas. One frame is decoded at a time. */
export class AnimatedImage {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private index = 0;
  private rounds = 0;
  private isRunning = false;
  private isDisposed = false;

  private constructor(
    private readonly decoder: ImageDecoder,
    private readonly track: ImageTrack,
    readonly canvas: HTMLCanvasElement,
    private readonly context: CanvasRenderingContext2D,
    private readonly onFrame: () => void,
  ) {}

  /**
   * Opens a file.
   * @param side maximum length of the canvas's longer side, in pixels
   * @param onFrame called after each drawn frame
   * @returns null for an image of one frame, for files that cannot be decoded, and in browsers without ImageDecoder, which show
   * the first frame
   */
  static async open(file: Blob, side: number, onFrame: () => void): Promise<AnimatedImage | null> {
    if (typeof ImageDecoder === "undefined" || !mayBeAnimated(file)) return null;
    const decoder = new ImageDecoder({
      data: await file.arrayBuffer(),
      type: file.type,
      preferAnimation: true,
    });
    try {
      await decoder.tracks.ready;
      await decoder.completed;
      const track = decoder.tracks.selectedTrack;
      if (!track?.animated || track.frameCount < 2) throw new Error("The image has only one frame.");
      const { image } = await decoder.decode({ frameIndex: 0 });
      const scale = Math.min(1, side / Math.max(image.displayWidth, image.displayHeight));
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(image.displayWidth * scale));
      canvas.height = Math.max(1, Math.round(image.displayHeight * scale));
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0, canvas.width, canvas.height);
      image.close();
      if (context) return new AnimatedImage(decoder, track, canvas, context, onFrame);
    } catch {
      // The first frame is drawn already and stays.
    }
    decoder.close();
    return null;
  }

  /** Continues from the current frame. */
  play(): void {
    if (this.isRunning || this.isDisposed) return;
    this.isRunning = true;
    void this.drawNextFrame();
  }

  /** Stops at the current frame. */
  pause(): void {
    this.isRunning = false;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  dispose(): void {
    this.pause();
    if (!this.isDisposed) this.decoder.close();
    this.isDisposed = true;
  }

  private async drawNextFrame(): Promise<void> {
    try {
      const { image } = await this.decoder.decode({ frameIndex: this.index });
      const milliseconds = (image.duration ?? 0) / 1000;
      const { canvas, context } = this;
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      image.close();
      if (!this.isRunning) return;
      this.onFrame();
      this.index = (this.index + 1) % this.track.frameCount;
      // The first playback does not count as a repetition.
      if (this.index === 0 && this.rounds++ >= this.track.repetitionCount) return this.pause();
      const delay = milliseconds > 10 ? Math.max(FRAME_MIN_MS, milliseconds) : FRAME_DEFAULT_MS;
      this.timer = setTimeout(() => void this.drawNextFrame(), delay);
    } catch {
      // The frame is damaged. The previous frame stays.
      this.pause();
    }
  }
}
