/** The reason why the space, or a part of it, is missing. */
export type ViewerErrorCode =
  /** The browser has no WebGL 2. */
  | "webgl_unavailable"
  /** A file could not be loaded or read. */
  | "load_failed"
  /** The graphics context was lost and did not return. */
  | "context_lost"
  /** The source may not be shown on this page. */
  | "rejected"
  /** The source is too large for this device. */
  | "too_large"
  /** A third party's server does not respond. */
  | "unreachable"
  /** A decoder did not start or did not respond in time. */
  | "decoder_failed";

/** The reason why a viewer could not start, load or move: a code for the visitor's message and a message for the log. */
export class ViewerError extends Error {
  readonly code: ViewerErrorCode;
  constructor(code: ViewerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ViewerError";
    this.code = code;
  }
}
