import type { Uuid, Vec3, Viewpoint } from "~/domain/shared/model";
import type { DemoAssetKey } from "../demo-assets";
import { type DemoTexts, objectTexts, type PlaceId, placeTexts, workTexts } from "../demo-texts";
import {
  bench,
  desk,
  doorways,
  eyeHeight,
  lantern,
  objects,
  panoramas,
  pointOnWork,
  rooms,
  screens,
  viewFrom,
  viewpointAt,
  type WorkId,
  wallNormal,
  wallPlane,
  works,
  yawTowards,
} from "../gallery-plan";
import { createCatalog } from "../store/catalog";
import { type DemoTag, demoId, demoIds, mediaId } from "./records";

const ink = "#27348b";
const vermilion = "#b8422f";
const moss = "#4d6b4a";
const ochre = "#96701d";
const slate = "#47525e";
/** Distance from a tag's position on a surface to its disc, in metres. */
const stemLength = 0.22;

interface TagPlan {
  readonly key: string;
  readonly texts: DemoTexts;
  readonly color: string;
  readonly icon: string;
  readonly position: Vec3 | null;
  /** Unit normal of the surface, along which the tag's stem points. */
  readonly normal: Vec3;
  readonly viewpoint: Viewpoint | null;
  readonly assets?: readonly DemoAssetKey[];
  readonly linkUrl?: string;
  /** Handle of the tag's product in the store. */
  readonly product?: string;
}

const catalog = createCatalog();
export function findProduct(handle: string) {
  const catalogProduct = catalog.products.find((product) => product.handle === handle);
  if (!catalogProduct) throw new Error(`The demo store has no ${handle}`);
  return { id: catalogProduct.id, title: catalogProduct.title.ja };
}
const withProduct = (plan: TagPlan, product: string): TagPlan => ({ ...plan, product });

function createTags(eventId: Uuid, plans: readonly TagPlan[]): DemoTag[] {
  return plans.map((plan, index) => ({
    id: demoId(`tag ${eventId} ${plan.key}`),
    eventId,
    title: plan.texts.title,
    body: plan.texts.body,
    color: plan.color,
    icon: plan.icon,
    keywords: plan.texts.keywords,
    linkUrl: plan.linkUrl ?? null,
    position: plan.position,
    stem: [plan.normal[0] * stemLength, plan.normal[1] * stemLength, plan.normal[2] * stemLength],
    viewpoint: plan.viewpoint,
    mediaIds: (plan.assets ?? []).map((asset) => mediaId(eventId, asset)),
    product: plan.product === undefined ? null : findProduct(plan.product),
    sortOrder: index + 1,
  }));
}

function workTag(
  id: WorkId,
  color: string = ink,
  icon = "picture",
  furtherMedia: readonly DemoAssetKey[] = [],
): TagPlan {
  const work = works.find((workPlace) => workPlace.id === id);
  if (!work) throw new Error(`no work ${id} in the plan`);
  const normal = wallNormal(work.side);
  const size = Math.max(work.width, work.height);
  return {
    key: id,
    texts: workTexts[id],
    color,
    icon,
    position: pointOnWork(work, 0.9, 0.1),
    normal,
    viewpoint: viewpointAt(pointOnWork(work), normal, Math.max(1.5, size * 1.15)),
    assets: [`work-${id}`, ...furtherMedia],
  };
}

/** Creates a tag on the front of an object's plinth or table. */
function objectTag(
  id: keyof typeof objectTexts,
  front: Vec3,
  color: string,
  icon: string,
  linkUrl?: string,
): TagPlan {
  const objectPlace = objects.find((object) => object.id === id);
  if (!objectPlace) throw new Error(`no object ${id} in the plan`);
  const isLow = objectPlace.baseHeight < 0.6;
  const position: Vec3 = [
    objectPlace.x + front[0] * objectPlace.baseHalf,
    isLow ? objectPlace.baseHeight - 0.03 : objectPlace.baseHeight - 0.18,
    objectPlace.z + front[2] * objectPlace.baseHalf,
  ];
  const distance = 1.5;
  const eye: Vec3 = [objectPlace.x + front[0] * distance, eyeHeight, objectPlace.z + front[2] * distance];
  return {
    key: id,
    texts: objectTexts[id],
    color,
    icon,
    position,
    normal: front,
    viewpoint: {
      position: eye,
      yaw: yawTowards(eye, [objectPlace.x, eyeHeight, objectPlace.z]),
      pitch: Math.atan2(objectPlace.baseHeight + 0.15 - eyeHeight, distance),
      mode: "walk",
    },
    ...(linkUrl ? { linkUrl } : {}),
  };
}

function placeTag(
  id: PlaceId,
  position: Vec3,
  normal: Vec3,
  viewpoint: Viewpoint | null,
  color: string,
  icon: string,
  assets: readonly DemoAssetKey[] = [],
): TagPlan {
  return { key: id, texts: placeTexts[id], color, icon, position, normal, viewpoint, assets };
}

const towards = {
  north: [0, 0, -1],
  south: [0, 0, 1],
  west: [-1, 0, 0],
  east: [1, 0, 0],
  up: [0, 1, 0],
  down: [0, -1, 0],
} as const satisfies Record<string, Vec3>;

const deskMiddle = (desk.z0 + desk.z1) / 2;
const signPoint: Vec3 = [wallPlane("entrance", "east"), 1.75, deskMiddle - 0.9];
const leafletPoint: Vec3 = [(desk.x0 + desk.x1) / 2, desk.height, desk.z0 + 0.35];
const benchPoint: Vec3 = [bench.x + bench.length / 2 - 0.2, bench.height, bench.z];
const screenPoint: Vec3 = [wallPlane("cabinet", "east"), screens.y1 + 0.2, (screens.z0 + screens.z1) / 2];
const rooflightPoint: Vec3 = [lantern.x0, rooms.hall.height + 0.45, (lantern.z0 + lantern.z1) / 2];
const passageDoor = doorways.find((door) => door.id === "hall-indigo");
const passagePoint: Vec3 = [rooms.hall.x1, 1.5, (passageDoor?.to ?? 0) + 0.25];

function placeTags(): Record<PlaceId, TagPlan> {
  return {
    welcome: placeTag(
      "welcome",
      signPoint,
      towards.west,
      viewFrom([0.6, eyeHeight, deskMiddle], signPoint),
      ink,
      "info",
    ),
    leaflet: placeTag(
      "leaflet",
      leafletPoint,
      towards.up,
      viewFrom([1.3, eyeHeight, 5.4], leafletPoint),
      slate,
      "document",
      ["leaflet"],
    ),
    bench: placeTag(
      "bench",
      benchPoint,
      towards.up,
      viewFrom([bench.x, 1.25, bench.z + 0.9], [0, 1.5, -6]),
      moss,
      "sound",
      ["sound"],
    ),
    screens: placeTag(
      "screens",
      screenPoint,
      towards.west,
      viewFrom([8, eyeHeight, -2.2], [11.3, 1.2, -4.2]),
      ochre,
      "place",
    ),
    rooflight: placeTag(
      "rooflight",
      rooflightPoint,
      towards.east,
      viewFrom([2.6, eyeHeight, 2.4], [-2.4, 3.2, -2.5]),
      slate,
      "place",
    ),
    passage: placeTag(
      "passage",
      passagePoint,
      towards.west,
      viewFrom([3.6, eyeHeight, 1.4], [6, 1.5, 1.4]),
      slate,
      "place",
    ),
  };
}

export function mainTags(): DemoTag[] {
  const plans = placeTags();
  return createTags(demoIds.mainEvent, [
    plans.welcome,
    withProduct(plans.leaflet, "catalogue"),
    withProduct(workTag("asanoha"), "asanoha-tenugui"),
    objectTag("vase", towards.south, moss, "info"),
    withProduct(workTag("ichimatsu", ochre), "ichimatsu-tenugui"),
    workTag("moons", vermilion),
    withProduct(workTag("garden", slate), "sekitei-print"),
    workTag("rain"),
    withProduct(workTag("waves", ink, "star", ["film"]), "namima-tenugui"),
    withProduct(workTag("bamboo", moss), "take-tenugui"),
    workTag("ai"),
    workTag("fold", slate),
    objectTag("facets", towards.south, slate, "info"),
    objectTag("ring", towards.south, ink, "info"),
    plans.bench,
    plans.rooflight,
    plans.passage,
    withProduct(workTag("stars", ink, "star"), "hokuten-shirt"),
    workTag("ridges", vermilion),
    objectTag("jar", towards.south, slate, "link", "https://www.example.com/moon-jar"),
    withProduct(workTag("enso", slate), "enso-postcard"),
    withProduct(objectTag("bowl", towards.south, ink, "info"), "enso-cup"),
    plans.screens,
  ]);
}

export const panoramaWorks = [
  "asanoha",
  "waves",
  "garden",
  "ai",
  "stars",
  "enso",
] as const satisfies readonly WorkId[];

export function panoramaTags(): DemoTag[] {
  const plans = placeTags();
  // In a panorama a visitor stands at a camera position, so each tag's viewpoint is the node of its room.
  const fromNode = (plan: TagPlan, nodeId: string): TagPlan => {
    const node = panoramas.find((panorama) => panorama.id === nodeId);
    if (!node || !plan.position) return plan;
    return { ...plan, viewpoint: { ...viewFrom(node.position, plan.position), nodeId } };
  };
  return createTags(demoIds.panoramaEvent, [
    fromNode(plans.welcome, "entrance"),
    fromNode(plans.leaflet, "entrance"),
    fromNode(workTag("asanoha"), "entrance"),
    fromNode(workTag("waves", ink, "star"), "hall"),
    fromNode(workTag("garden", slate), "hall"),
    fromNode(workTag("ai"), "hall"),
    fromNode(plans.bench, "hall"),
    fromNode(objectTag("facets", towards.south, slate, "info"), "hall"),
    fromNode(workTag("stars", ink, "star"), "indigo"),
    fromNode(objectTag("jar", towards.south, slate, "info"), "indigo"),
    fromNode(workTag("enso", slate), "cabinet"),
    fromNode(plans.screens, "cabinet"),
  ]);
}

export function showcaseTags(): DemoTag[] {
  // The showcase moves its own camera, so these tags are only in the list beside it.
  const withoutPosition = (plan: TagPlan): TagPlan => ({ ...plan, position: null, viewpoint: null });
  const plans = placeTags();
  return createTags(demoIds.showcaseEvent, [
    withoutPosition({
      key: "about",
      texts: {
        title: { ja: "この空間について", en: "About this place" },
        body: {
          ja: "実在の建物を撮影したショーケースです。画面をドラッグして見回し、床の輪を選んで歩きます。",
          en: "A showcase captured in a real building. Drag to look around, and choose a ring on the floor to walk.",
        },
        caption: { ja: "", en: "" },
        keywords: ["案内", "showcase"],
      },
      color: ink,
      icon: "info",
      position: null,
      normal: towards.up,
      viewpoint: null,
    }),
    withoutPosition(plans.leaflet),
  ]);
}
