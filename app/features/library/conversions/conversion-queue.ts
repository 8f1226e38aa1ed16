/**
 * Converts the files of this tab one after the other. The server decides which browser converts a file. The queue uses neither React nor the
 * DOM.
 */
import { needsConversion } from "~/domain/library/preparation";
import { PREPARATION_CODES, type PreparationCode } from "~/domain/library/prepared";
import { UPLOAD_PART_BYTES } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import type {
  Conversion,
  ConversionError,
  ConvertedFile,
  Converter,
  FileMeasurements,
} from "../prepare/conversion";
import { type ConversionRequest, type ConversionRow, isEndedConversionState } from "./conversion-state";

/** Response of the API. Status 0 means that no response arrived. */
interface ApiResult {
  readonly status: number;
  readonly body: unknown;
}

/** Dependencies of the queue. */
export interface ConversionDeps {
  readonly api: {
    json(method: "GET" | "POST", path: string, body?: unknown): Promise<ApiResult>;
    bytes(
      path: string,
      bytes: Blob,
      options?: { readonly signal?: AbortSignal; readonly onSent?: (bytes: number) => void },
    ): Promise<ApiResult>;
  };
  /** Fetches the original. Rejects when the download fails. */
  readonly fetchFile: (url: string, signal: AbortSignal, onShare: (share: number) => void) => Promise<Blob>;
  readonly getConverter: (mimeType: string) => Promise<Converter | null>;
  /** Whether this browser can draw files of a kind. */
  readonly canDraw: (kind: string) => boolean;
  /** Draws the thumbnail of a file; returns an audio file unchanged. Null when no thumbnail could be drawn. */
  readonly draw: (file: Blob, kind: string) => Promise<Blob | null>;
  readonly createObjectUrl: (blob: Blob) => string;
  readonly revokeObjectUrl: (url: string) => void;
  /** Id by which the server recognises this tab after a reload. */
  readonly holder: string;
  /** Counts conversions during which this browser crashed: begin() counts one and returns the earlier crashes, end() resets the counter. */
  readonly attempts: { begin(key: string): number; end(key: string): void };
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Interval at which the tab renews its claim on the conversion, in milliseconds. */
export const CLAIM_RENEW_MS = 20_000;
/** Delay before the queue checks a file again that another browser converts, in milliseconds. */
export const BUSY_RETRY_MS = 15_000;
/** Maximum number of attempts for a request, and delay after the first attempt in milliseconds. The delay doubles with each attempt. */
const ATTEMPTS_MAX = 5;
const FIRST_RETRY_MS = 1000;
/** Number of tiles that are sent at the same time. */
const TILES_AT_ONCE = 4;
/** Number of crashes of this browser during the conversion of a file after which the conversion is not started again. */
const CRASHES_MAX = 2;

/** Ends a conversion. Without a code, the server did not respond, or rejected a request for an unknown reason. */
class ConversionEnded extends Error {
  constructor(readonly code: ConversionRow["code"]) {
    super(code ?? "lost");
  }
}

/** Decision of the owner about a result: keep it, discard it, or convert the file again with another quality (0…1). */
type Decision = "keep" | "discard" | { readonly quality: number };

/** Response of the API when this tab may convert the file. */
interface Started {
  readonly state: "started";
  /** Id of this run of the conversion. */
  readonly run_uuid: Uuid;
  /** Quality, 0…1. */
  readonly quality: number;
  readonly file_url: string;
}

/** A file of the queue. */
interface Entry {
  request: ConversionRequest;
  readonly abort: AbortController;
  row: ConversionRow;
  /** Whether another browser was converting the file when this tab tried to claim it. */
  wasBusy: boolean;
  /** Resolves the owner's awaited decision about a result; null while none is awaited. */
  decide: ((decision: Decision) => void) | null;
}

/** The conversions of this tab. One file is converted at a time. */
export class ConversionQueue {
  private entries: Entry[] = [];
  private isRunning = false;
  private rows: readonly ConversionRow[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly endListeners = new Set<(row: ConversionRow) => void>();

  constructor(private readonly deps: ConversionDeps) {}

  readonly getRows = (): readonly ConversionRow[] => this.rows;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  /** Calls a listener for each conversion that ends. Returns a function that removes it. */
  onEnd(listener: (row: ConversionRow) => void): () => void {
    this.endListeners.add(listener);
    return () => this.endListeners.delete(listener);
  }

  /** Adds a file, unless the queue already has a conversion of it that has not ended. */
  add(request: ConversionRequest): void {
    const previous = this.entries.find(({ request: { itemId } }) => itemId === request.itemId);
    if (previous && previous.row.state !== "done" && previous.row.state !== "failed") return;
    if (previous) this.remove(previous);
    const { itemId, name, mimeType } = request;
    const row: ConversionRow = {
      itemId,
      name,
      mimeType,
      state: "waiting",
      share: 0,
      step: null,
      code: null,
      comparison: null,
    };
    this.entries.push({ request, abort: new AbortController(), row, wasBusy: false, decide: null });
    this.notify();
    void this.runWaiting();
  }

  /** Cancels a conversion. If it has started, the server is informed. */
  cancel(itemId: Uuid): void {
    const entry = this.find(itemId);
    if (!entry) return;
    const isWaiting = entry.row.state === "waiting";
    entry.abort.abort(new ConversionEnded("cancelled"));
    if (isWaiting) this.endConversion(entry, "failed", "cancelled");
  }

  /** Passes on the owner's decision about a result. */
  decide(itemId: Uuid, decision: Decision): void {
    this.find(itemId)?.decide?.(decision);
  }

  /** Removes a finished or failed conversion from the list. */
  dismiss(itemId: Uuid): void {
    const entry = this.find(itemId);
    if (entry && (entry.row.state === "done" || entry.row.state === "failed")) this.remove(entry);
    this.notify();
  }

  private find(itemId: Uuid): Entry | undefined {
    return this.entries.find(({ request }) => request.itemId === itemId);
  }

  private remove(entry: Entry): void {
    for (const url of [entry.row.comparison?.original, entry.row.comparison?.converted])
      if (url) this.deps.revokeObjectUrl(url);
    this.entries = this.entries.filter((candidate) => candidate !== entry);
  }

  private updateRow(entry: Entry, change: Partial<ConversionRow>): void {
    entry.row = { ...entry.row, ...change };
    this.notify();
  }

  private notify(): void {
    this.rows = this.entries.map(({ row }) => row);
    for (const listener of this.listeners) listener();
  }

  private endConversion(entry: Entry, state: "done" | "failed", code: ConversionRow["code"] = null): void {
    // A conversion that is cancelled before its claim is answered has ended already.
    if (isEndedConversionState(entry.row.state)) return;
    this.updateRow(entry, { state, code, share: 1, step: null });
    for (const listener of this.endListeners) listener(entry.row);
  }

  private async runWaiting(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      for (let waitingEntry = this.findWaiting(); waitingEntry; waitingEntry = this.findWaiting())
        await this.run(waitingEntry);
    } finally {
      this.isRunning = false;
    }
  }

  private findWaiting(): Entry | undefined {
    return this.entries.find(({ row }) => row.state === "waiting");
  }

  private async run(entry: Entry): Promise<void> {
    const { abort } = entry;
    const { itemId } = entry.request;
    const preparationPath = `/api/v1/media/${itemId}/preparation`;
    let started: Started | null = null;
    const attemptKey = () => `${itemId} ${started?.file_url ?? ""}`;
    try {
      // The file is not claimed, so that a browser that can draw the result converts it.
      if (!this.deps.canDraw(entry.request.kind)) throw new ConversionEnded("no_webgl");
      for (let isDone = false; !isDone; ) {
        const claim = await this.claim(entry, preparationPath);
        started = claim === "busy" ? null : claim;
        abort.signal.throwIfAborted();
        if (claim === "busy") return void this.tryLater(entry);
        if (started === null) break;
        if (this.deps.attempts.begin(attemptKey()) >= CRASHES_MAX) throw new ConversionEnded("out_of_memory");
        const renewal = this.renewClaim(entry, preparationPath, started.run_uuid);
        try {
          isDone = await this.convert(entry, preparationPath, started);
        } finally {
          renewal.abort();
        }
        this.deps.attempts.end(attemptKey());
      }
      this.endConversion(entry, "done");
    } catch (error) {
      const code = toErrorCode(abort.signal.aborted ? abort.signal.reason : error);
      // Only unexpected errors are logged.
      if (
        !(error instanceof Error) ||
        (code === null && !(error instanceof ConversionEnded) && !abort.signal.aborted)
      )
        console.warn("A file could not be converted.", error);
      if (started) {
        this.deps.attempts.end(attemptKey());
        if (code !== null)
          await this.deps.api.json("POST", `${preparationPath}/fail`, { run_uuid: started.run_uuid, code });
      }
      this.endConversion(entry, "failed", code);
    }
  }

  /**
   * Claims the file. Returns "busy" while another browser converts it, and null when that browser has converted it.
   * @throws ConversionEnded when that browser's conversion failed, when the owner chose to use the original, and when the server rejects a request
   */
  private async claim(entry: Entry, preparationPath: string): Promise<Started | "busy" | null> {
    const { request, abort } = entry;
    if (entry.wasBusy && !request.needsComparison) {
      const stateResponse = await this.request("GET", preparationPath, undefined, abort.signal);
      if (stateResponse.status !== 200) throw new ConversionEnded(null);
      const { state, code } = stateResponse.body as {
        readonly state: string;
        readonly code: PreparationCode | null;
      };
      if (state === "failed") throw new ConversionEnded(code);
      if (state === "skipped") throw new ConversionEnded("cancelled");
      if (state !== "waiting") return null;
    }
    const body = {
      holder: this.deps.holder,
      ...(request.quality === null ? {} : { quality: request.quality }),
    };
    const response = await this.request("POST", preparationPath, body, abort.signal);
    if (response.status !== 200) throw new ConversionEnded(null);
    const started = response.body as Started | { readonly state: "busy" };
    return started.state === "busy" ? "busy" : started;
  }

  /** Waits and then tries again to claim a file that another browser converts. Meanwhile, other files of this tab are converted. */
  private async tryLater(entry: Entry): Promise<void> {
    entry.wasBusy = true;
    this.updateRow(entry, { state: "busy", share: 0 });
    const { signal } = entry.abort;
    try {
      await this.deps.wait(BUSY_RETRY_MS, signal);
      this.updateRow(entry, { state: "waiting" });
      await this.runWaiting();
    } catch {
      this.endConversion(entry, "failed", toErrorCode(signal.reason));
    }
  }

  /**
   * Renews the claim every CLAIM_RENEW_MS, and ends the conversion when the server rejects a renewal. Aborting the returned controller stops the
   * renewals.
   */
  private renewClaim(entry: Entry, preparationPath: string, runId: Uuid): AbortController {
    const renewal = new AbortController();
    const renewRepeatedly = async () => {
      for (;;) {
        await this.deps.wait(CLAIM_RENEW_MS, renewal.signal);
        const { status } = await this.deps.api.json("POST", `${preparationPath}/renew`, { run_uuid: runId });
        if (status >= 400 && status < 500 && status !== 429) entry.abort.abort(new ConversionEnded(null));
      }
    };
    renewRepeatedly().catch(() => {});
    return renewal;
  }

  /** Converts a file and sends the result. Returns false without sending it when the owner chooses another quality. */
  private async convert(entry: Entry, preparationPath: string, started: Started): Promise<boolean> {
    const { request, abort } = entry;
    const { signal } = abort;
    const { deps } = this;
    const convert = await deps.getConverter(request.mimeType);
    if (!convert) throw new ConversionEnded("no_converter");
    this.updateRow(entry, { state: "reading", share: 0 });
    const file =
      request.file ??
      (await deps.fetchFile(started.file_url, signal, (share) => this.updateRow(entry, { share })));
    this.updateRow(entry, { state: "converting", share: 0 });
    const conversion = await convert({
      file,
      fileName: request.name,
      mimeType: request.mimeType,
      companions: new Map(),
      quality: started.quality,
      signal,
      onProgress: (share, step) => this.updateRow(entry, { share, step }),
    });
    signal.throwIfAborted();
    const display = conversion.files.find(({ role }) => role === "display");
    if (!display) throw new ConversionEnded("damaged");
    // A result that this browser cannot draw is not sent, because visitors might not see it either.
    this.updateRow(entry, { state: "drawing", share: 0, step: null });
    const frame = await deps.draw(display.blob, display.kind);
    signal.throwIfAborted();
    if (!frame) throw new ConversionEnded("not_drawn");
    const { width = null, height = null } = conversion.before;
    const isNeeded = needsConversion({ mimeType: request.mimeType, width, height });
    if (!request.needsComparison && !isNeeded && !isLighter(conversion))
      throw new ConversionEnded("not_lighter");
    if (request.needsComparison) {
      const decision = await this.awaitDecision(entry, file, frame, conversion);
      if (decision === "discard") throw new ConversionEnded("cancelled");
      if (decision !== "keep") {
        entry.request = { ...request, file, quality: decision.quality };
        return false;
      }
    }
    await this.send(entry, preparationPath, started.run_uuid, conversion);
    if (request.updatesThumbnail) await deps.api.bytes(`/api/v1/media/${request.itemId}/thumbnail`, frame);
    return true;
  }

  /** Shows a result beside the original, and resolves with the owner's decision. */
  private async awaitDecision(
    entry: Entry,
    file: Blob,
    frame: Blob,
    { before, after, losses, notes = [] }: Conversion,
  ): Promise<Decision> {
    const { request, abort } = entry;
    const { comparison: previous } = entry.row;
    const createUrl = (blob: Blob | null) => blob && this.deps.createObjectUrl(blob);
    const original =
      previous?.original ?? createUrl(await this.deps.draw(file, request.kind).catch(() => null));
    abort.signal.throwIfAborted();
    if (previous?.converted) this.deps.revokeObjectUrl(previous.converted);
    const { quality } = request;
    const comparison = { original, converted: createUrl(frame), quality, before, after, losses, notes };
    const decision = await new Promise<Decision>((resolve) => {
      entry.decide = resolve;
      abort.signal.addEventListener("abort", () => resolve("discard"), { once: true });
      this.updateRow(entry, { state: "asking", comparison });
    });
    entry.decide = null;
    return decision;
  }

  private async send(
    entry: Entry,
    preparationPath: string,
    runId: Uuid,
    conversion: Conversion,
  ): Promise<void> {
    const { files, before, after, losses, notes } = conversion;
    const total = files.reduce((sum, { blob }) => sum + blob.size, 0);
    let sentBytes = 0;
    this.updateRow(entry, { state: "sending", share: 0, step: null });
    const tiles = files.filter(({ role }) => role === "tile");
    await this.sendTiles(entry, preparationPath, runId, tiles, (bytes) => {
      sentBytes += bytes;
      this.updateRow(entry, { share: sentBytes / total });
    });
    for (const file of files.filter(({ role }) => role !== "tile"))
      for (let part = 1, offset = 0; offset < file.blob.size; part++, offset += UPLOAD_PART_BYTES) {
        const slice = file.blob.slice(offset, offset + UPLOAD_PART_BYTES, "application/octet-stream");
        await this.put(entry, `${preparationPath}/file?${buildQuery(runId, file, part)}`, slice, (bytes) =>
          this.updateRow(entry, { share: total > 0 ? (sentBytes + bytes) / total : 1 }),
        );
        sentBytes += slice.size;
      }
    const report = {
      run_uuid: runId,
      before: toApiMeasurements(before),
      after: toApiMeasurements(after),
      losses,
      notes,
    };
    const response = await this.request("POST", `${preparationPath}/finish`, report, entry.abort.signal);
    if (response.status !== 200) throw new ConversionEnded(rejectionCode(response));
  }

  /** Sends tiles in parallel, because each is small and the latency dominates. */
  private async sendTiles(
    entry: Entry,
    preparationPath: string,
    runId: Uuid,
    tiles: readonly ConvertedFile[],
    onSent: (bytes: number) => void,
  ): Promise<void> {
    const remainingTiles = tiles.values();
    const sendNext = async () => {
      for (const tile of remainingTiles) {
        const bytes = tile.blob.slice(0, tile.blob.size, "application/octet-stream");
        await this.put(entry, `${preparationPath}/file?${buildQuery(runId, tile, 1)}`, bytes, () => {});
        onSent(bytes.size);
      }
    };
    await Promise.all(Array.from({ length: TILES_AT_ONCE }, sendNext));
  }

  private put(entry: Entry, path: string, bytes: Blob, onSent: (bytes: number) => void): Promise<void> {
    const { signal } = entry.abort;
    return this.retry(signal, () => this.deps.api.bytes(path, bytes, { signal, onSent })).then((response) => {
      if (response.status !== 200) throw new ConversionEnded(rejectionCode(response));
    });
  }

  private request(
    method: "GET" | "POST",
    path: string,
    body: unknown,
    signal: AbortSignal,
  ): Promise<ApiResult> {
    return this.retry(signal, () => this.deps.api.json(method, path, body));
  }

  /** Sends a request up to ATTEMPTS_MAX times, until the server responds without a temporary error. */
  private async retry(signal: AbortSignal, send: () => Promise<ApiResult>): Promise<ApiResult> {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const response = await send();
      const isFinal = response.status !== 0 && response.status !== 429 && response.status < 500;
      if (isFinal || attempt >= ATTEMPTS_MAX) return response;
      await this.deps.wait(FIRST_RETRY_MS * 2 ** (attempt - 1), signal);
    }
  }
}

const buildQuery = (runId: Uuid, { role, name, blob }: ConvertedFile, part: number) =>
  new URLSearchParams({ run_uuid: runId, role, name, byte_size: String(blob.size), part: String(part) });

/** Whether the result has a preview or tiles, or is smaller than the original in at least one of the listed measurements. */
const isLighter = ({ files, before, after }: Conversion): boolean =>
  files.some(({ role }) => role !== "display") ||
  (["bytes", "triangles", "splats", "graphicsBytes"] as const).some(
    (name) => (after[name] ?? 0) < (before[name] ?? 0),
  );

/** Returns a file's measurements with the field names of the API. */
const toApiMeasurements = ({ graphicsBytes, ...measurements }: FileMeasurements) =>
  graphicsBytes === undefined ? measurements : { ...measurements, graphics_bytes: graphicsBytes };

/** Returns the reason why the server rejected a result; null when it is unknown. */
function rejectionCode({ status, body }: ApiResult): PreparationCode | null {
  const { code } = (body ?? {}) as { code?: string };
  if (code === "library_capacity") return "no_room";
  if (code === "preparation_too_large") return "too_large";
  return status === 400 ? "rejected" : null;
}

function toErrorCode(error: unknown): ConversionRow["code"] {
  if (error instanceof ConversionEnded) return error.code;
  const { name, code } = (error ?? {}) as Partial<ConversionError>;
  if (name === "ConversionError")
    return PREPARATION_CODES.find((candidate) => candidate === code) ?? "damaged";
  if (name === "RangeError") return "out_of_memory";
  return null;
}
