import { fullPlacement } from "~/domain/content/placement";
import type { Instant, Localized, Placement, Uuid } from "~/domain/shared/model";
import { type DemoAssetKey, getAsset } from "../demo-assets";
import { placeTexts, workTexts } from "../demo-texts";
import { rooms, wallNormal, works } from "../gallery-plan";
import { type DemoMedia, day, demoIds, libraryItemIdOf, mediaId, minute } from "./records";
import { panoramaWorks } from "./tags";

const posterTexts = {
  title: { ja: "展覧会ポスター", en: "Exhibition poster" },
  body: { ja: "「藍と紙」のポスターです。", en: "The poster of “Indigo and Paper”." },
} satisfies Record<string, Localized>;

const videoTexts = {
  title: { ja: "動く海", en: "The sea, moving" },
  body: {
    ja: "「波間」の円を、同じ規則のまま動かした八秒の映像です。音はありません。",
    en: "Eight seconds of film in which the circles of “Between Waves” move by the same rule. There is no sound.",
  },
} satisfies Record<string, Localized>;

/** Free areas of walls on which media are placed: the poster in the entrance, the video in the hall, a study in the indigo room. */
const posterPlacement = fullPlacement({
  position: [rooms.entrance.x0 + 0.02, 1.6, 8.75],
  normal: wallNormal("west"),
  width: 0.72,
});
const videoPlacement = fullPlacement({
  position: [rooms.hall.x1 - 0.02, 1.6, 0.12],
  normal: wallNormal("east"),
  width: 0.9,
});
const studyPlacement = fullPlacement({
  position: [8.1, 1.6, rooms.indigo.z0 + 0.02],
  normal: wallNormal("north"),
  width: 0.9,
});

function createMediaFactory(
  eventId: Uuid,
  dateAt: (offset: number) => Instant,
): (
  asset: DemoAssetKey,
  title: Localized,
  description: Localized,
  placement?: Placement,
  use?: string,
) => DemoMedia {
  let count = 0;
  return (asset, title, description, placement, use) => ({
    id: mediaId(eventId, asset, use),
    eventId,
    libraryItemId: libraryItemIdOf(demoIds.owner, asset),
    kind: getAsset(asset).kind,
    title,
    description,
    placement: placement ?? null,
    createdOn: dateAt(-40 * day + count++ * minute),
  });
}

export function mainMedia(dateAt: (offset: number) => Instant): DemoMedia[] {
  const createMedia = createMediaFactory(demoIds.mainEvent, dateAt);
  return [
    ...works.map((work) =>
      createMedia(`work-${work.id}`, workTexts[work.id].title, workTexts[work.id].caption),
    ),
    createMedia("sound", { ja: "波間の響き", en: "Sound between waves" }, placeTexts.bench.caption),
    createMedia("leaflet", placeTexts.leaflet.title, placeTexts.leaflet.caption),
    createMedia("film", videoTexts.title, videoTexts.body, videoPlacement),
    createMedia("exhibition-poster", posterTexts.title, posterTexts.body, posterPlacement),
    createMedia(
      "work-stars",
      { ja: "北天図（習作）", en: "Northern Sky (study)" },
      { ja: "東の壁の大作のための習作です。", en: "A study for the large sheet on the east wall." },
      studyPlacement,
      " study",
    ),
    createMedia(
      "floor-plan",
      { ja: "フロアプラン", en: "Floor plan" },
      { ja: "展示室を真上から見た図です。", en: "The gallery as seen from above." },
    ),
  ];
}

export function panoramaMedia(dateAt: (offset: number) => Instant): DemoMedia[] {
  const createMedia = createMediaFactory(demoIds.panoramaEvent, dateAt);
  return [
    ...panoramaWorks.map((id) => createMedia(`work-${id}`, workTexts[id].title, workTexts[id].caption)),
    createMedia("sound", { ja: "波間の響き", en: "Sound between waves" }, placeTexts.bench.caption),
    createMedia("leaflet", placeTexts.leaflet.title, placeTexts.leaflet.caption),
  ];
}

export function showcaseMedia(dateAt: (offset: number) => Instant): DemoMedia[] {
  const createMedia = createMediaFactory(demoIds.showcaseEvent, dateAt);
  return [
    createMedia("exhibition-poster", posterTexts.title, posterTexts.body),
    createMedia("leaflet", placeTexts.leaflet.title, placeTexts.leaflet.caption),
  ];
}
