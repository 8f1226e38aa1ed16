/**
 * Problems of a ZIP archive, each the last part of a message's key. "paths": invalid or duplicate file names. "tooMany": too many files. "method": a
 * compression that is not supported.
 */
export type ArchiveProblem = "notZip" | "encrypted" | "damaged" | "paths" | "tooMany" | "tooLarge" | "method";

/** An archive, or a file in it, that cannot be read. */
export class ArchiveError extends Error {
  readonly problem: ArchiveProblem;
  constructor(problem: ArchiveProblem, cause?: unknown) {
    super(`archive: ${problem}`, { cause });
    this.name = "ArchiveError";
    this.problem = problem;
  }
}
