/** Duration of a frame that states none, as browsers show it, in milliseconds. */
const USUAL_FRAME_MS = 100;
const SHORTEST_FRAME_MS = 20;

/** Whether a file is of a type whose pictures may move. */
export const mayMove = ({ type }: Blob): boolean => /^image\/(gif|webp|png|apng)$/.test(type);

/** A GIF, WebP or PNG of several frames that moves on a canvas. One frame is decoded at a time. */
export class MovingPicture {
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
   * @param side pixels of the canvas's longer side at most
   * @param onFrame called after each drawn frame
   * @returns null for a picture of one frame, for what cannot be decoded, and in browsers that decode no frames: they show the first
   */
  static async open(file: Blob, side: number, onFrame: () => void): Promise<MovingPicture | null> {
    if (typeof ImageDecoder === "undefined" || !mayMove(file)) return null;
    const decoder = new ImageDecoder({
      data: await file.arrayBuffer(),
      type: file.type,
      preferAnimation: true,
    });
    try {
      await decoder.tracks.ready;
      await decoder.completed;
      const track = decoder.tracks.selectedTrack;
      if (!track?.animated || track.frameCount < 2) throw new Error("The picture does not move.");
      const { image } = await decoder.decode({ frameIndex: 0 });
      const scale = Math.min(1, side / Math.max(image.displayWidth, image.displayHeight));
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(image.displayWidth * scale));
      canvas.height = Math.max(1, Math.round(image.displayHeight * scale));
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0, canvas.width, canvas.height);
      image.close();
      if (context) return new MovingPicture(decoder, track, canvas, context, onFrame);
    } catch {
      // It is shown as it is: its first frame was drawn already.
    }
    decoder.close();
    return null;
  }

  /** Continues from the current frame. */
  play(): void {
    if (this.isRunning || this.isDisposed) return;
    this.isRunning = true;
    void this.next();
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

  private async next(): Promise<void> {
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
      // The first round is not counted as a repetition.
      if (this.index === 0 && this.rounds++ >= this.track.repetitionCount) return this.pause();
      const wait = milliseconds > 10 ? Math.max(SHORTEST_FRAME_MS, milliseconds) : USUAL_FRAME_MS;
      this.timer = setTimeout(() => void this.next(), wait);
    } catch {
      // A frame that is broken: the one before stays.
      this.pause();
    }
  }
}
