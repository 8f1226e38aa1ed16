import type { RoomPosition, visitRepository } from "#functions/data/analytics/visits";
import { DAY_MS } from "~/domain/shared/day";
import { coalesce } from "./coalesce";
import type { VisitLog } from "./visit-log";

/** Maximum number of times that a run reads D1's position, which is the last flush that D1 has: again after a restore, or when an earlier outcome is unknown. */
const POSITION_READS_MAX = 8;
/** Time after which a room is deleted if D1 does not have its event, in milliseconds. */
const MISSING_KEPT_MS = 7 * DAY_MS;

/** Dependencies of VisitFlusher. */
export interface FlusherDeps {
  readonly log: VisitLog;
  readonly visits: Pick<ReturnType<typeof visitRepository>, "position" | "flush">;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Time until which the log has all calls of the event's shards, in epoch milliseconds; now by default. */
  readonly completeUntil?: () => number;
  /** Reports the numbers of parts that were left out or repaired. */
  readonly onRepair: (numbers: { readonly invalid: number; readonly repaired: number }) => void;
  /** Reports that D1 does not have the event any more. */
  readonly onMissing?: () => void;
}

/** Counts the visits in the calls of a room's log, and sends the sums to D1 as flushes. D1 applies each flush once. */
export class VisitFlusher {
  readonly #deps: FlusherDeps;
  /** D1's position after the last flush of this process; null when it must be read. */
  #position: RoomPosition | null = null;
  readonly #runOnce = coalesce(async () => {
    this.#seal();
    await this.#send();
  });

  constructor(deps: FlusherDeps) {
    this.#deps = deps;
  }

  /**
   * Counts the visits of all stored calls and sends all flushes that D1 does not have. Resolves when D1 has every call that was stored before, or does not have the event.
   * @param reread reads D1's position first, so that a restored database is noticed
   * @throws when D1 does not respond: nothing is lost, and the next run continues
   */
  async flush(reread = false): Promise<void> {
    if (reread) this.#position = null;
    await this.#runOnce();
  }

  /** Whether the event has been missing in D1 for so long that the room can be deleted. */
  get isAbandoned(): boolean {
    const { log, now } = this.#deps;
    const missingSince = log.exists ? log.getSetting("missing_since") : 0;
    return missingSince > 0 && now() - missingSince > MISSING_KEPT_MS;
  }

  #seal(): void {
    const { log, now, onRepair } = this.#deps;
    for (let numbers = log.seal(now()); numbers; numbers = log.seal(now()))
      if (numbers.invalid + numbers.repaired > 0) onRepair(numbers);
  }

  async #send(): Promise<void> {
    const { log, visits, now, completeUntil = now, onMissing } = this.#deps;
    const eventId = log.getSetting("event_id");
    for (let positionReads = 0; positionReads < POSITION_READS_MAX; ) {
      const from = this.#position ?? (await this.#readPosition());
      if (!from) {
        if (log.getSetting("missing_since") === 0) {
          log.setSetting("missing_since", now());
          onMissing?.();
        }
        return;
      }
      const flush = log.flushAfter(from.sequence);
      if (!flush) return;
      const to = { room: log.getSetting("room"), sequence: flush.sequence };
      const result = await visits
        .flush({ ...flush, eventId, from, to, at: now(), completeUntil: completeUntil() })
        // It is unknown whether the batch was applied, so the next run reads the position.
        .catch((error) => {
          this.#position = null;
          throw error;
        });
      if (result === "written") {
        this.#position = to;
        log.setSetting("flushed", to.sequence);
      } else {
        this.#position = null;
        positionReads++;
      }
    }
    throw new Error("The position in D1 changed during each attempt of the room to flush");
  }

  async #readPosition(): Promise<RoomPosition | null> {
    const { log, visits } = this.#deps;
    const position = await visits.position(log.getSetting("event_id"));
    if (!position) return null;
    log.setSetting("missing_since", 0);
    // D1 has flushes of an earlier storage of this room, which was lost. The flushes of this storage follow them.
    const isOtherStorage = position.room !== "" && position.room !== log.getSetting("room");
    if (isOtherStorage || position.sequence > log.getSetting("sequence")) log.renumber(position.sequence);
    this.#position = position;
    return position;
  }
}
