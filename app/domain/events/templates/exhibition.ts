import type { Localized } from "../../shared/model";
import type { EventTemplate, TemplateTag } from "./template-types";

const GUIDE: Localized = { ja: "ご案内", en: "Guide" };
const WORKS: Localized = { ja: "作品", en: "Works" };
const ARTIST: Localized = { ja: "作家", en: "Artist" };

const createWork = (title: Localized, stop: TemplateTag["stop"]): TemplateTag => ({
  title,
  body: {
    ja: "**作家名**、制作年\n\n- 技法・素材\n- 寸法\n- 所蔵",
    en: "**Artist**, year\n\n- Technique and material\n- Dimensions\n- Collection",
  },
  color: "#b3441e",
  icon: "picture",
  keywords: [WORKS],
  stop,
});

/** An exhibition of works: a welcome, three works, the artist, and the dates and access. */
export const EXHIBITION: EventTemplate = {
  name: { ja: "展覧会", en: "Exhibition" },
  detail: {
    ja: "会場を3Dで自由に歩いてご覧いただける展覧会です。ツアーを再生すると、見どころを順にご案内します。",
    en: "Walk through the exhibition in 3D at your own pace. Play the tour to see the highlights in order.",
  },
  tags: [
    {
      title: { ja: "ごあいさつ", en: "Welcome" },
      body: {
        ja: "ご来場ありがとうございます。自由に歩いてご覧いただくか、ツアーを再生してください。ピンを開くと、作品の解説が表示されます。",
        en: "Thank you for coming. Look around freely, or play the tour. Open a pin to read about a work.",
      },
      color: "#3b4fa8",
      icon: "info",
      keywords: [GUIDE],
      stop: {
        title: { ja: "ようこそ", en: "Welcome" },
        text: {
          ja: "まずは会場の全体をご覧ください。ここから作品を順にご案内します。",
          en: "Take a first look at the room. From here, the tour leads from work to work.",
        },
      },
    },
    createWork(
      { ja: "作品1", en: "Work 1" },
      {
        title: { ja: "作品1", en: "Work 1" },
        text: {
          ja: "展覧会の始まりとなる作品です。近づいて細部をご覧ください。",
          en: "The work that opens the exhibition. Step closer to see its details.",
        },
      },
    ),
    createWork(
      { ja: "作品2", en: "Work 2" },
      {
        title: { ja: "作品2", en: "Work 2" },
        text: {
          ja: "展覧会の中心となる作品です。少し離れた位置からもご覧ください。",
          en: "The centerpiece of the exhibition. Look at it from a distance, too.",
        },
      },
    ),
    createWork(
      { ja: "作品3", en: "Work 3" },
      {
        title: { ja: "作品3", en: "Work 3" },
        text: {
          ja: "ツアーの最後の作品です。これまでの作品と見比べてみてください。",
          en: "The last work of the tour. Compare it with the ones before.",
        },
      },
    ),
    {
      title: { ja: "作家について", en: "About the artist" },
      body: {
        ja: "**作家名**\n\n- 生年と出身地\n- 主な個展\n- 主な収蔵先",
        en: "**Artist**\n\n- Year and place of birth\n- Solo exhibitions\n- Collections",
      },
      color: "#5b6b2f",
      icon: "person",
      keywords: [ARTIST],
      stop: {
        title: { ja: "作家について", en: "About the artist" },
        text: {
          ja: "作品の背景にある、作家の歩みをご紹介します。",
          en: "The person behind the works, and the path that led here.",
        },
      },
    },
    {
      title: { ja: "会期とアクセス", en: "Dates and access" },
      body: {
        ja: "- 会期\n- 開場時間と休館日\n- 観覧料\n- 交通案内",
        en: "- Dates\n- Opening hours and closed days\n- Admission\n- How to get there",
      },
      color: "#3b4fa8",
      icon: "place",
      keywords: [GUIDE],
      stop: {
        title: { ja: "会場でもご覧ください", en: "See it in person" },
        text: {
          ja: "ご覧いただきありがとうございました。会場へのご来場もお待ちしています。",
          en: "Thank you for visiting. We would also be glad to see you at the venue.",
        },
      },
    },
  ],
};
