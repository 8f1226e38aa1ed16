import {
  STAY_SECONDS_MAX,
  TELL_SECONDS,
  VISIT_LIST_MAX,
  VISIT_PARTS_MAX,
  type VisitReport,
  type VisitThing,
} from "~/domain/analytics/visit";

/** How often it is looked where the visitor is, in milliseconds. */
export const LOOK_MS = 2000;
/** A look that comes later than so is no look: the machine has slept. */
const LATE_MS = 5 * LOOK_MS;
/** Parts that did not arrive and are told again; a page that reaches nobody forgets the oldest. */
const UNTOLD_MAX = 5;

/** What telling of a visit needs of the browser. */
export interface TellPorts {
  /** Milliseconds, of a clock that never jumps back. */
  now(): number;
  /** Sends a part. False when it did not arrive. */
  send(body: string): Promise<boolean>;
  /** Hands a part over to be sent when the page has gone. False when nobody takes it. */
  sendLast(body: string): boolean;
}

/**
 * What one page tells of a visit: that somebody is there, what is opened, and where the time is spent in which the page is in view. In parts, each
 * with its number, so that one that is told twice counts once.
 */
export class VisitTracker {
  readonly #ports: TellPorts;
  readonly #visit: Pick<VisitReport, "visit" | "from">;
  /** By what they say: a part names everything once. */
  readonly #things = new Map<string, VisitThing>();
  /** Milliseconds at places, of which whole seconds are told. */
  readonly #stays = new Map<string, number>();
  #untold: string[] = [];
  #part = 0;
  #toldAt: number;
  /** When was last looked where the visitor is; null while the page is out of view. */
  #lookedAt: number | null = null;

  constructor(visit: Pick<VisitReport, "visit" | "from">, ports: TellPorts) {
    this.#visit = visit;
    this.#ports = ports;
    this.#toldAt = ports.now();
  }

  /** Notes that something was opened. */
  note(thing: VisitThing): void {
    this.#things.set(`${thing.act} ${thing.id}`, thing);
  }

  /** The page is in view, and the visitor at this place; to be called every LOOK_MS. Tells what has come together from time to time. */
  look(place: string): void {
    const now = this.#ports.now();
    const isFirst = this.#part === 0 && this.#lookedAt === null;
    this.#spend(place, now);
    this.#lookedAt = now;
    if (isFirst) return;
    if (this.#part === 0 || now - this.#toldAt >= TELL_SECONDS * 1000) void this.tell();
  }

  /** The page goes out of view, and may never come back. One that was never in view has nothing to tell. */
  leave(place: string): void {
    if (this.#part === 0 && this.#lookedAt === null) return;
    this.#spend(place, this.#ports.now());
    this.#lookedAt = null;
    this.#take();
    this.#untold = this.#untold.filter((body) => !this.#ports.sendLast(body));
  }

  /** Tells what there is to tell. */
  async tell(): Promise<void> {
    this.#take();
    const bodies = this.#untold;
    this.#untold = [];
    for (const body of bodies)
      if (!(await this.#ports.send(body))) this.#untold = [...this.#untold, body].slice(-UNTOLD_MAX);
  }

  #spend(place: string, now: number): void {
    if (this.#lookedAt === null) return;
    const passed = now - this.#lookedAt;
    if (passed <= LATE_MS) this.#stays.set(place, (this.#stays.get(place) ?? 0) + passed);
  }

  /** Makes a part of what has come together. The first says that somebody is there, also when there is nothing else. */
  #take(): void {
    const stays = [...this.#stays]
      .map(([place, ms]) => ({ place, seconds: Math.min(Math.floor(ms / 1000), STAY_SECONDS_MAX) }))
      .filter(({ seconds }) => seconds > 0)
      .slice(0, VISIT_LIST_MAX);
    const things = [...this.#things.values()].slice(0, VISIT_LIST_MAX);
    this.#toldAt = this.#ports.now();
    if ((this.#part > 0 && stays.length + things.length === 0) || this.#part >= VISIT_PARTS_MAX) return;
    for (const { place, seconds } of stays)
      this.#stays.set(place, (this.#stays.get(place) ?? 0) - seconds * 1000);
    for (const { act, id } of things) this.#things.delete(`${act} ${id}`);
    const report: VisitReport = { ...this.#visit, part: this.#part++, things, stays };
    this.#untold.push(JSON.stringify(report));
  }
}
