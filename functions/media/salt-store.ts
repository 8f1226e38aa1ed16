import type { SaltStore } from "#functions/services/analytics/visit-ports";

const FOLDER = "salts/";

/**
 * Stores the daily salts, with which visitors are hashed, in R2, because R2 keeps no deleted objects, while D1 could be restored to a time
 * when it still had the salts. The keys are sorted by the end of the salts' days.
 */
export const r2SaltStore = (bucket: R2Bucket): SaltStore => ({
  async getOrCreate({ timeZone, endsAt }, newSalt) {
    const key = `${FOLDER}${endsAt} ${timeZone}`;
    const object = await bucket.get(key);
    if (object) return object.text();
    // Writes nothing if another isolate stored a salt meanwhile.
    if (await bucket.put(key, newSalt, { onlyIf: { etagDoesNotMatch: "*" } })) return newSalt;
    return (await bucket.get(key))?.text() ?? newSalt;
  },

  async deleteExpired(before) {
    const { objects } = await bucket.list({ prefix: FOLDER });
    const expiredKeys = objects
      .map(({ key }) => key)
      .filter((key) => key.slice(FOLDER.length, key.indexOf(" ")) <= before);
    if (expiredKeys.length > 0) await bucket.delete(expiredKeys);
  },
});
