import type { EventStatusId, Instant, UrlParams } from "~/domain/shared/model";
import { DEMO_STORE_HOST, DEMO_STORE_TOKEN } from "../store/names";
import { type DemoEvent, day, demoId, demoIds, demoPublishPassword, demoToken, hour } from "./records";
import type { spaceNames } from "./spaces";

const unpublished = 1;
const preview = 2;
export const published = 3;
const archived = 4;

interface EventPlan {
  readonly space: keyof typeof spaceNames;
  readonly name: string;
  readonly status: EventStatusId;
  /** Days from the time of seeding; null for no date. */
  readonly from: number | null;
  readonly until: number | null;
  /** Replaces both: a Saturday afternoon, this number of weeks after the coming one. */
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

/** A weekly series of talks. It gives one space enough events for a second page. */
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

/** Midnight in Tokyo, which is at UTC+9 all year, `days` after now; in milliseconds since 1970. */
function tokyoDay(now: number, days: number): number {
  const offset = 9 * hour;
  return Math.floor((now + offset) / day + days) * day - offset;
}

/** Midnight of the coming Saturday in Tokyo, or of today when it is a Saturday, plus `weeks` weeks. 1970-01-01 was a Thursday. */
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

export function demoEvents(now: number, dateAt: (offset: number) => Instant): DemoEvent[] {
  return eventPlans.map((plan, index) => {
    const key = `event ${plan.space} ${plan.name}`;
    // The plans start with the events that a new user should see first, because lists show the newest first.
    const created = dateAt(-49 * day - index * 6 * hour);
    return {
      id: demoId(key),
      spaceId: demoIds[plan.space],
      eventName: plan.name,
      ...period(plan, now),
      statusId: plan.status,
      enableAutoChangeStatus: plan.auto ?? true,
      accessToken: demoToken(`${key} public`),
      previewAccessToken: demoToken(`${key} preview`),
      // The main event uses the local demo store.
      spAccessToken: index === 0 ? DEMO_STORE_TOKEN : null,
      spStoreUrl: index === 0 ? `https://${DEMO_STORE_HOST}` : null,
      eventDetail: plan.detail,
      urlParams: plan.urlParams ?? {},
      publishPassword: plan.password ?? null,
      showBeforePassword: true,
      createdAt: created,
      updatedAt: created,
    };
  });
}
