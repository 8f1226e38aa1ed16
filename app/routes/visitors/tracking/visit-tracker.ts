import {
  DWELL_SECONDS_MAX,
  REPORT_INTERVAL_SECONDS,
  VISIT_LIST_MAX,
  VISIT_PARTS_MAX,
  type VisitedItem,
  type VisitReport,
} from "~/domain/analytics/visit";

/** Interval at which the visitor's position is sampled, in milliseconds. */
export const SAMPLE_MS = 2000;
/** Longest time between two samples that is counted, in milliseconds. After a longer one the machine was asleep. */
const SAMPLE_LATE_MS = 5 * SAMPLE_MS;
/** Maximum number of failed parts that are sent again; the oldest are dropped. */
const UNSENT_MAX = 5;

/** Browser functions that the tracker needs. */
export interface VisitTrackerPorts {
  /** Time of a monotonic clock, in milliseconds. */
  now(): number;
  /** Sends a part. Resolves to false if it did not arrive. */
  send(body: string): Promise<boolean>;
  /** Queues a part that is sent even if the page is closed. Returns false if the browser rejects it. */
  sendLast(body: string): boolean;
}

/**
 * Reports a visit: that it takes place, what is opened, and where the visitor spends the time in which the page is visible. The reports are
 * numbered parts, so that a part that is sent twice counts once.
 */
export class VisitTracker {
  readonly #ports: VisitTrackerPorts;
  /** The random name of the visit, and the host of the referring site. */
  readonly #visit: Pick<VisitReport, "visit" | "from">;
  /** Opened items by action and id, so that a part contains each item once. */
  readonly #openedItems = new Map<string, VisitedItem>();
  /** Milliseconds spent per place; only whole seconds are reported. */
  readonly #dwellMs = new Map<string, number>();
  #unsentParts: string[] = [];
  /** Number of parts that were created. */
  #partCount = 0;
  /** Time at which the latest part was due, or at which the visit began. */
  #reportedAt: number;
  /** Time of the last sample; null while the page is hidden. */
  #sampledAt: number | null = null;

  constructor(visit: Pick<VisitReport, "visit" | "from">, ports: VisitTrackerPorts) {
    this.#visit = visit;
    this.#ports = ports;
    this.#reportedAt = ports.now();
  }

  /** Records that an item was opened. */
  recordOpened(item: VisitedItem): void {
    this.#openedItems.set(`${item.act} ${item.id}`, item);
  }

  /**
   * Records that the page is visible and that the visitor is at a place, which is a panorama node or a cell of the space, or empty if it is unknown
   * (toVisitPlace). Must be called every SAMPLE_MS. Sends the collected data at the second call, and then every REPORT_INTERVAL_SECONDS.
   */
  sample(place: string): void {
    const now = this.#ports.now();
    const isFirst = this.#partCount === 0 && this.#sampledAt === null;
    this.#addDwellTime(place, now);
    this.#sampledAt = now;
    if (isFirst) return;
    if (this.#partCount === 0 || now - this.#reportedAt >= REPORT_INTERVAL_SECONDS * 1000)
      void this.sendParts();
  }

  /** Called when the page is hidden, because it may never become visible again. A page that was never visible sends nothing. */
  leave(place: string): void {
    if (this.#partCount === 0 && this.#sampledAt === null) return;
    this.#addDwellTime(place, this.#ports.now());
    this.#sampledAt = null;
    this.#createPart();
    this.#unsentParts = this.#unsentParts.filter((body) => !this.#ports.sendLast(body));
  }

  /** Sends the collected data, and the parts that could not be sent before. */
  async sendParts(): Promise<void> {
    this.#createPart();
    const bodies = this.#unsentParts;
    this.#unsentParts = [];
    for (const body of bodies)
      if (!(await this.#ports.send(body)))
        this.#unsentParts = [...this.#unsentParts, body].slice(-UNSENT_MAX);
  }

  #addDwellTime(place: string, now: number): void {
    if (this.#sampledAt === null) return;
    const elapsedMs = now - this.#sampledAt;
    if (elapsedMs <= SAMPLE_LATE_MS) this.#dwellMs.set(place, (this.#dwellMs.get(place) ?? 0) + elapsedMs);
  }

  /** Creates a part of the collected data, unless there is none or the visit has VISIT_PARTS_MAX parts. The first part reports the visit, even without data. */
  #createPart(): void {
    const dwellTimes = [...this.#dwellMs]
      .map(([place, ms]) => ({ place, seconds: Math.min(Math.floor(ms / 1000), DWELL_SECONDS_MAX) }))
      .filter(({ seconds }) => seconds > 0)
      .slice(0, VISIT_LIST_MAX);
    const items = [...this.#openedItems.values()].slice(0, VISIT_LIST_MAX);
    this.#reportedAt = this.#ports.now();
    if ((this.#partCount > 0 && dwellTimes.length + items.length === 0) || this.#partCount >= VISIT_PARTS_MAX)
      return;
    for (const { place, seconds } of dwellTimes)
      this.#dwellMs.set(place, (this.#dwellMs.get(place) ?? 0) - seconds * 1000);
    for (const { act, id } of items) this.#openedItems.delete(`${act} ${id}`);
    const report: VisitReport = { ...this.#visit, part: this.#partCount++, things: items, stays: dwellTimes };
    this.#unsentParts.push(JSON.stringify(report));
  }
}
