import type { EventStatusId, Instant, Localized, UrlParams } from "~/domain/shared/model";
import { DEMO_STORE_HOST, DEMO_STORE_TOKEN } from "../store/hosts-and-tokens";
import { type DemoEvent, day, demoId, demoIds, demoPublishPassword, demoToken, hour } from "./records";
import type { spaceNames } from "./spaces";

const unpublished = 1;
const preview = 2;
export const published = 3;
const archived = 4;

interface EventPlan {
  readonly space: keyof typeof spaceNames;
  /** Name from which the id and the links of the event derive; the Japanese name by default. */
  readonly key?: string;
  readonly name: Localized;
  readonly status: EventStatusId;
  /** Days from the day of seeding; null for no date. */
  readonly from: number | null;
  readonly until: number | null;
  /** Replaces `from` and `until`: a Saturday afternoon, this number of weeks after the coming Saturday. */
  readonly saturday?: number;
  readonly detail: Localized;
  /** Whether the status follows the dates. Default: true. */
  readonly enableAutoChangeStatus?: boolean;
  /** URL parameters of a showcase's frame. */
  readonly urlParams?: UrlParams;
  readonly password?: string;
}

const eventPlans: readonly EventPlan[] = [
  {
    space: "showroom",
    key: "藍と紙 Indigo & Paper",
    name: { ja: "藍と紙", en: "Indigo & Paper" },
    status: published,
    from: -33,
    until: 60,
    detail: {
      ja: "計算でつくった十二枚の版画と五つの立体の展覧会です。玄関から広間、藍の間、茶の間へと歩きながら、紙と藍、正確な幾何のかたちをご覧ください。",
      en: "Twelve prints and five objects made by calculation. Walk from the entrance through the hall and the indigo room to the tea room, among paper, indigo and exact geometry.",
    },
  },
  {
    space: "showroom",
    name: { ja: "関係者内覧会", en: "Private view" },
    status: published,
    from: -14,
    until: 20,
    detail: {
      ja: "会期に先立つ内覧会の記録です。合言葉はご案内のはがきに記載しています。",
      en: "A record of the view before the opening. The password is on the invitation card.",
    },
    password: demoPublishPassword,
  },
  {
    space: "showroom",
    name: { ja: "秋の版画展", en: "Autumn prints" },
    status: preview,
    from: 21,
    until: 75,
    detail: {
      ja: "次の会期の下見です。開始時刻を過ぎると自動で公開されます。",
      en: "A first look at the next exhibition. It opens by itself at its start.",
    },
  },
  {
    space: "showroom",
    name: { ja: "冬の茶会", en: "Winter tea gathering" },
    status: unpublished,
    from: 90,
    until: 92,
    detail: {
      ja: "茶の間で行う小さな茶会の準備中です。",
      en: "A small tea gathering in the tea room, in preparation.",
    },
    enableAutoChangeStatus: false,
  },
  {
    space: "showroom",
    name: { ja: "春の開館記念展", en: "Spring opening exhibition" },
    status: archived,
    from: -120,
    until: -60,
    detail: {
      ja: "開館を記念した最初の展覧会です。会期は終了しました。",
      en: "The first exhibition, for the opening of the gallery. It has ended.",
    },
  },
  ...weeklyTalks(),
  {
    space: "panorama",
    name: { ja: "藍と紙 360°", en: "Indigo & Paper 360°" },
    status: published,
    from: -10,
    until: 60,
    detail: {
      ja: "夕暮れの展示室を四つの地点から見渡します。床の印を選ぶと隣の部屋へ移ります。",
      en: "The gallery at dusk, seen from four places. Choose a mark on the floor to step into the next room.",
    },
  },
  {
    space: "panorama",
    name: { ja: "夜間開館の下見", en: "Night opening: light test" },
    status: preview,
    from: 5,
    until: 40,
    detail: {
      ja: "夜間開館に向けた照明の確認用です。",
      en: "For checking the lights of the night opening.",
    },
  },
  {
    space: "panorama",
    name: { ja: "撮影の記録", en: "Record of the shooting" },
    status: unpublished,
    from: null,
    until: null,
    detail: { ja: "", en: "" },
    enableAutoChangeStatus: false,
  },
  {
    space: "showcase",
    name: { ja: "ショーケース見学会", en: "Showcase tour" },
    status: published,
    from: -30,
    until: null,
    detail: {
      ja: "実際に撮影された空間をそのまま見学できます。",
      en: "A real place, captured as it is, to be visited from wherever you are.",
    },
    urlParams: { play: 1, qs: 1, title: 0 },
  },
  {
    space: "showcase",
    name: { ja: "採寸用", en: "For measuring" },
    status: unpublished,
    from: null,
    until: null,
    detail: {
      ja: "什器の寸法を確かめるための表示です。",
      en: "For measuring the furniture.",
    },
    enableAutoChangeStatus: false,
    urlParams: { qs: 1, dh: 0 },
  },
  {
    space: "splat",
    name: { ja: "スキャンで歩く展示室", en: "The gallery as a scan" },
    status: published,
    from: -8,
    until: null,
    detail: {
      ja: "数万の小さな色の粒でできた展示室です。上から見下ろし、床を選んで中へ入ることができます。",
      en: "The gallery made of tens of thousands of small specks of colour. Look at it from above, and choose the floor to walk in.",
    },
  },
  {
    space: "tearoom",
    key: "Light of the Tea Room",
    name: { ja: "茶の間の光", en: "Light of the Tea Room" },
    status: published,
    from: -5,
    until: 30,
    detail: {
      ja: "四枚の障子、八畳の畳、一碗の茶碗。いちばん小さな部屋で、ゆっくりお過ごしください。",
      en: "Four paper screens, eight mats and one bowl: the smallest room of the gallery, for those who like to stay.",
    },
  },
  {
    space: "tearoom",
    key: "Members' evening",
    name: { ja: "会員の夕べ", en: "Members' evening" },
    status: preview,
    from: 12,
    until: 13,
    detail: { ja: "会員の方をご招待する夕べです。", en: "An evening for members, by invitation." },
  },
];

/** A weekly series of talks. It gives one space enough events for a second page. */
function weeklyTalks(): EventPlan[] {
  const numberOf = (index: number) => String(index + 1).padStart(2, "0");
  const themes: readonly Localized[] = [
    { ja: "藍を染める", en: "Dyeing with indigo" },
    { ja: "和紙を漉く", en: "Making paper" },
    { ja: "版木を彫る", en: "Carving the block" },
    { ja: "青海波の由来", en: "The wave pattern" },
    { ja: "市松と錯視", en: "Checks and illusions" },
    { ja: "麻の葉の作図", en: "Drawing the hemp leaf" },
    { ja: "月の暦を読む", en: "Reading the moon" },
    { ja: "石庭の砂紋", en: "Raked gravel" },
    { ja: "ぼかし摺り", en: "Printing gradients" },
    { ja: "竹を描く", en: "Painting bamboo" },
    { ja: "折り紙の幾何", en: "Geometry of origami" },
    { ja: "星の軌跡", en: "Trails of stars" },
    { ja: "山の稜線", en: "Mountain ridges" },
    { ja: "円相を書く", en: "Writing the circle" },
    { ja: "青磁の色", en: "Colour of celadon" },
    { ja: "黄金比の立体", en: "Golden solids" },
    { ja: "漆とねじれ", en: "Lacquer and twists" },
    { ja: "白磁の壺", en: "The white jar" },
    { ja: "茶碗を選ぶ", en: "Choosing a bowl" },
    { ja: "障子の光", en: "Light through paper" },
  ];
  return themes.map(
    (theme, index): EventPlan => ({
      space: "showroom",
      name: { ja: `土曜講座 ${numberOf(index)} ${theme.ja}`, en: `Talk ${numberOf(index)}: ${theme.en}` },
      status: index < 11 ? archived : index < 14 ? preview : unpublished,
      from: null,
      until: null,
      saturday: index - 11,
      detail: {
        ja: `連続講座の第 ${index + 1} 回、「${theme.ja}」です。会場の作品を前に、三時間お話しします。`,
        en: `Talk ${index + 1} of the series, “${theme.en}”: three hours among the works.`,
      },
    }),
  );
}

/** Start of the day in Tokyo (UTC+9 all year) that is `days` days after today, in milliseconds since 1970. */
function tokyoMidnight(now: number, days: number): number {
  const offset = 9 * hour;
  return Math.floor((now + offset) / day + days) * day - offset;
}

/** Midnight of the coming Saturday in Tokyo, or of today when it is a Saturday, plus `weeks` weeks. 1970-01-01 was a Thursday. */
function tokyoSaturday(now: number, weeks: number): number {
  const today = tokyoMidnight(now, 0);
  const weekday = (Math.round((today + 9 * hour) / day) + 4) % 7;
  return today + (6 - weekday + weeks * 7) * day;
}

function computePeriod(plan: EventPlan, now: number): { startDate: Instant | null; endDate: Instant | null } {
  const instant = (ms: number): Instant => new Date(ms).toISOString();
  if (plan.saturday !== undefined) {
    const saturday = tokyoSaturday(now, plan.saturday);
    return { startDate: instant(saturday + 14 * hour), endDate: instant(saturday + 17 * hour) };
  }
  return {
    startDate: plan.from === null ? null : instant(tokyoMidnight(now, plan.from) + 10 * hour),
    endDate: plan.until === null ? null : instant(tokyoMidnight(now, plan.until) + 18 * hour),
  };
}

export function demoEvents(now: number, dateAt: (offset: number) => Instant): DemoEvent[] {
  return eventPlans.map((plan, index) => {
    const key = `event ${plan.space} ${plan.key ?? plan.name.ja}`;
    // The plans start with the events that a new user should see first, because lists show the newest first.
    const createdAt = dateAt(-49 * day - index * 6 * hour);
    return {
      id: demoId(key),
      spaceId: demoIds[plan.space],
      eventName: plan.name,
      ...computePeriod(plan, now),
      statusId: plan.status,
      enableAutoChangeStatus: plan.enableAutoChangeStatus ?? true,
      accessToken: demoToken(`${key} public`),
      previewAccessToken: demoToken(`${key} preview`),
      // The main event uses the local demo store.
      spAccessToken: index === 0 ? DEMO_STORE_TOKEN : null,
      spStoreUrl: index === 0 ? `https://${DEMO_STORE_HOST}` : null,
      eventDetail: plan.detail,
      urlParams: plan.urlParams ?? {},
      publishPassword: plan.password ?? null,
      showBeforePassword: true,
      createdAt,
      updatedAt: createdAt,
    };
  });
}
