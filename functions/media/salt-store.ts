import type { SaltStore } from "#functions/services/analytics/visit-ports";

const FOLDER = "salts/";

/** Salts of days in R2, which keeps nothing of what was deleted, where D1 could be put back to the day on which it had them. The first to end come first. */
export const r2SaltStore = (bucket: R2Bucket): SaltStore => ({
  async salt({ timeZone, endsAt }, fresh) {
    const key = `${FOLDER}${endsAt} ${timeZone}`;
    const object = await bucket.get(key);
    if (object) return object.text();
    // Writes nothing if another isolate has stored a salt in between.
    if (await bucket.put(key, fresh, { onlyIf: { etagDoesNotMatch: "*" } })) return fresh;
    return (await bucket.get(key))?.text() ?? fresh;
  },

  async forget(before) {
    const { objects } = await bucket.list({ prefix: FOLDER });
    const over = objects
      .map(({ key }) => key)
      .filter((key) => key.slice(FOLDER.length, key.indexOf(" ")) <= before);
    if (over.length > 0) await bucket.delete(over);
  },
});
