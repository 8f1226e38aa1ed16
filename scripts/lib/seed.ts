import { readFileSync } from "node:fs";
import { drizzle } from "drizzle-orm/d1";
import type { Miniflare } from "miniflare";
import { NO_PASSWORD } from "../../app/domain/no-password";
import { nameKey } from "../../app/domain/text";
import { serialiseUrlParams } from "../../app/domain/url-params";
import * as schema from "../../functions/data/schema";
import { userSearchKey } from "../../functions/data/users";
import { visitRepository } from "../../functions/data/visits";
import { hashPassword } from "../../functions/platform/password";
import { type DemoAsset, type DemoDetail, makeDemoAssets } from "../../seed/assets";
import { stillOf } from "../../seed/assets/names";
import { type DemoData, demoData, demoPassword } from "../../seed/demo";
import { demoProductNames, demoVisits } from "../../seed/demo-visits";
import { fromRoot } from "./paths";

/** Where the demo goes. */
export interface DemoStores {
  readonly db: D1Database;
  readonly files: Pick<R2Bucket, "put">;
}

/** The database and the bucket of a product that runs on this machine. */
async function storesOf(mf: Miniflare): Promise<DemoStores> {
  const db = await mf.getD1Database("DB", "hiroba");
  const files = await mf.getR2Bucket("FILES", "hiroba");
  return { db: db as unknown as D1Database, files: files as unknown as R2Bucket };
}

/**
 * Fills an empty database and bucket with the demo; files first, then all records in one batch, so that a demo that is
 * there is there whole.
 * @param into the product, or its stores alone
 * @param options.passwordCost what the hashes of its passwords cost (functions/platform/password.ts)
 * @param options.detail how its rooms are photographed
 * @returns false when there are users already: nothing is touched then
 */
export async function seedDemo(
  into: Miniflare | DemoStores,
  log: (line: string) => void,
  options: { now?: number; passwordCost?: number; detail?: DemoDetail } = {},
): Promise<boolean> {
  const { now = Date.now(), passwordCost = null, detail = "full" } = options;
  const { db: binding, files: bucket } = "db" in into ? into : await storesOf(into);
  if (await binding.prepare("SELECT 1 FROM users LIMIT 1").first()) return false;

  log("Making the demo (once; half a minute or so) …");
  const assets = await makeDemoAssets(fromRoot(".cache", "demo"), detail, log);
  const files = new Map(assets.map((asset) => [asset.key, asset]));
  const demo = demoData(now);
  const put = (key: string, { file, mimeType }: DemoAsset) =>
    bucket.put(key, readFileSync(file), { httpMetadata: { contentType: mimeType } });
  for (const item of demo.libraryItems) {
    await put(fileKey(item.id), assetOf(files, item.assetKey));
    const still = stillOf(item.assetKey);
    if (still) await put(stillKey(item.id), assetOf(files, still));
  }
  await insert(binding, demo, files, passwordCost);
  // What was counted weeks ago has no visitors left who could come again.
  const totals = demoVisits(demo, now);
  const db = drizzle(binding);
  await visitRepository(db).write({ ...{ fresh: [], visitors: [], live: [], totals } });
  await db.insert(schema.visitProducts).values([...demoProductNames(demo)]);
  return true;
}

const fileKey = (itemId: string) => `library/${itemId}`;
const stillKey = (itemId: string) => `library/${itemId}/thumbnail-${itemId}`;

function assetOf(files: ReadonlyMap<string, DemoAsset>, key: string): DemoAsset {
  const asset = files.get(key);
  if (!asset) throw new Error(`The demo names a file that was not made: ${key}`);
  return asset;
}

async function insert(
  binding: D1Database,
  demo: DemoData,
  files: ReadonlyMap<string, DemoAsset>,
  passwordCost: number | null,
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
        // As of whoever was invited and has not opened the link.
        passwordHash: user.status === "EMAIL_UNVERIFIED" ? NO_PASSWORD : passwordHash,
        updatedAt: user.createdAt,
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
      const { fileName, mimeType, byteSize, width, height, duration } = assetOf(files, assetKey);
      return db.insert(schema.libraryItems).values({
        ...item,
        searchKey: nameKey(item.title),
        fileName,
        mimeType,
        byteSize,
        width,
        height,
        duration,
        fileKey: fileKey(item.id),
        thumbKey: stillOf(assetKey) && stillKey(item.id),
        updatedAt: item.createdAt,
      });
    }),
    ...demo.spaces.map((space) =>
      db.insert(schema.spaces).values({ ...space, searchKey: nameKey(space.name) }),
    ),
    ...demo.events.map(({ publishPassword, ...event }) =>
      db.insert(schema.events).values({
        ...event,
        nameKey: nameKey(event.eventName),
        urlParams: serialiseUrlParams(event.urlParams),
        publishPasswordHash: publishPassword ? publishHashes.get(publishPassword) : null,
        announcedStatus: event.statusId,
      }),
    ),
    ...demo.media.map(({ title, description, kind: _kind, ...medium }) =>
      db.insert(schema.eventMedia).values({
        ...medium,
        titleJa: title.ja,
        titleEn: title.en,
        descriptionJa: description.ja,
        descriptionEn: description.en,
        updatedAt: medium.createdOn,
      }),
    ),
    ...demo.tags.map(({ title, body, mediaIds: _mediaIds, ...tag }) =>
      db.insert(schema.eventTags).values({
        ...tag,
        titleJa: title.ja,
        titleEn: title.en,
        bodyJa: body.ja,
        bodyEn: body.en,
        createdAt: createdAtOf(demo, tag.eventId),
        updatedAt: createdAtOf(demo, tag.eventId),
      }),
    ),
    ...demo.tags.flatMap((tag) =>
      tag.mediaIds.map((mediaId, sortOrder) =>
        db.insert(schema.tagMedia).values({ tagId: tag.id, mediaId, sortOrder }),
      ),
    ),
    ...demo.scenes.map((scene) =>
      db.insert(schema.eventScenes).values({ ...scene, updatedAt: createdAtOf(demo, scene.eventId) }),
    ),
  ];
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
}

function createdAtOf(demo: DemoData, eventId: string): string {
  return demo.events.find((event) => event.id === eventId)?.createdAt ?? new Date(0).toISOString();
}
