import { archiveKey } from "#functions/rooms/visit-archive";
import type { VisitArchives } from "#functions/services/analytics/visit-export";

/** Reads the days of visits that rooms have stored in R2. */
export const r2VisitArchives = (bucket: R2Bucket): VisitArchives => ({
  readDay: async (eventId, day) => (await bucket.get(archiveKey(eventId, day)))?.body ?? null,
});
