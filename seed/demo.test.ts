import { beforeAll, describe, expect, it } from "vitest";
import { findOnMap } from "~/domain/content/plan-map";
import { planField, tourField } from "~/domain/content/scene.schema";
import { nameKeys } from "~/domain/events/event-texts";
import { LANGS } from "~/domain/shared/lang";
import type { Localized, Vec3 } from "~/domain/shared/model";
import { Triangles } from "~/viewer/core/triangles";
import { modelTriangles } from "../tests/support/files/model-triangles";
import { type DemoData, demoData, demoIds } from "./demo";
import { assetKeys, getAsset, readAsset } from "./demo-assets";
import {
  bench,
  desk,
  doorways,
  hallView,
  objects,
  panoramas,
  rooms,
  start,
  wallPlane,
  works,
} from "./gallery-plan";

const now = Date.parse("2026-05-01T09:30:00Z");
const data: DemoData = demoData(now);
const mainTags = data.tags.filter((tag) => tag.eventId === demoIds.mainEvent);
const mainMedia = data.media.filter((mediaItem) => mediaItem.eventId === demoIds.mainEvent);

describe("the demo's records", () => {
  it("have unique ids in the form of version 4 uuids", () => {
    const { scenes, ...lists } = data;
    const ids = [...Object.values(lists), ...scenes.map(({ tour }) => tour)].flatMap(
      (list: readonly { id: string }[]) => list.map(({ id }) => id),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("are the same every time except for their dates", () => {
    const withoutDates = (demo: DemoData) =>
      JSON.stringify(demo).replaceAll(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, "date");
    expect(withoutDates(demoData(now + 5000))).toBe(withoutDates(data));
  });

  it("refer only to each other", () => {
    const ids = (list: readonly { id: string }[]) => new Set(list.map(({ id }) => id));
    const [users, folders, items, spaces, events, media] = [
      ids(data.users),
      ids(data.folders),
      ids(data.libraryItems),
      ids(data.spaces),
      ids(data.events),
      ids(data.media),
    ];
    const groups: ReadonlySet<string | null> = ids(data.groups);
    const nodes = ids(data.spaces.flatMap(({ source }) => (source.kind === "panorama" ? source.nodes : [])));
    for (const group of data.groups)
      for (const id of [group.ownerId, ...group.memberIds]) expect(users).toContain(id);
    for (const { ownerId, groupId } of [...data.folders, ...data.libraryItems, ...data.spaces]) {
      expect(users).toContain(ownerId);
      if (groupId) expect(groups).toContain(groupId);
    }
    for (const folder of data.folders) {
      if (folder.parentId) expect(folders).toContain(folder.parentId);
    }
    for (const item of data.libraryItems) {
      expect(folders).toContain(item.folderId);
      expect(assetKeys).toContain(item.assetKey);
      expect(getAsset(item.assetKey).kind).toBe(item.kind);
    }
    for (const space of data.spaces) {
      expect(folders).toContain(space.folderId);
      expect(items).toContain(space.posterMediaId);
      expect(space.sid).toMatch(/^[1-9A-HJ-NP-Za-km-z]{11}$/);
      if ("mediaId" in space.source) expect(items).toContain(space.source.mediaId);
      if (space.source.kind === "panorama")
        for (const node of space.source.nodes) expect(items).toContain(node.mediaId);
      if ("start" in space.source && space.source.start?.nodeId)
        expect(nodes).toContain(space.source.start.nodeId);
    }
    for (const event of data.events) expect(spaces).toContain(event.spaceId);
    for (const mediaItem of data.media) {
      expect(events).toContain(mediaItem.eventId);
      expect(items).toContain(mediaItem.libraryItemId);
    }
    for (const tag of data.tags) {
      expect(events).toContain(tag.eventId);
      for (const id of tag.mediaIds) expect(media).toContain(id);
      if (tag.viewpoint?.nodeId) expect(nodes).toContain(tag.viewpoint.nodeId);
    }
  });

  it("give every user one root folder of each type", () => {
    for (const user of data.users) {
      const roots = data.folders.filter((folder) => folder.ownerId === user.id && folder.parentId === null);
      expect(roots.map((folder) => folder.folderType).sort(), user.email).toEqual(["media", "space"]);
    }
  });

  it("keep within the limits of the product for spaces and events", () => {
    for (const user of data.users) {
      expect(data.spaces.filter((space) => space.ownerId === user.id).length).toBeLessThanOrEqual(
        user.spaceLicense,
      );
    }
    for (const space of data.spaces) {
      const names = data.events
        .filter((event) => event.spaceId === space.id)
        .flatMap((event) => nameKeys(event.eventName));
      expect(names.length, space.name).toBeGreaterThanOrEqual(1);
      expect(new Set(names).size, space.name).toBe(names.length);
    }
    for (const event of data.events) {
      for (const lang of LANGS) {
        const name = event.eventName[lang];
        expect(name).not.toBe("");
        expect([...name].length, name).toBeLessThanOrEqual(32);
        expect([...event.eventDetail[lang]].length, name).toBeLessThanOrEqual(1000);
      }
      if (event.startDate && event.endDate) expect(event.startDate < event.endDate).toBe(true);
    }
    const tokens = data.events.flatMap((event) => [event.accessToken, event.previewAccessToken]);
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{32,}$/);
  });

  it("fill more than one page of users and of a space's events", () => {
    expect(data.users.length).toBeGreaterThanOrEqual(25);
    expect(new Set(data.users.map((user) => user.email)).size).toBe(data.users.length);
    expect(data.events.filter((event) => event.spaceId === demoIds.showroom).length).toBeGreaterThanOrEqual(
      23,
    );
  });

  it("have events with each status, and a published main event that has not ended", () => {
    expect(new Set(data.events.map((event) => event.statusId))).toEqual(new Set([1, 2, 3, 4]));
    const mainEvent = data.events.find((event) => event.id === demoIds.mainEvent);
    expect(mainEvent?.statusId).toBe(3);
    expect(Date.parse(mainEvent?.endDate ?? "")).toBeGreaterThan(now);
  });

  it("have the texts of tags, media and panoramas in both languages", () => {
    const texts: Localized[] = [
      ...data.tags.flatMap((tag) => [tag.title, tag.body]),
      ...data.media.flatMap((mediaItem) => [mediaItem.title, mediaItem.description]),
      ...data.spaces.flatMap((space) =>
        space.source.kind === "panorama" ? space.source.nodes.map((n) => n.title) : [],
      ),
    ];
    for (const { ja, en } of texts) {
      expect(ja).toMatch(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u);
      expect(en).toMatch(/[A-Za-z]{2}/);
      expect(en).not.toMatch(/[\p{Script=Hiragana}\p{Script=Han}]/u);
    }
  });
});

describe("the main event", () => {
  it("has at least twelve tags and eight media items: images, sounds, PDFs and videos", () => {
    expect(mainTags.length).toBeGreaterThanOrEqual(12);
    expect(mainMedia.length).toBeGreaterThanOrEqual(8);
    expect(new Set(mainMedia.map((mediaItem) => mediaItem.kind))).toEqual(
      new Set(["image", "audio", "pdf", "video"]),
    );
    expect(mainMedia.filter((mediaItem) => mediaItem.placement).length).toBeGreaterThanOrEqual(2);
  });

  it("orders its media by creation date", () => {
    const times = mainMedia.map((mediaItem) => mediaItem.createdOn);
    expect([...times].sort()).toEqual(times);
    expect(new Set(times).size).toBe(times.length);
  });

  it("has a tag for every work", () => {
    expect(works.length).toBeGreaterThanOrEqual(9);
    for (const { id } of works) {
      const media = mainMedia.filter((mediaItem) =>
        mainTags.some((tag) => tag.mediaIds.includes(mediaItem.id)),
      );
      const items = data.libraryItems.filter((item) => item.assetKey === `work-${id}`);
      expect(
        media.some((mediaItem) => items.some((item) => item.id === mediaItem.libraryItemId)),
        id,
      ).toBe(true);
    }
  });
});

describe("the scene of the main event", () => {
  const [scene] = data.scenes;

  it("has a tour that names only tags of the event, with texts in both languages and within the length limits", () => {
    expect(scene?.eventId).toBe(demoIds.mainEvent);
    expect(scene?.tour.length).toBeGreaterThanOrEqual(5);
    expect(tourField.safeParse(scene?.tour).success).toBe(true);
    const titles = new Map(mainTags.map(({ id, title }) => [id, title]));
    for (const { tagId, title, text } of scene?.tour ?? []) {
      const visibleTitle = title.ja === "" ? titles.get(tagId ?? "") : title;
      for (const { ja, en } of [visibleTitle ?? title, text]) {
        expect(ja).toMatch(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u);
        expect(en).toMatch(/[A-Za-z]{2}/);
      }
      if (tagId !== null) expect([...titles.keys()]).toContain(tagId);
    }
  });

  it("has a floor plan that contains every pin of the event", () => {
    const plan = planField.parse(scene?.plan);
    expect(plan).toEqual(scene?.plan);
    expect(mainMedia.find(({ id }) => id === plan?.mediaId)?.kind).toBe("image");
    const frame = { center: [0, 0], width: 0, rotation: 0, ...plan, height: plan?.width ?? 0 } as const;
    for (const { position, title } of mainTags)
      if (position) expect(findOnMap(position, frame), title.en).not.toBe(null);
  });
});

describe("positions in the gallery", () => {
  let model: Triangles;
  beforeAll(async () => {
    model = new Triangles(await modelTriangles(readAsset("showroom")));
  });
  const placedTags = data.tags.filter((tag) => tag.position !== null);
  const isFree = computeWalkableArea();

  it("have tour stops and a start on free floor", () => {
    for (const { startView, tour } of data.scenes)
      for (const view of [startView, ...tour.map(({ viewpoint }) => viewpoint)])
        if (view) expect(isFree(view.position[0], view.position[2])).toBe(true);
  });

  it("have tags within five centimetres of a surface that faces the tag's disc", () => {
    for (const tag of placedTags) {
      const [x, y, z] = tag.position as Vec3;
      const length = Math.hypot(...tag.stem);
      const [nx, ny, nz] = tag.stem.map((s) => s / length) as [number, number, number];
      const distance = 0.15;
      const hit = model.raycast(
        [x + nx * distance, y + ny * distance, z + nz * distance],
        [-nx, -ny, -nz],
        1,
      );
      expect(hit, tag.title.en).not.toBeNull();
      expect(Math.abs((hit?.distance ?? 0) - distance), tag.title.en).toBeLessThan(0.05);
    }
  });

  it("have placed media on a wall", () => {
    for (const { placement, title } of data.media) {
      if (!placement) continue;
      const [x, y, z] = placement.position;
      const [nx, ny, nz] = placement.normal;
      for (const side of [-0.5, 0.5]) {
        // Left and right edge: along the wall, at a right angle to its normal.
        const [ex, ez] = [x + nz * placement.width * side, z - nx * placement.width * side];
        const hit = model.raycast([ex + nx * 0.1, y + ny * 0.1, ez + nz * 0.1], [-nx, -ny, -nz], 1);
        expect(hit, title.en).not.toBeNull();
        expect(Math.abs((hit?.distance ?? 0) - 0.1), title.en).toBeLessThan(0.05);
      }
    }
  });

  it("have viewpoints on free floor from which the tag is visible", () => {
    for (const tag of placedTags) {
      const viewpoint = tag.viewpoint;
      expect(viewpoint, tag.title.en).not.toBeNull();
      if (!viewpoint) continue;
      const [ex, ey, ez] = viewpoint.position;
      expect(isFree(ex, ez), `${tag.title.en} from ${ex},${ez}`).toBe(true);
      const length = Math.hypot(...tag.stem);
      const target = (tag.position as Vec3).map((p, k) => p + ((tag.stem[k] ?? 0) / length) * 0.05) as [
        number,
        number,
        number,
      ];
      const [dx, dy, dz] = [target[0] - ex, target[1] - ey, target[2] - ez];
      const targetDistance = Math.hypot(dx, dy, dz);
      expect(
        model.raycast(
          [ex, ey, ez],
          [dx / targetDistance, dy / targetDistance, dz / targetDistance],
          targetDistance,
        ),
        tag.title.en,
      ).toBeNull();
    }
  });

  it("have views and panoramas that are reachable on foot from the visitor's start", () => {
    for (const { position } of [start, hallView]) expect(isFree(position[0], position[2])).toBe(true);
    for (const node of panoramas) expect(isFree(node.position[0], node.position[2]), node.id).toBe(true);
  });

  it("have panoramas with links in both directions, all reachable from the entrance", () => {
    for (const node of panoramas) {
      for (const link of node.links)
        expect(panoramas.find(({ id }) => id === link)?.links).toContain(node.id);
    }
    const reachable = new Set(["entrance"]);
    for (const id of reachable)
      for (const link of panoramas.find((node) => node.id === id)?.links ?? []) reachable.add(link);
    expect(reachable.size).toBe(panoramas.length);
  });
});

/** Returns a function that tells whether a body half a metre wide can reach a position from the start: a flood fill over a grid of 5 cm. */
function computeWalkableArea(): (x: number, z: number) => boolean {
  const clearance = 0.25;
  const step = 0.05;
  const isInside = (x: number, z: number): boolean =>
    Object.values(rooms).some(
      (r) => x > r.x0 + clearance && x < r.x1 - clearance && z > r.z0 + clearance && z < r.z1 - clearance,
    ) ||
    doorways.some((door) => {
      const alongX = door.a.side === "north" || door.a.side === "south";
      const [along, across] = alongX ? [x, z] : [z, x];
      const planes = [wallPlane(door.a.room, door.a.side), wallPlane(door.b.room, door.b.side)];
      return (
        along > door.from + clearance &&
        along < door.to - clearance &&
        across > Math.min(...planes) - clearance - step &&
        across < Math.max(...planes) + clearance + step
      );
    });
  const isBlocked = (x: number, z: number): boolean => {
    const isNear = (x0: number, x1: number, z0: number, z1: number): boolean =>
      x > x0 - clearance && x < x1 + clearance && z > z0 - clearance && z < z1 + clearance;
    return (
      objects.some((o) => isNear(o.x - o.baseHalf, o.x + o.baseHalf, o.z - o.baseHalf, o.z + o.baseHalf)) ||
      isNear(
        bench.x - bench.length / 2,
        bench.x + bench.length / 2,
        bench.z - bench.depth / 2,
        bench.z + bench.depth / 2,
      ) ||
      isNear(desk.x0, desk.x1, desk.z0, desk.z1)
    );
  };
  const key = (i: number, j: number): number => i * 4096 + j;
  const cell = (value: number): number => Math.round((value + 20) / step);
  const visited = new Set<number>();
  const cellsToVisit: [number, number][] = [[cell(start.position[0]), cell(start.position[2])]];
  for (let nextCell = cellsToVisit.pop(); nextCell; nextCell = cellsToVisit.pop()) {
    const [i, j] = nextCell;
    if (visited.has(key(i, j))) continue;
    const [x, z] = [i * step - 20, j * step - 20];
    if (!isInside(x, z) || isBlocked(x, z)) continue;
    visited.add(key(i, j));
    cellsToVisit.push([i + 1, j], [i - 1, j], [i, j + 1], [i, j - 1]);
  }
  return (x, z) => visited.has(key(cell(x), cell(z)));
}
