/**
 * The demo's records as plain data. Ids and tokens are derived from names, so links stay the same on every machine.
 * Sizes of files are not repeated here: each library item names the asset (seed/demo-assets.ts) that knows them.
 */
import { createHash } from "node:crypto";
import { fullPlacement } from "~/domain/content/placement";
import type {
  Event,
  EventMedia,
  EventScene,
  EventStatusId,
  EventTag,
  Folder,
  Instant,
  Lang,
  LibraryItem,
  Localized,
  MediaKind,
  PanoramaNode,
  Placement,
  Role,
  Space,
  SpaceSource,
  UrlParams,
  UserStatus,
  Uuid,
  Vec3,
  Viewpoint,
} from "~/domain/shared/model";
import { assetOf, type DemoAssetKey, posterOf } from "./demo-assets";
import { stopWords } from "./demo-tour";
import { objectWords, type PlaceId, placeWords, roomWords, type Words, workWords } from "./demo-words";
import {
  bench,
  desk,
  doorways,
  eyeHeight,
  floorPlanFrame,
  lantern,
  objects,
  panoramas,
  pointOnWork,
  rooms,
  screens,
  start,
  viewpointAt,
  type WorkId,
  wallNormal,
  wallPlane,
  works,
  yawTowards,
} from "./gallery-plan";
import { makeCatalog } from "./store/catalog";
import { DEMO_STORE_HOST, DEMO_STORE_TOKEN } from "./store/names";

/** The password of every demo account. */
export const demoPassword = "demo-password";
/** The publish password of the event that asks for one. */
export const demoPublishPassword = "aizome-2026";

export interface DemoUser {
  readonly id: Uuid;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly role: Role;
  readonly status: UserStatus;
  readonly spaceLicense: number;
  /** Bytes. */
  readonly storageLimit: number;
  readonly language: Lang;
  readonly timeZone: string;
  readonly createdAt: Instant;
}

export interface DemoGroup {
  readonly id: Uuid;
  readonly name: string;
  readonly ownerId: Uuid;
  readonly memberIds: readonly Uuid[];
  readonly createdAt: Instant;
}

export type DemoFolder = Omit<Folder, "version">;
export type DemoSpace = Omit<Space, "version" | "eventCount" | "posterKey">;

export interface DemoEvent extends Omit<Event, "hasPublishPassword" | "version" | "revision"> {
  /** In the clear, to be hashed by the loader; null for events open to all. */
  readonly publishPassword: string | null;
}

/** None of them is hidden. */
export type DemoTag = Omit<EventTag, "version" | "hidden">;

/** Kind, type and sizes come from the library item and its asset. */
export interface DemoMedia
  extends Pick<
    EventMedia,
    "id" | "eventId" | "libraryItemId" | "kind" | "title" | "description" | "placement" | "createdOn"
  > {}

/** What an event's space shows beside tags and media. */
export type DemoScene = Omit<EventScene, "version"> & { readonly eventId: Uuid };

/** A file in a library. The loader stores the asset's file in R2 and takes type and sizes from the asset. */
export interface DemoLibraryItem
  extends Pick<LibraryItem, "id" | "folderId" | "ownerId" | "groupId" | "kind" | "title" | "createdAt"> {
  readonly assetKey: DemoAssetKey;
}

export interface DemoData {
  readonly users: readonly DemoUser[];
  readonly groups: readonly DemoGroup[];
  readonly folders: readonly DemoFolder[];
  readonly libraryItems: readonly DemoLibraryItem[];
  readonly spaces: readonly DemoSpace[];
  readonly events: readonly DemoEvent[];
  readonly tags: readonly DemoTag[];
  readonly media: readonly DemoMedia[];
  readonly scenes: readonly DemoScene[];
}

/** A fixed id in the form of a version 4 uuid (RFC 9562 §5.4). */
export function demoId(name: string): Uuid {
  const hex = createHash("sha256").update(`hiroba demo id ${name}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A fixed link token of 43 URL-safe characters. For the demo only: whoever reads this file knows it. */
export function demoToken(name: string): string {
  return createHash("sha256").update(`hiroba demo token ${name}`).digest("base64url");
}

/** The ids that start-up prints links for and tests look up. */
export const demoIds = {
  owner: demoId("user owner"),
  admin: demoId("user admin"),
  curator: demoId("user curator"),
  showroom: demoId("space showroom"),
  panorama: demoId("space panorama"),
  showcase: demoId("space showcase"),
  splat: demoId("space splat"),
  tearoom: demoId("space tearoom"),
  /** The rich published event in the model space. */
  mainEvent: demoId("event showroom 藍と紙 Indigo & Paper"),
  panoramaEvent: demoId("event panorama 藍と紙 360°"),
  splatEvent: demoId("event splat スキャンで歩く展示室"),
  showcaseEvent: demoId("event showcase ショーケース見学会"),
  /** The event that asks for demoPublishPassword. */
  passwordEvent: demoId("event showroom 関係者内覧会"),
} as const;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const gigabyte = 1024 ** 3;

/**
 * Everything the demo consists of.
 * @param now the time of seeding in milliseconds since 1970; dates of events lie around it
 */
export function demoData(now: number): DemoData {
  const at = (offset: number): Instant => new Date(now + offset).toISOString();

  const users = demoUsers(at);
  const group: DemoGroup = {
    id: demoId("group exhibition"),
    name: "展覧会チーム",
    ownerId: demoIds.owner,
    memberIds: [demoIds.owner, demoIds.curator],
    createdAt: at(-80 * day),
  };

  const folders: DemoFolder[] = users.flatMap((user): DemoFolder[] =>
    (["space", "media"] as const).map((folderType) => ({
      id: rootFolder(user.id, folderType),
      parentId: null,
      ownerId: user.id,
      folderType,
      name: folderType === "space" ? "スペース" : "ライブラリ",
      groupId: null,
      createdAt: user.createdAt,
      updatedAt: user.createdAt,
    })),
  );
  const subfolder = (
    name: string,
    folderType: "space" | "media",
    {
      groupId = null,
      parentId = rootFolder(demoIds.owner, folderType),
    }: Partial<Pick<Folder, "groupId" | "parentId">> = {},
  ): Uuid => {
    const id = demoId(`folder ${folderType} ${name}`);
    folders.push({
      id,
      parentId,
      ownerId: demoIds.owner,
      folderType,
      name,
      groupId,
      createdAt: at(-70 * day),
      updatedAt: at(-70 * day),
    });
    return id;
  };
  const worksFolder = subfolder("作品画像", "media", { groupId: group.id });
  const spaceFilesFolder = subfolder("スペースのファイル", "media");
  subfolder("2025年度", "space", { parentId: subfolder("過去の展覧会", "space") });
  subfolder("次の展覧会の準備", "space", { groupId: group.id });

  const libraryItems: DemoLibraryItem[] = [];
  const addItem = (
    ownerId: Uuid,
    assetKey: DemoAssetKey,
    kind: MediaKind,
    title: string,
    folderId: Uuid,
    groupId: Uuid | null = null,
  ): Uuid => {
    const id = libraryId(ownerId, assetKey);
    libraryItems.push({
      id,
      folderId,
      ownerId,
      groupId,
      kind,
      title,
      assetKey,
      createdAt: at(-60 * day + libraryItems.length * minute),
    });
    return id;
  };
  const ownerMedia = rootFolder(demoIds.owner, "media");
  addItem(demoIds.owner, "showroom", "model", "ショールーム（モデル）", spaceFilesFolder);
  addItem(demoIds.owner, "splats", "splat", "展示室のスキャン", spaceFilesFolder);
  // The oldest: lists to choose a panorama from begin with what is newest.
  addItem(demoIds.owner, "floor-plan", "image", "フロアプラン", ownerMedia);
  for (const node of panoramas) {
    addItem(
      demoIds.owner,
      `pano-${node.id}`,
      "image",
      `パノラマ ${roomWords[node.room].ja}`,
      spaceFilesFolder,
    );
  }
  for (const space of ["showroom", "panorama", "showcase", "splat"] as const) {
    addItem(demoIds.owner, posterOf(space), "image", `表紙 ${spaceNames[space]}`, spaceFilesFolder);
  }
  for (const work of works) {
    addItem(demoIds.owner, `work-${work.id}`, "image", workWords[work.id].title.ja, worksFolder, group.id);
  }
  addItem(demoIds.owner, "exhibition-poster", "image", "展覧会ポスター", ownerMedia);
  addItem(demoIds.owner, "sound", "audio", "波間の響き", ownerMedia);
  addItem(demoIds.owner, "film", "video", "動く海", ownerMedia);
  addItem(demoIds.owner, "leaflet", "pdf", "会場図と作品一覧", ownerMedia);
  const curatorMedia = rootFolder(demoIds.curator, "media");
  addItem(demoIds.curator, "showroom", "model", "茶の間と展示室（モデル）", curatorMedia);
  addItem(demoIds.curator, posterOf("tearoom"), "image", "表紙 茶の間", curatorMedia);

  const spaces = demoSpaces(at, group.id);
  const events = demoEvents(now, at);
  const media = [...mainMedia(at), ...panoramaMedia(at), ...showcaseMedia(at)];
  const tags = [...mainTags(), ...panoramaTags(), ...showcaseTags()];
  const scenes = [mainScene()];
  return { users, groups: [group], folders, libraryItems, spaces, events, tags, media, scenes };
}

function rootFolder(userId: Uuid, folderType: "space" | "media"): Uuid {
  return demoId(`root ${folderType} ${userId}`);
}

function libraryId(ownerId: Uuid, assetKey: DemoAssetKey): Uuid {
  return demoId(`library ${ownerId} ${assetKey}`);
}

// ── People ──────────────────────────────────────────────────────────────────────────────────────────────────────

function demoUsers(at: (offset: number) => Instant): DemoUser[] {
  const person = (
    key: string,
    lastName: string,
    firstName: string,
    companyName: string,
    more: Partial<DemoUser> = {},
  ): DemoUser => ({
    id: demoId(`user ${key}`),
    email: `${key}@demo.example`,
    firstName,
    lastName,
    companyName,
    role: "user",
    status: "ACTIVATED",
    spaceLicense: 5,
    storageLimit: 2 * gigabyte,
    language: "ja",
    timeZone: "Asia/Tokyo",
    createdAt: at(-90 * day),
    ...more,
  });
  const named = [
    person("owner", "広瀬", "千尋", "株式会社ひろば企画", { spaceLicense: 10, storageLimit: 10 * gigabyte }),
    person("admin", "管理", "太郎", "Hiroba 運営", {
      role: "admin",
      spaceLicense: 10,
      storageLimit: 10 * gigabyte,
    }),
    person("curator", "Morgan", "Alex", "Paper & Light Studio", {
      language: "en",
      timeZone: "Europe/London",
    }),
  ];
  const others = otherPeople.map(([key, lastName, firstName, companyName, status], index) =>
    person(key, lastName, firstName, companyName, {
      status,
      spaceLicense: 1 + (index % 4),
      storageLimit: (1 + (index % 3)) * gigabyte,
      language: /^[A-Z]/.test(lastName) ? "en" : "ja",
      createdAt: at(-(85 - index * 3) * day),
    }),
  );
  return [...named, ...others];
}

const otherPeople: readonly (readonly [string, string, string, string, UserStatus])[] = [
  ["sato", "佐藤", "美咲", "佐藤建築設計事務所", "ACTIVATED"],
  ["suzuki", "鈴木", "健一", "鈴木家具店", "ACTIVATED"],
  ["takahashi", "高橋", "由美", "たかはし画廊", "ACTIVATED"],
  ["tanaka", "田中", "大輔", "田中不動産販売", "BLOCKED"],
  ["ito", "伊藤", "沙織", "伊藤硝子工房", "ACTIVATED"],
  ["watanabe", "渡辺", "誠", "渡辺酒造", "EMAIL_VERIFIED"],
  ["yamamoto", "山本", "彩", "山本染織", "ACTIVATED"],
  ["nakamura", "中村", "翔", "ナカムラ住宅展示", "ACTIVATED"],
  ["kobayashi", "小林", "恵子", "小林製陶所", "EMAIL_UNVERIFIED"],
  ["kato", "加藤", "拓也", "加藤イベント", "ACTIVATED"],
  ["yoshida", "吉田", "真理", "吉田文具", "ACTIVATED"],
  ["yamada", "山田", "一郎", "山田美術館", "ACTIVATED"],
  ["sasaki", "佐々木", "愛", "ささき写真館", "DISAPPROVED"],
  ["matsumoto", "松本", "亮", "松本漆器", "ACTIVATED"],
  ["inoue", "井上", "菜々子", "井上書店", "ACTIVATED"],
  ["kimura", "木村", "修", "木村庭園", "ACTIVATED"],
  ["hayashi", "林", "香織", "はやし和紙", "ACTIVATED"],
  ["shimizu", "清水", "隆", "清水観光", "EMAIL_VERIFIED"],
  ["smith", "Smith", "Jordan", "Northlight Gallery", "ACTIVATED"],
  ["garcia", "García", "Lucía", "Taller García", "ACTIVATED"],
  ["chen", "Chen", "Wei", "Chen Ceramics", "ACTIVATED"],
  ["dubois", "Dubois", "Camille", "Atelier Dubois", "EMAIL_UNVERIFIED"],
  ["okafor", "Okafor", "Ada", "Okafor Textiles", "ACTIVATED"],
  ["mori", "森", "千夏", "森の本棚", "ACTIVATED"],
];

// ── Spaces ──────────────────────────────────────────────────────────────────────────────────────────────────────

const spaceNames = {
  showroom: "Hiroba ショールーム",
  panorama: "夕暮れの展示室（360°）",
  showcase: "Matterport ショーケース",
  splat: "展示室のスキャン（ガウススプラット）",
  tearoom: "茶の間と展示室",
} as const;

function demoSpaces(at: (offset: number) => Instant, groupId: Uuid): DemoSpace[] {
  const space = (
    key: keyof typeof spaceNames,
    ownerId: Uuid,
    sid: string,
    source: SpaceSource,
    age: number,
    shared: Uuid | null = null,
  ): DemoSpace => ({
    id: demoIds[key],
    folderId: rootFolder(ownerId, "space"),
    ownerId,
    groupId: shared,
    name: spaceNames[key],
    sid,
    source,
    posterMediaId: libraryId(ownerId, posterOf(key)),
    createdAt: at(-age * day),
    updatedAt: at(-age * day),
  });
  const nodes: PanoramaNode[] = panoramas.map((node) => ({
    id: node.id,
    mediaId: libraryId(demoIds.owner, `pano-${node.id}`),
    title: roomWords[node.room],
    position: node.position,
    heading: node.heading,
    links: node.links,
  }));
  const model = (ownerId: Uuid, from: Viewpoint): SpaceSource => ({
    kind: "model",
    mediaId: libraryId(ownerId, "showroom"),
    start: from,
    eyeHeight,
  });
  const teaStart: Vec3 = [10.1, eyeHeight, -1.9];
  return [
    space("showroom", demoIds.owner, "H1robaShwrm", model(demoIds.owner, start), 58),
    space(
      "panorama",
      demoIds.owner,
      "H1robaPanor",
      {
        kind: "panorama",
        nodes,
        start: { position: [0, eyeHeight, 1.1], yaw: 0, pitch: 0, mode: "walk", nodeId: "hall" },
      },
      50,
      groupId,
    ),
    space("showcase", demoIds.owner, "SxQL3iGyoDo", { kind: "showcase" }, 42),
    space(
      "splat",
      demoIds.owner,
      "H1robaSp1at",
      { kind: "splat", mediaId: libraryId(demoIds.owner, "splats"), start, eyeHeight, up: "y" },
      36,
    ),
    space(
      "tearoom",
      demoIds.curator,
      "H1robaTearm",
      model(demoIds.curator, {
        position: teaStart,
        yaw: yawTowards(teaStart, [8.6, eyeHeight, -5]),
        pitch: -0.1,
        mode: "walk",
      }),
      30,
    ),
  ];
}

// ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────

const unpublished = 1;
const preview = 2;
const published = 3;
const archived = 4;

interface EventPlan {
  readonly space: keyof typeof spaceNames;
  readonly name: string;
  readonly status: EventStatusId;
  /** Days from the time of seeding; null for no date. */
  readonly from: number | null;
  readonly until: number | null;
  /** Instead of both: a Saturday afternoon, so many weeks from the coming one. */
  readonly saturday?: number;
  readonly detail: string;
  readonly auto?: boolean;
  readonly urlParams?: UrlParams;
  readonly password?: string;
}

const eventPlans: readonly EventPlan[] = [
  {
    space: "showroom",
    name: "藍と紙 Indigo & Paper",
    status: published,
    from: -33,
    until: 60,
    detail:
      "計算でつくった十二枚の版画と五つの立体の展覧会です。玄関から広間、藍の間、茶の間へと歩きながら、紙と藍、正確な幾何のかたちをご覧ください。\n\nTwelve prints and five objects made by calculation. Walk from the entrance through the hall and the indigo room to the tea room, among paper, indigo and exact geometry.",
  },
  {
    space: "showroom",
    name: "関係者内覧会",
    status: published,
    from: -14,
    until: 20,
    detail: "会期に先立つ内覧会の記録です。合言葉はご案内のはがきに記載しています。",
    password: demoPublishPassword,
  },
  {
    space: "showroom",
    name: "秋の版画展",
    status: preview,
    from: 21,
    until: 75,
    detail: "次の会期の下見です。開始時刻を過ぎると自動で公開されます。",
  },
  {
    space: "showroom",
    name: "冬の茶会",
    status: unpublished,
    from: 90,
    until: 92,
    detail: "茶の間で行う小さな茶会の準備中です。",
    auto: false,
  },
  {
    space: "showroom",
    name: "春の開館記念展",
    status: archived,
    from: -120,
    until: -60,
    detail: "開館を記念した最初の展覧会です。会期は終了しました。",
  },
  ...seasonalTalks(),
  {
    space: "panorama",
    name: "藍と紙 360°",
    status: published,
    from: -10,
    until: 60,
    detail:
      "夕暮れの展示室を四つの地点から見渡します。床の印を選ぶと隣の部屋へ移ります。\n\nThe gallery at dusk, seen from four places. Choose a mark on the floor to step into the next room.",
  },
  {
    space: "panorama",
    name: "夜間開館の下見",
    status: preview,
    from: 5,
    until: 40,
    detail: "夜間開館に向けた照明の確認用です。",
  },
  {
    space: "panorama",
    name: "撮影の記録",
    status: unpublished,
    from: null,
    until: null,
    detail: "",
    auto: false,
  },
  {
    space: "showcase",
    name: "ショーケース見学会",
    status: published,
    from: -30,
    until: null,
    detail:
      "実際に撮影された空間をそのまま見学できます。\n\nA real place, captured as it is, to be visited from wherever you are.",
    urlParams: { play: 1, qs: 1, title: 0 },
  },
  {
    space: "showcase",
    name: "採寸用",
    status: unpublished,
    from: null,
    until: null,
    detail: "什器の寸法を確かめるための表示です。",
    auto: false,
    urlParams: { qs: 1, dh: 0 },
  },
  {
    space: "splat",
    name: "スキャンで歩く展示室",
    status: published,
    from: -8,
    until: null,
    detail:
      "数万の小さな色の粒でできた展示室です。上から見下ろし、床を選んで中へ入ることができます。\n\nThe gallery made of tens of thousands of small specks of colour. Look at it from above, and choose the floor to walk in.",
  },
  {
    space: "tearoom",
    name: "Light of the Tea Room",
    status: published,
    from: -5,
    until: 30,
    detail:
      "Four paper screens, eight mats and one bowl: the smallest room of the gallery, for those who like to stay.",
  },
  {
    space: "tearoom",
    name: "Members' evening",
    status: preview,
    from: 12,
    until: 13,
    detail: "An evening for members, by invitation.",
  },
];

/** A weekly series of talks: enough events in one space for a second page. */
function seasonalTalks(): EventPlan[] {
  const themes = [
    "藍を染める",
    "和紙を漉く",
    "版木を彫る",
    "青海波の由来",
    "市松と錯視",
    "麻の葉の作図",
    "月の暦を読む",
    "石庭の砂紋",
    "ぼかし摺り",
    "竹を描く",
    "折り紙の幾何",
    "星の軌跡",
    "山の稜線",
    "円相を書く",
    "青磁の色",
    "黄金比の立体",
    "漆とねじれ",
    "白磁の壺",
    "茶碗を選ぶ",
    "障子の光",
  ];
  return themes.map(
    (theme, index): EventPlan => ({
      space: "showroom",
      name: `土曜講座 ${String(index + 1).padStart(2, "0")} ${theme}`,
      status: index < 11 ? archived : index < 14 ? preview : unpublished,
      from: null,
      until: null,
      saturday: index - 11,
      detail: `連続講座の第 ${index + 1} 回、「${theme}」です。会場の作品を前に、三時間お話しします。`,
    }),
  );
}

/** Midnight in Tokyo, which keeps UTC+9 all year, of the day that lies `days` after now; milliseconds since 1970. */
function tokyoDay(now: number, days: number): number {
  const offset = 9 * hour;
  return Math.floor((now + offset) / day + days) * day - offset;
}

/** Midnight of the coming Saturday in Tokyo, today if it is one, and so many weeks from it. 1970-01-01 was a Thursday. */
function tokyoSaturday(now: number, weeks: number): number {
  const today = tokyoDay(now, 0);
  const weekday = (Math.round((today + 9 * hour) / day) + 4) % 7;
  return today + (6 - weekday + weeks * 7) * day;
}

function period(plan: EventPlan, now: number): { startDate: Instant | null; endDate: Instant | null } {
  const instant = (ms: number): Instant => new Date(ms).toISOString();
  if (plan.saturday !== undefined) {
    const saturday = tokyoSaturday(now, plan.saturday);
    return { startDate: instant(saturday + 14 * hour), endDate: instant(saturday + 17 * hour) };
  }
  return {
    startDate: plan.from === null ? null : instant(tokyoDay(now, plan.from) + 10 * hour),
    endDate: plan.until === null ? null : instant(tokyoDay(now, plan.until) + 18 * hour),
  };
}

function demoEvents(now: number, at: (offset: number) => Instant): DemoEvent[] {
  return eventPlans.map((plan, index) => {
    const key = `event ${plan.space} ${plan.name}`;
    // The plans begin with what a first visitor should find: lists show the newest first.
    const created = at(-49 * day - index * 6 * hour);
    return {
      id: demoId(key),
      spaceId: demoIds[plan.space],
      eventName: plan.name,
      ...period(plan, now),
      statusId: plan.status,
      enableAutoChangeStatus: plan.auto ?? true,
      accessToken: demoToken(`${key} public`),
      previewAccessToken: demoToken(`${key} preview`),
      // The main event has the store of this machine.
      spAccessToken: index === 0 ? DEMO_STORE_TOKEN : null,
      spStoreUrl: index === 0 ? `https://${DEMO_STORE_HOST}` : null,
      eventDetail: plan.detail,
      urlParams: plan.urlParams ?? {},
      publishPassword: plan.password ?? null,
      createdAt: created,
      updatedAt: created,
    };
  });
}

// ── Media ───────────────────────────────────────────────────────────────────────────────────────────────────────

const posterWords = {
  title: { ja: "展覧会ポスター", en: "Exhibition poster" },
  body: { ja: "「藍と紙」のポスターです。", en: "The poster of “Indigo and Paper”." },
} satisfies Record<string, Localized>;

const filmWords = {
  title: { ja: "動く海", en: "The sea, moving" },
  body: {
    ja: "「波間」の円を、同じ規則のまま動かした八秒の映像です。音はありません。",
    en: "Eight seconds of film in which the circles of “Between Waves” move by the same rule. There is no sound.",
  },
} satisfies Record<string, Localized>;

/** Free stretches of wall where media hang: the poster in the entrance, the film in the hall, a study in the indigo room. */
const posterPlacement = fullPlacement({
  position: [rooms.entrance.x0 + 0.02, 1.6, 8.75],
  normal: wallNormal("west"),
  width: 0.72,
});
const filmPlacement = fullPlacement({
  position: [rooms.hall.x1 - 0.02, 1.6, 0.12],
  normal: wallNormal("east"),
  width: 0.9,
});
const detailPlacement = fullPlacement({
  position: [8.1, 1.6, rooms.indigo.z0 + 0.02],
  normal: wallNormal("north"),
  width: 0.9,
});

function mediaId(event: Uuid, asset: DemoAssetKey, use = ""): Uuid {
  return demoId(`media ${event} ${asset}${use}`);
}

function makeMedia(
  eventId: Uuid,
  at: (offset: number) => Instant,
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
    libraryItemId: libraryId(demoIds.owner, asset),
    kind: assetOf(asset).kind,
    title,
    description,
    placement: placement ?? null,
    createdOn: at(-40 * day + count++ * minute),
  });
}

function mainMedia(at: (offset: number) => Instant): DemoMedia[] {
  const make = makeMedia(demoIds.mainEvent, at);
  return [
    ...works.map((work) => make(`work-${work.id}`, workWords[work.id].title, workWords[work.id].caption)),
    make("sound", { ja: "波間の響き", en: "Sound between waves" }, placeWords.bench.caption),
    make("leaflet", placeWords.leaflet.title, placeWords.leaflet.caption),
    make("film", filmWords.title, filmWords.body, filmPlacement),
    make("exhibition-poster", posterWords.title, posterWords.body, posterPlacement),
    make(
      "work-stars",
      { ja: "北天図（習作）", en: "Northern Sky (study)" },
      { ja: "東の壁の大作のための習作です。", en: "A study for the large sheet on the east wall." },
      detailPlacement,
      " study",
    ),
    make(
      "floor-plan",
      { ja: "フロアプラン", en: "Floor plan" },
      { ja: "展示室を真上から見た図です。", en: "The gallery as seen from above." },
    ),
  ];
}

function panoramaMedia(at: (offset: number) => Instant): DemoMedia[] {
  const make = makeMedia(demoIds.panoramaEvent, at);
  return [
    ...panoramaWorks.map((id) => make(`work-${id}`, workWords[id].title, workWords[id].caption)),
    make("sound", { ja: "波間の響き", en: "Sound between waves" }, placeWords.bench.caption),
    make("leaflet", placeWords.leaflet.title, placeWords.leaflet.caption),
  ];
}

function showcaseMedia(at: (offset: number) => Instant): DemoMedia[] {
  const make = makeMedia(demoIds.showcaseEvent, at);
  return [
    make("exhibition-poster", posterWords.title, posterWords.body),
    make("leaflet", placeWords.leaflet.title, placeWords.leaflet.caption),
  ];
}

// ── Tags ────────────────────────────────────────────────────────────────────────────────────────────────────────

const ink = "#27348b";
const vermilion = "#b8422f";
const moss = "#4d6b4a";
const ochre = "#96701d";
const slate = "#47525e";
const stem = 0.22;

interface TagPlan {
  readonly key: string;
  readonly words: Words;
  readonly color: string;
  readonly icon: string;
  readonly position: Vec3 | null;
  readonly normal: Vec3;
  readonly viewpoint: Viewpoint | null;
  readonly assets?: readonly DemoAssetKey[];
  readonly linkUrl?: string;
  /** What the store sells of it, by its handle there. */
  readonly product?: string;
}

const catalog = makeCatalog();
function productOf(handle: string) {
  const found = catalog.products.find((product) => product.handle === handle);
  if (!found) throw new Error(`The demo store has no ${handle}`);
  return { id: found.id, title: found.title.ja };
}
const sold = (plan: TagPlan, product: string): TagPlan => ({ ...plan, product });

function makeTags(eventId: Uuid, plans: readonly TagPlan[]): DemoTag[] {
  return plans.map((plan, index) => ({
    id: demoId(`tag ${eventId} ${plan.key}`),
    eventId,
    title: plan.words.title,
    body: plan.words.body,
    color: plan.color,
    icon: plan.icon,
    keywords: plan.words.keywords,
    linkUrl: plan.linkUrl ?? null,
    position: plan.position,
    stem: [plan.normal[0] * stem, plan.normal[1] * stem, plan.normal[2] * stem],
    viewpoint: plan.viewpoint,
    mediaIds: (plan.assets ?? []).map((asset) => mediaId(eventId, asset)),
    product: plan.product === undefined ? null : productOf(plan.product),
    sortOrder: index + 1,
  }));
}

function workTag(
  id: WorkId,
  color: string = ink,
  icon = "picture",
  more: readonly DemoAssetKey[] = [],
): TagPlan {
  const work = works.find((place) => place.id === id);
  if (!work) throw new Error(`no work ${id} in the plan`);
  const normal = wallNormal(work.side);
  const size = Math.max(work.width, work.height);
  return {
    key: id,
    words: workWords[id],
    color,
    icon,
    position: pointOnWork(work, 0.9, 0.1),
    normal,
    viewpoint: viewpointAt(pointOnWork(work), normal, Math.max(1.5, size * 1.15)),
    assets: [`work-${id}`, ...more],
  };
}

/** A tag on the front of what an object stands on. */
function objectTag(
  id: keyof typeof objectWords,
  front: Vec3,
  color: string,
  icon: string,
  linkUrl?: string,
): TagPlan {
  const place = objects.find((object) => object.id === id);
  if (!place) throw new Error(`no object ${id} in the plan`);
  const low = place.baseHeight < 0.6;
  const position: Vec3 = [
    place.x + front[0] * place.baseHalf,
    low ? place.baseHeight - 0.03 : place.baseHeight - 0.18,
    place.z + front[2] * place.baseHalf,
  ];
  const distance = 1.5;
  const eye: Vec3 = [place.x + front[0] * distance, eyeHeight, place.z + front[2] * distance];
  return {
    key: id,
    words: objectWords[id],
    color,
    icon,
    position,
    normal: front,
    viewpoint: {
      position: eye,
      yaw: yawTowards(eye, [place.x, eyeHeight, place.z]),
      pitch: Math.atan2(place.baseHeight + 0.15 - eyeHeight, distance),
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
  return { key: id, words: placeWords[id], color, icon, position, normal, viewpoint, assets };
}

const towards = {
  north: [0, 0, -1],
  south: [0, 0, 1],
  west: [-1, 0, 0],
  east: [1, 0, 0],
  up: [0, 1, 0],
  down: [0, -1, 0],
} as const satisfies Record<string, Vec3>;

function look(position: Vec3, target: Vec3): Viewpoint {
  const flat = Math.hypot(target[0] - position[0], target[2] - position[2]);
  return {
    position,
    yaw: yawTowards(position, target),
    pitch: Math.atan2(target[1] - position[1], flat),
    mode: "walk",
  };
}

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
      look([0.6, eyeHeight, deskMiddle], signPoint),
      ink,
      "info",
    ),
    leaflet: placeTag(
      "leaflet",
      leafletPoint,
      towards.up,
      look([1.3, eyeHeight, 5.4], leafletPoint),
      slate,
      "document",
      ["leaflet"],
    ),
    bench: placeTag(
      "bench",
      benchPoint,
      towards.up,
      look([bench.x, 1.25, bench.z + 0.9], [0, 1.5, -6]),
      moss,
      "sound",
      ["sound"],
    ),
    screens: placeTag(
      "screens",
      screenPoint,
      towards.west,
      look([8, eyeHeight, -2.2], [11.3, 1.2, -4.2]),
      ochre,
      "place",
    ),
    rooflight: placeTag(
      "rooflight",
      rooflightPoint,
      towards.east,
      look([2.6, eyeHeight, 2.4], [-2.4, 3.2, -2.5]),
      slate,
      "place",
    ),
    passage: placeTag(
      "passage",
      passagePoint,
      towards.west,
      look([3.6, eyeHeight, 1.4], [6, 1.5, 1.4]),
      slate,
      "place",
    ),
  };
}

function mainTags(): DemoTag[] {
  const places = placeTags();
  return makeTags(demoIds.mainEvent, [
    places.welcome,
    sold(places.leaflet, "catalogue"),
    sold(workTag("asanoha"), "asanoha-tenugui"),
    objectTag("vase", towards.south, moss, "info"),
    sold(workTag("ichimatsu", ochre), "ichimatsu-tenugui"),
    workTag("moons", vermilion),
    sold(workTag("garden", slate), "sekitei-print"),
    workTag("rain"),
    sold(workTag("waves", ink, "star", ["film"]), "namima-tenugui"),
    sold(workTag("bamboo", moss), "take-tenugui"),
    workTag("ai"),
    workTag("fold", slate),
    objectTag("facets", towards.south, slate, "info"),
    objectTag("ring", towards.south, ink, "info"),
    places.bench,
    places.rooflight,
    places.passage,
    sold(workTag("stars", ink, "star"), "hokuten-shirt"),
    workTag("ridges", vermilion),
    objectTag("jar", towards.south, slate, "link", "https://www.example.com/moon-jar"),
    sold(workTag("enso", slate), "enso-postcard"),
    sold(objectTag("bowl", towards.south, ink, "info"), "enso-cup"),
    places.screens,
  ]);
}

const panoramaWorks = [
  "asanoha",
  "waves",
  "garden",
  "ai",
  "stars",
  "enso",
] as const satisfies readonly WorkId[];

function panoramaTags(): DemoTag[] {
  const places = placeTags();
  // In a panorama one stands where a picture was taken: each tag is seen from the node of its room.
  const fromNode = (plan: TagPlan, nodeId: string): TagPlan => {
    const node = panoramas.find((place) => place.id === nodeId);
    if (!node || !plan.position) return plan;
    return { ...plan, viewpoint: { ...look(node.position, plan.position), nodeId } };
  };
  return makeTags(demoIds.panoramaEvent, [
    fromNode(places.welcome, "entrance"),
    fromNode(places.leaflet, "entrance"),
    fromNode(workTag("asanoha"), "entrance"),
    fromNode(workTag("waves", ink, "star"), "hall"),
    fromNode(workTag("garden", slate), "hall"),
    fromNode(workTag("ai"), "hall"),
    fromNode(places.bench, "hall"),
    fromNode(objectTag("facets", towards.south, slate, "info"), "hall"),
    fromNode(workTag("stars", ink, "star"), "indigo"),
    fromNode(objectTag("jar", towards.south, slate, "info"), "indigo"),
    fromNode(workTag("enso", slate), "cabinet"),
    fromNode(places.screens, "cabinet"),
  ]);
}

function showcaseTags(): DemoTag[] {
  // The showcase moves its own camera: these tags live in the list beside it.
  const inList = (plan: TagPlan): TagPlan => ({ ...plan, position: null, viewpoint: null });
  const places = placeTags();
  return makeTags(demoIds.showcaseEvent, [
    inList({
      key: "about",
      words: {
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
    inList(places.leaflet),
  ]);
}

// ── Scene ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Where visitors of the main event begin, its tour, and the picture under its map. */
function mainScene(): DemoScene {
  const eventId = demoIds.mainEvent;
  const stop = (key: keyof typeof stopWords, seconds: number, viewpoint: Viewpoint | null = null) => ({
    id: demoId(`stop ${eventId} ${key}`),
    tagId: key === "hall" ? null : demoId(`tag ${eventId} ${key}`),
    viewpoint,
    ...stopWords[key],
    seconds,
  });
  const hall: Vec3 = [1.2, eyeHeight, 1.4];
  return {
    eventId,
    startView: look([0.7, eyeHeight, 9.2], [0, eyeHeight - 0.05, -6.3]),
    tour: [
      stop("welcome", 8, look([0, eyeHeight, 7.6], [0, eyeHeight, -6.3])),
      stop("waves", 12),
      stop("hall", 10, look(hall, [-1.4, 2.2, -6.3])),
      stop("stars", 12),
      stop("enso", 15),
      stop("screens", 10),
    ],
    plan: { mediaId: mediaId(eventId, "floor-plan"), ...floorPlanFrame, rotation: 0 },
    products: ["namima-cup", "asanoha-shirt", "enso-print"].map(productOf),
  };
}
