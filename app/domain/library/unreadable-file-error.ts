/** Thrown for a file that this browser could not open although it can draw, so that visitors will not see it either. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}
