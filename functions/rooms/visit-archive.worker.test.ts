import { beforeEach, describe, expect, it } from "vitest";
import type { VisitRecord } from "~/domain/analytics/visit";
import { localHour } from "~/domain/shared/time-zone";
import { type TestUser, useTestApp } from "../../tests/support/app/test-app";
import { createVisitCall } from "../../tests/support/app/test-rooms";
import { archiveKey, VisitArchive } from "./visit-archive";
import { VisitLog } from "./visit-log";

const testApp = useTestApp();
const DAY_MS = 86_400_000;
let owner: TestUser;
let eventId: string;

beforeEach(async () => {
  owner = await testApp.addUser();
  ({ eventId } = await testApp.addSpace(owner));
});

const recordOf = (visit: string, fields: Partial<VisitRecord> = {}): VisitRecord => ({
  eventId,
  visit,
  part: 0,
  at: testApp.time.now,
  hour: localHour(testApp.time.now, "Asia/Tokyo"),
  visitor: `visitor of ${visit}`,
  traits: { lang: "ja", device: "phone", country: "JP", from: "news.example" },
  things: [{ act: "tag", id: "t" }],
  stays: [{ place: "c0,0,0", seconds: 12 }],
  ...fields,
});
const archive = () => testApp.rooms.archive(eventId, testApp.files);
const archivedKeys = async () =>
  (await testApp.files.list({ prefix: `visits/${eventId}/` })).objects.map(({ key }) => key);
const dayOfNow = (daysAgo = 0) => new Date(testApp.time.now - daysAgo * DAY_MS).toISOString().slice(0, 10);

/** The visit, part and action of each line of the export. */
async function exportedLines(): Promise<string[]> {
  const { file } = await testApp.services.reports.visitCsv({ actor: owner.actor, eventId, period: "all" });
  const [header = "", ...lines] = (await new Response(file).text()).trim().split("\r\n");
  const columns = header.replace("\ufeff", "").split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return ["visit", "part", "act"].map((name) => cells[columns.indexOf(name)]).join(" ");
  });
}

describe("parts of visits", () => {
  it("move to R2 two days after their day, and the export stays the same", async () => {
    await testApp.rooms.recordAll([recordOf("a"), recordOf("b")]);
    // The second report of a part does not count.
    await testApp.rooms.recordAll([recordOf("b"), recordOf("b", { part: 1, things: [], stays: [] })]);
    const firstDay = dayOfNow();
    testApp.time.now += DAY_MS;
    await testApp.rooms.recordAll([recordOf("c")]);
    const all = ["a 0 tag", "a 0 stay", "b 0 tag", "b 0 stay", "b 1 ", "c 0 tag", "c 0 stay"];
    expect(await exportedLines()).toEqual(all);
    await archive();
    expect(await archivedKeys()).toEqual([]);
    testApp.time.now += 2 * DAY_MS;
    await archive();
    expect(await archivedKeys()).toEqual([archiveKey(eventId, firstDay)]);
    expect(await exportedLines()).toEqual(all);
    // The log deletes its rows after a week. R2 has the parts for 90 days.
    testApp.time.now += 30 * DAY_MS;
    await archive();
    await archive();
    expect(testApp.rooms.rowsOf(eventId)).toEqual([]);
    expect(await exportedLines()).toEqual(all);
  });

  it("are exported for the days of a period in the event's time zone", async () => {
    await testApp.rooms.recordAll([
      recordOf("a", { hour: "2026-03-31T23" }),
      recordOf("b", { hour: "2026-04-01T00" }),
    ]);
    testApp.time.now += 4 * DAY_MS;
    await archive();
    const { file } = await testApp.services.reports.visitCsv({
      actor: owner.actor,
      eventId,
      period: "daily",
      at: "2026-04-01",
    });
    const text = await new Response(file).text();
    expect([text.includes("2026-04-01T00"), text.includes("2026-03-31T23")]).toEqual([true, false]);
  });

  it("stay in the log while R2 does not respond", async () => {
    await testApp.rooms.recordAll([recordOf("a")]);
    testApp.time.now += 20 * DAY_MS;
    const failingBucket = {
      ...testApp.files,
      put: async () => Promise.reject(new Error("R2 does not respond")),
    };
    await expect(testApp.rooms.archive(eventId, failingBucket as unknown as R2Bucket)).rejects.toThrow();
    testApp.rooms.room(eventId).log.prune(testApp.time.now);
    expect(await exportedLines()).toHaveLength(2);
    await archive();
    expect(await archivedKeys()).toHaveLength(1);
    expect(await exportedLines()).toHaveLength(2);
  });

  it("are deleted from R2 after 90 days, and when the owner deletes all visits", async () => {
    await testApp.rooms.recordAll([recordOf("a")]);
    testApp.time.now += 80 * DAY_MS;
    await testApp.rooms.recordAll([recordOf("b")]);
    testApp.time.now += 5 * DAY_MS;
    await archive();
    expect(await archivedKeys()).toHaveLength(2);
    testApp.time.now += 7 * DAY_MS;
    await archive();
    expect(await archivedKeys()).toEqual([archiveKey(eventId, dayOfNow(12))]);
    await testApp.services.visits.deleteVisits({ actor: owner.actor, eventId });
    await archive();
    expect(await archivedKeys()).toEqual([]);
    expect(await exportedLines()).toEqual([]);
  });

  it("that are erased while they are moved to R2 are neither exported nor kept there", async () => {
    await testApp.rooms.recordAll([recordOf("a")]);
    testApp.time.now += 4 * DAY_MS;
    const bucket = {
      put: async (key: string, value: Uint8Array) => {
        await testApp.services.visits.deleteVisits({ actor: owner.actor, eventId });
        return testApp.files.put(key, value);
      },
      list: (options: R2ListOptions) => testApp.files.list(options),
      delete: (keys: string[]) => testApp.files.delete(keys),
    } as unknown as R2Bucket;
    await testApp.rooms.archive(eventId, bucket);
    await archive();
    expect(await exportedLines()).toEqual([]);
    expect(await archivedKeys()).toEqual([]);
  });

  it("that are erased after the room crashed while it moved them are not kept in R2", async () => {
    await testApp.rooms.recordAll([recordOf("a")]);
    testApp.time.now += 4 * DAY_MS;
    const bucket = {
      put: async (key: string, value: Uint8Array) => {
        await testApp.files.put(key, value);
        throw new Error("The room crashed before it received the response");
      },
      list: (options: R2ListOptions) => testApp.files.list(options),
    } as unknown as R2Bucket;
    await expect(testApp.rooms.archive(eventId, bucket)).rejects.toThrow("crashed");
    await testApp.services.visits.deleteVisits({ actor: owner.actor, eventId });
    await archive();
    expect(await archivedKeys()).toEqual([]);
  });

  describe("of a room whose storage was lost", () => {
    const objectNames = async () => [...(await testApp.rooms.parts(eventId)).objectNames];
    let day: string;

    beforeEach(async () => {
      await testApp.rooms.recordAll([recordOf("a")]);
      day = dayOfNow();
      testApp.time.now += 4 * DAY_MS;
      await archive();
      await testApp.files.put(`visits/${eventId}/notes.txt`, "");
      testApp.rooms.lose(eventId);
      await testApp.rooms.recordAll([recordOf("b")]);
    });

    it("stay in R2 until they expire, and are exported again when the room has listed them", async () => {
      expect(await exportedLines()).toEqual(["b 0 tag", "b 0 stay"]);
      const failing = { list: async () => Promise.reject(new Error("R2 does not respond")) };
      await expect(testApp.rooms.archive(eventId, failing as unknown as R2Bucket)).rejects.toThrow();
      await archive();
      expect(await archivedKeys()).toEqual([archiveKey(eventId, day)]);
      expect(await exportedLines()).toEqual(["a 0 tag", "a 0 stay", "b 0 tag", "b 0 stay"]);
      testApp.time.now += 87 * DAY_MS;
      await archive();
      expect([await objectNames(), (await archivedKeys()).length]).toEqual([[dayOfNow(87)], 1]);
    });

    it("are deleted with all visits, although the new storage did not know them", async () => {
      testApp.time.now += 1000;
      await testApp.services.visits.deleteVisits({ actor: owner.actor, eventId });
      await archive();
      expect([await archivedKeys(), await exportedLines()]).toEqual([[], []]);
    });

    it("are deleted if all visits are deleted while the room reads what is in R2", async () => {
      const bucket = {
        list: async (options: R2ListOptions) => {
          const page = await testApp.files.list(options);
          testApp.time.now += 1000;
          testApp.rooms.room(eventId).log.erase(testApp.time.now, testApp.time.now);
          return page;
        },
      } as unknown as R2Bucket;
      await new VisitArchive(testApp.rooms.room(eventId).log, bucket).store(testApp.time.now);
      await archive();
      expect([await archivedKeys(), await objectNames()]).toEqual([[], []]);
    });
  });

  describe("of a room whose storage is full", () => {
    const losses: unknown[] = [];
    const freeStorage = (bucket: R2Bucket) =>
      new VisitArchive(testApp.rooms.room(eventId).log, bucket).free(testApp.time.now, (error) =>
        losses.push(error),
      );
    /** Frees storage without R2, which is possible only after R2 has failed for a minute. */
    const freeWithoutR2 = async () => {
      const archive = new VisitArchive(testApp.rooms.room(eventId).log, failingBucket);
      const onLost = (error: unknown) => losses.push(error);
      for (const ms of [0, 59_999])
        await expect(archive.free(testApp.time.now + ms, onLost)).rejects.toThrow("R2 does not respond");
      return archive.free(testApp.time.now + 60_000, onLost);
    };
    /** Number of calls that recorded visits and are still in the log. */
    const callCount = () =>
      testApp.rooms.room(eventId).storage.sql.exec("SELECT 1 FROM calls").toArray().length;
    const failingBucket = {
      put: async () => Promise.reject(new Error("R2 does not respond")),
    } as unknown as R2Bucket;

    it("move to R2 before their day has ended, and the export stays the same", async () => {
      await testApp.rooms.recordAll([recordOf("a")]);
      expect(await freeStorage(testApp.files)).toBe(true);
      const { now } = testApp.time;
      await testApp.rooms.recordAll([recordOf("b")]);
      expect(await freeStorage(testApp.files)).toBe(true);
      const day = dayOfNow();
      await testApp.rooms.recordAll([recordOf("c")]);
      const all = ["a 0 tag", "a 0 stay", "b 0 tag", "b 0 stay", "c 0 tag", "c 0 stay"];
      expect(await exportedLines()).toEqual(all);
      testApp.time.now += 4 * DAY_MS;
      await archive();
      expect(await archivedKeys()).toEqual(
        [`${day}.${now}`, `${day}.${now + 1}`, day].map((name) => archiveKey(eventId, name)),
      );
      expect(await exportedLines()).toEqual(all);
      // R2 has the calls of that day, so they are deleted without another object.
      expect([callCount(), await freeStorage(testApp.files), callCount()]).toEqual([1, true, 0]);
      expect(await archivedKeys()).toHaveLength(3);
      // Only the records of writes that D1 has completed are left.
      expect([await freeStorage(testApp.files), await freeStorage(testApp.files)]).toEqual([true, false]);
      testApp.time.now += 90 * DAY_MS;
      await archive();
      expect(await archivedKeys()).toEqual([]);
    });

    it("are not overwritten in R2 by the same day's calls of a room that lost its storage since", async () => {
      await testApp.rooms.recordAll([recordOf("a")]);
      expect(await freeStorage(testApp.files)).toBe(true);
      testApp.rooms.lose(eventId);
      testApp.time.now += 1000;
      await testApp.rooms.recordAll([recordOf("b")]);
      expect(await freeStorage(testApp.files)).toBe(true);
      await archive();
      expect(await exportedLines()).toEqual(["a 0 tag", "a 0 stay", "b 0 tag", "b 0 stay"]);
    });

    it("are in R2 once, even if R2 stored them without a response before the room lost its storage", async () => {
      await testApp.rooms.recordAll([recordOf("a")]);
      const put = async (key: string, value: Uint8Array) => {
        await testApp.files.put(key, value);
        throw new Error("no response");
      };
      await expect(freeStorage({ put } as unknown as R2Bucket)).rejects.toThrow("no response");
      expect(await archivedKeys()).toHaveLength(1);
      testApp.time.now += 1000;
      expect(await freeStorage(testApp.files)).toBe(true);
      testApp.rooms.lose(eventId);
      await archive();
      expect(await archivedKeys()).toHaveLength(1);
      expect(await exportedLines()).toEqual(["a 0 tag", "a 0 stay"]);
    });

    it("are lost only if R2 fails too for a minute, which the report states, and its numbers stay", async () => {
      const since = testApp.currentInstant();
      await testApp.rooms.recordAll([recordOf("a")]);
      testApp.time.now += 1000;
      await testApp.rooms.recordAll([recordOf("b")]);
      const until = testApp.currentInstant();
      expect(await freeWithoutR2()).toBe(true);
      expect(losses).toHaveLength(1);
      await testApp.rooms.recordAll([recordOf("c")]);
      expect(await exportedLines()).toEqual(["c 0 tag", "c 0 stay"]);
      const input = { actor: owner.actor, scope: { kind: "event", id: eventId }, period: "all" } as const;
      const report = await testApp.services.reports.report(input);
      expect(report.lost).toEqual({ since, until });
      expect(report.numbers.visits.value).toBe(3);
      // After 90 days R2 would not have them either.
      testApp.time.now += 92 * DAY_MS;
      await archive();
      expect((await testApp.services.reports.report(input)).lost).toBeNull();
    });

    it("that are not counted yet are kept", async () => {
      const { log } = testApp.rooms.room(eventId);
      log.record(createVisitCall([recordOf("a")]), testApp.time.now);
      expect([await freeStorage(testApp.files), await freeStorage(failingBucket), callCount()]).toEqual([
        false,
        false,
        1,
      ]);
    });

    for (const isErased of [true, false])
      it(`are deleted from R2 with ${isErased ? "all visits" : "the event"}, although the full storage could not record the object and the room stopped`, async () => {
        await testApp.rooms.recordAll([recordOf("a")]);
        const { storage } = testApp.rooms.room(eventId);
        const { exec } = storage.sql;
        storage.sql.exec = (query, ...bindings) => {
          if (query.startsWith("INSERT OR REPLACE INTO archives")) throw new Error("SQLITE_FULL");
          return exec(query, ...bindings);
        };
        await new Promise<void>((stop) => {
          const put = (key: string, value: Uint8Array) =>
            testApp.files.put(key, value).then(() => {
              stop();
              // The room never receives the response.
              return new Promise(() => {});
            });
          void freeStorage({ put } as unknown as R2Bucket);
        });
        storage.sql.exec = exec;
        expect(await archivedKeys()).toHaveLength(1);
        const restarted = new VisitLog(storage);
        expect(restarted.archives.names).toEqual([]);
        if (isErased) restarted.erase(testApp.time.now + 1, testApp.time.now);
        else restarted.archives.expireAll();
        await new VisitArchive(restarted, testApp.files).deleteUnneeded(testApp.time.now);
        expect(await archivedKeys()).toEqual([]);
      });

    it("stay in R2 when objects that the room does not know are deleted, on several pages of the list", async () => {
      await testApp.rooms.recordAll([recordOf("a")]);
      expect(await freeStorage(testApp.files)).toBe(true);
      const unknownKeys = Array.from({ length: 5 }, (_, index) =>
        archiveKey(eventId, `2020-01-0${index + 1}`),
      );
      for (const key of unknownKeys) await testApp.files.put(key, "");
      const bucket = {
        list: (options: R2ListOptions) => testApp.files.list({ ...options, limit: 2 }),
        delete: (keys: string[]) => testApp.files.delete(keys),
      } as unknown as R2Bucket;
      await new VisitArchive(testApp.rooms.room(eventId).log, bucket).deleteUnneeded(testApp.time.now);
      expect(await archivedKeys()).toEqual([archiveKey(eventId, `${dayOfNow()}.${testApp.time.now}`)]);
    });

    it("are not lost when the log fails instead of R2", async () => {
      await testApp.rooms.recordAll([recordOf("a")]);
      const { storage } = testApp.rooms.room(eventId);
      const { exec } = storage.sql;
      const lossesBefore = losses.length;
      for (const statement of ["SELECT id, isolate", "INSERT OR REPLACE INTO archives"]) {
        let fails = false;
        storage.sql.exec = (query, ...bindings) => {
          // The first query chooses the calls. The second one reads them for the object.
          if (query.startsWith(statement)) {
            if (fails || statement.startsWith("INSERT")) throw new Error("disk I/O error");
            fails = true;
          }
          return exec(query, ...bindings);
        };
        await expect(freeStorage(testApp.files)).rejects.toThrow("disk I/O error");
        storage.sql.exec = exec;
      }
      expect([losses.length - lossesBefore, callCount()]).toEqual([0, 1]);
      expect(testApp.rooms.room(eventId).log.lostParts).toBeNull();
    });

    it("that are erased while R2 fails do not take later ones with them", async () => {
      await testApp.rooms.recordAll([recordOf("a")]);
      const lossesBefore = losses.length;
      const bucket = {
        put: async () => {
          const { log } = testApp.rooms.room(eventId);
          testApp.time.now += 1000;
          log.erase(testApp.time.now, testApp.time.now);
          // The new call has the id that the erased one had.
          log.record(createVisitCall([recordOf("b")]), testApp.time.now);
          throw new Error("R2 does not respond");
        },
      } as unknown as R2Bucket;
      expect(await freeStorage(bucket)).toBe(true);
      expect([losses.length - lossesBefore, callCount()]).toEqual([0, 1]);
      expect(testApp.rooms.room(eventId).log.lostParts).toBeNull();
      expect(await exportedLines()).toEqual(["b 0 tag", "b 0 stay"]);
    });

    it("that are erased meanwhile are not kept in R2, and later ones are neither lost nor exported twice", async () => {
      await testApp.rooms.recordAll([recordOf("a")]);
      const bucket = {
        put: async (key: string, value: Uint8Array) => {
          testApp.time.now += 1000;
          const erasedAt = testApp.time.now;
          testApp.rooms.room(eventId).log.record(createVisitCall([recordOf("b")]), testApp.time.now);
          testApp.rooms.room(eventId).log.erase(erasedAt, erasedAt);
          return testApp.files.put(key, value);
        },
      } as unknown as R2Bucket;
      expect(await freeStorage(bucket)).toBe(true);
      await archive();
      expect(await archivedKeys()).toEqual([]);
      expect(await exportedLines()).toEqual(["b 0 tag", "b 0 stay"]);
    });
  });

  it("are not exported to a user who may not see the event", async () => {
    const stranger = await testApp.addUser();
    await expect(
      testApp.services.reports.visitCsv({ actor: stranger.actor, eventId, period: "all" }),
    ).rejects.toMatchObject({ kind: "not_found" });
  });
});
