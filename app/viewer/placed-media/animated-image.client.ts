/** Duration of a frame for which the file states at most 10 ms, as in browsers, and minimum duration of all others, in milliseconds. */
const FRAME_DEFAULT_MS = 100;
const FRAME_MIN_MS = 20;

/** Whether a file has a type that may be animated. */
export const mayBeAnimated = ({ type }: Blob): boolean => /^image\/(gif|webp|png|apng)$/.test(type);

/** Position in the playback of an animated image. It continues when the image is loaded again in another size. */
export interface AnimationPosition {
  /** Index of the next frame, or of the last one after the end. */
  frame: number;
  /** Number of completed playbacks. */
  rounds: number;
}

/** An animated GIF, WebP or PNG on a canvas. One frame is decoded at a time. */
export class AnimatedImage {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isRunning = false;
  private isDisposed = false;

  private constructor(
    private readonly decoder: ImageDecoder,
    private readonly track: ImageTrack,
    readonly canvas: HTMLCanvasElement,
    private readonly context: CanvasRenderingContext2D,
    private readonly position: AnimationPosition,
    private readonly onFrame: () => void,
  ) {}

  /**
   * Opens a file.
   * @param side maximum length of the canvas's longer side, in pixels
   * @param position position at which the playback begins, which is updated
   * @param onFrame called after each drawn frame
   * @returns null for an image of one frame, for files that cannot be decoded, and in browsers without ImageDecoder, which show
   * the first frame
   */
  static async open(
    file: Blob,
    side: number,
    position: AnimationPosition,
    onFrame: () => void,
  ): Promise<AnimatedImage | null> {
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
      const { image } = await decoder.decode({ frameIndex: position.frame });
      const scale = Math.min(1, side / Math.max(image.displayWidth, image.displayHeight));
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(image.displayWidth * scale));
      canvas.height = Math.max(1, Math.round(image.displayHeight * scale));
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0, canvas.width, canvas.height);
      image.close();
      if (context) return new AnimatedImage(decoder, track, canvas, context, position, onFrame);
    } catch {
      // The first frame is drawn already and stays.
    }
    decoder.close();
    return null;
  }

  /** Continues from the current frame. Does nothing after the last repetition. */
  play(): void {
    if (this.isRunning || this.isDisposed || this.position.rounds > this.track.repetitionCount) return;
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
    const { canvas, context, position, track } = this;
    try {
      const { image } = await this.decoder.decode({ frameIndex: position.frame });
      const milliseconds = (image.duration ?? 0) / 1000;
      context.clearRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      image.close();
      if (!this.isRunning) return;
      this.onFrame();
      const isLastFrame = position.frame + 1 === track.frameCount;
      // The first playback does not count as a repetition.
      if (isLastFrame && position.rounds++ >= track.repetitionCount) return this.pause();
      position.frame = isLastFrame ? 0 : position.frame + 1;
      const delay = milliseconds > 10 ? Math.max(FRAME_MIN_MS, milliseconds) : FRAME_DEFAULT_MS;
      this.timer = setTimeout(() => void this.drawNextFrame(), delay);
    } catch {
      // The frame is damaged. The previous frame stays.
      this.pause();
    }
  }
}
