import { DurableObject } from "cloudflare:workers";
import { eventRepository } from "#functions/data/events/events";
import { openDb } from "#functions/data/shared/db";
import { errorFields, log } from "#functions/http/log";
import { idSource } from "#functions/security/random";
import { persistDueStatuses } from "#functions/services/events/events";
import type { RoomEnv } from "./event-room";

/** Interval between checks for due statuses, in milliseconds. */
const INTERVAL_MS = 5_000;
/** Maximum number of events per run. If there are more, the next run begins at once. */
const EVENTS_PER_RUN = 500;

/**
 * Stores the statuses of events that open or close by their dates, with their mails and webhook messages, within seconds (decision 095). There is one
 * such object. The cron trigger starts it, and also does the same work once a minute.
 */
export class StatusAlarm extends DurableObject<RoomEnv> {
  /** Sets the alarm if it is not set. */
  async start(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    let delay = INTERVAL_MS;
    try {
      const storedCount = await persistDueStatuses(
        {
          events: eventRepository(openDb(this.env.DB)),
          clock: { now: () => Date.now() },
          ids: idSource,
          // The web worker compares the event's revision, which the change increments, before it uses a cached page.
          onEventChanged: () => {},
        },
        { limit: EVENTS_PER_RUN },
      );
      if (storedCount === EVENTS_PER_RUN) delay = 0;
    } catch (error) {
      log("error", "statuses not stored", errorFields(error));
    }
    await this.ctx.storage.setAlarm(Date.now() + delay);
  }
}
