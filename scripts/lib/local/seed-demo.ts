import { drizzle } from "drizzle-orm/d1";
import type { Miniflare } from "miniflare";
import { NO_PASSWORD } from "../../../app/domain/auth/no-password";
import { serialiseUrlParams } from "../../../app/domain/events/url-params";
import { nameKey } from "../../../app/domain/shared/text";
import { totalStatements } from "../../../functions/data/analytics/visits";
import { nameColumns } from "../../../functions/data/events/event-names";
import * as schema from "../../../functions/data/schema";
import { runTogether } from "../../../functions/data/shared/db";
import { userSearchKey } from "../../../functions/data/users/users";
import { hashPassword } from "../../../functions/security/password";
import { type DemoData, demoData, demoPassword } from "../../../seed/demo";
import {
  type DemoAssetKey,
  getAsset,
  getFileName,
  getThumbnailKey,
  readAsset,
} from "../../../seed/demo-assets";
import { demoProductNames, demoVisits } from "../../../seed/demo-visits";

/** Destination of the demo's records and files. */
export interface DemoStores {
  readonly db: D1Database;
  readonly files: Pick<R2Bucket, "put">;
}

/** Database and bucket of a product that runs on this machine. */
async function productStores(mf: Miniflare): Promise<DemoStores> {
  const db = await mf.getD1Database("DB", "hiroba");
  const files = await mf.getR2Bucket("FILES", "hiroba");
  return { db: db as unknown as D1Database, files: files as unknown as R2Bucket };
}

/**
 * Fills an empty database and bucket with the demo. It writes the files first, and then the records and visits in one batch, so
 * that a demo with users is complete.
 * @param destination the running product, or only its stores
 * @param options.now time of seeding, in epoch milliseconds; default: the current time
 * @param options.passwordCost scrypt's N for the password hashes; default: that of the product
 * @returns false when there are users already; nothing is changed then
 */
export async function seedDemo(
  destination: Miniflare | DemoStores,
  options: { now?: number; passwordCost?: number } = {},
): Promise<boolean> {
  const { now = Date.now(), passwordCost = null } = options;
  const { db: binding, files: bucket } = "db" in destination ? destination : await productStores(destination);
  if (await binding.prepare("SELECT 1 FROM users LIMIT 1").first()) return false;

  const demo = demoData(now);
  const putAsset = (objectKey: string, key: DemoAssetKey) =>
    bucket.put(objectKey, readAsset(key), { httpMetadata: { contentType: getAsset(key).mimeType } });
  for (const item of demo.libraryItems) {
    await putAsset(fileKey(item.id), item.assetKey);
    const thumbnail = getThumbnailKey(item.assetKey);
    if (thumbnail) await putAsset(thumbnailKey(item.id), thumbnail);
  }
  await insertRecords(binding, demo, { now, passwordCost });
  return true;
}

const fileKey = (itemId: string) => `library/${itemId}`;
const thumbnailKey = (itemId: string) => `library/${itemId}/thumbnail-${itemId}`;

async function insertRecords(
  binding: D1Database,
  demo: DemoData,
  { now, passwordCost }: { readonly now: number; readonly passwordCost: number | null },
): Promise<void> {
  const db = drizzle(binding);
  const passwordHash = await hashPassword(demoPassword, passwordCost);
  const publishHashes = new Map<string, string>();
  for (const { publishPassword } of demo.events)
    if (publishPassword && !publishHashes.has(publishPassword))
      publishHashes.set(publishPassword, await hashPassword(publishPassword, passwordCost));

  const statements = [
    ...demo.users.map((user) =>
      db.insert(schema.users).values({
        ...user,
        emailKey: nameKey(user.email),
        searchKey: userSearchKey(user),
        // Invited users who have not opened their link have no password.
        passwordHash: user.status === "EMAIL_UNVERIFIED" ? NO_PASSWORD : passwordHash,
        updatedAt: user.createdAt,
        firstStepsClosed: demo.spaces.some(({ ownerId }) => ownerId === user.id),
      }),
    ),
    ...demo.groups.map(({ id, name, createdAt }) =>
      db.insert(schema.groups).values({ id, name, nameKey: nameKey(name), createdAt, updatedAt: createdAt }),
    ),
    ...demo.groups.flatMap(({ id, memberIds, createdAt }) =>
      memberIds.map((userId) => db.insert(schema.groupMembers).values({ groupId: id, userId, createdAt })),
    ),
    ...demo.folders.map((folder) => {
      const name = folder.parentId === null ? "" : folder.name;
      return db.insert(schema.folders).values({ ...folder, name, searchKey: nameKey(name) });
    }),
    ...demo.libraryItems.map(({ assetKey, ...item }) => {
      const { mimeType, width, height, duration } = getAsset(assetKey);
      return db.insert(schema.libraryItems).values({
        ...item,
        searchKey: nameKey(item.title),
        fileName: getFileName(assetKey),
        mimeType,
        byteSize: readAsset(assetKey).byteLength,
        width,
        height,
        duration,
        fileKey: fileKey(item.id),
        thumbKey: getThumbnailKey(assetKey) && thumbnailKey(item.id),
        updatedAt: item.createdAt,
      });
    }),
    ...demo.spaces.map((space) =>
      db.insert(schema.spaces).values({ ...space, searchKey: nameKey(space.name) }),
    ),
    ...demo.events.map(({ publishPassword, eventName, eventDetail, ...event }) =>
      db.insert(schema.events).values({
        ...event,
        ...nameColumns(eventName),
        detailJa: eventDetail.ja,
        detailEn: eventDetail.en,
        urlParams: serialiseUrlParams(event.urlParams),
        publishPasswordHash: publishPassword ? publishHashes.get(publishPassword) : null,
        announcedStatus: event.statusId,
      }),
    ),
    ...demo.media.map(({ title, description, kind: _kind, ...mediaItem }) =>
      db.insert(schema.eventMedia).values({
        ...mediaItem,
        titleJa: title.ja,
        titleEn: title.en,
        descriptionJa: description.ja,
        descriptionEn: description.en,
        updatedAt: mediaItem.createdOn,
      }),
    ),
    ...demo.tags.map(({ title, body, mediaIds: _mediaIds, ...tag }) =>
      db.insert(schema.eventTags).values({
        ...tag,
        titleJa: title.ja,
        titleEn: title.en,
        bodyJa: body.ja,
        bodyEn: body.en,
        createdAt: eventCreationTime(demo, tag.eventId),
        updatedAt: eventCreationTime(demo, tag.eventId),
      }),
    ),
    ...demo.tags.flatMap((tag) =>
      tag.mediaIds.map((mediaId, sortOrder) =>
        db.insert(schema.tagMedia).values({ tagId: tag.id, mediaId, sortOrder }),
      ),
    ),
    ...demo.scenes.map((scene) =>
      db.insert(schema.eventScenes).values({ ...scene, updatedAt: eventCreationTime(demo, scene.eventId) }),
    ),
    db.insert(schema.visitProducts).values([...demoProductNames(demo)]),
  ];
  // Only totals are written. States of visitors are omitted: they recognise a visitor who returns later on the same day, and generated visitors
  // do not return.
  const totals = totalStatements(demoVisits(demo, now));
  await runTogether(db, [...statements.map((statement) => statement.getSQL()), ...totals]);
}

function eventCreationTime(demo: DemoData, eventId: string): string {
  return demo.events.find((event) => event.id === eventId)?.createdAt ?? new Date(0).toISOString();
}
