/** Reports of calls to stores: a log line for each failure, and the last responses for the event's owner. */
import { LRUCache } from "lru-cache";
import type { StoreCallReport, StoreStatusRepository } from "#functions/services/store/shop-ports";
import type { Uuid } from "~/domain/shared/model";
import type { StoreResponse, StoreStatus } from "~/domain/store/store";

/** Minimum time between two writes of the same outcome (success or failure) for an event, in milliseconds. */
export const WRITE_INTERVAL_MS = 60_000;
/** Time after which a response is written even if it equals the last one, in milliseconds. */
export const UNCHANGED_WRITE_INTERVAL_MS = 600_000;
/** Maximum number of events in an isolate's memory. */
const EVENTS_MAX = 500;

/** Dependencies of reports. */
export interface StoreReportDeps {
  readonly repository: StoreStatusRepository;
  /** Writes a log line. */
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

interface RememberedResponse {
  readonly response: StoreResponse;
  /** The last response with the same outcome (success or failure) that this isolate wrote. */
  readonly written: StoreResponse | null;
}
/** The last responses of an event's store that this isolate received. */
interface EventMemory {
  readonly origin: string;
  /** The last successful response. */
  success: RememberedResponse | null;
  failure: RememberedResponse | null;
}

/** The reports of an isolate. */
export class StoreReports {
  readonly #events = new LRUCache<Uuid, EventMemory>({ max: EVENTS_MAX });
  readonly #deps: StoreReportDeps;

  constructor(deps: StoreReportDeps) {
    this.#deps = deps;
  }

  /**
   * Logs a failure, and stores a response for the owner if it is the first one with its outcome or `isWorthWriting` says so. Responses without an
   * event, or of a store whose address or token was typed for a test, are not stored.
   * @param defer receives work that the visitor's response does not wait for
   */
  record(
    { origin, eventId, isTyped, response }: StoreCallReport,
    defer: (work: Promise<unknown>) => void,
  ): void {
    const { operation, status, code, ms, attempts } = response;
    if (code !== null)
      this.#deps.log("store failure", { operation, event: eventId, status, code, ms, attempt: attempts });
    if (eventId === null || isTyped) return;
    const memory = this.#memoryOfEvent(eventId, origin);
    const kind = code === null ? "success" : "failure";
    const oppositeMemory = memory[code === null ? "failure" : "success"];
    const written = memory[kind]?.written ?? null;
    const isDue = written === null || isWorthWriting(response, written, oppositeMemory?.response ?? null);
    memory[kind] = { response, written: isDue ? response : written };
    if (isDue)
      defer(this.#deps.repository.record(eventId, origin, response, response.at - WRITE_INTERVAL_MS));
  }

  /** Returns the last responses of an event's store: the stored ones, or newer ones of this isolate. */
  async statusOf(eventId: Uuid, origin: string): Promise<StoreStatus> {
    const stored = await this.#deps.repository.read(eventId, origin);
    const memory = this.#events.get(eventId);
    if (!memory || memory.origin !== origin) return stored;
    return {
      response: newerOf(stored.response, memory.success?.response ?? null),
      failure: newerOf(stored.failure, memory.failure?.response ?? null),
    };
  }

  #memoryOfEvent(eventId: Uuid, origin: string): EventMemory {
    const cached = this.#events.get(eventId);
    const memory = cached?.origin === origin ? cached : { origin, success: null, failure: null };
    this.#events.set(eventId, memory);
    return memory;
  }
}

/**
 * Whether a response must be written. A response is written at most once per WRITE_INTERVAL_MS, and only if it differs from the written one, follows
 * one of the opposite outcome, or comes UNCHANGED_WRITE_INTERVAL_MS later.
 */
function isWorthWriting(
  response: StoreResponse,
  written: StoreResponse,
  oppositeResponse: StoreResponse | null,
): boolean {
  const age = response.at - written.at;
  if (age < WRITE_INTERVAL_MS) return false;
  const isSame =
    response.code === written.code &&
    response.version === written.version &&
    response.scope === written.scope;
  const hasOutcomeChanged = oppositeResponse !== null && oppositeResponse.at >= written.at;
  return !isSame || hasOutcomeChanged || age >= UNCHANGED_WRITE_INTERVAL_MS;
}

const newerOf = (a: StoreResponse | null, b: StoreResponse | null) => (!a || (b && b.at > a.at) ? b : a);
