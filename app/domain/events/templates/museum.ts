import type { Localized } from "../../shared/model";
import type { EventTemplate, TemplateTag } from "./template-types";

const GUIDE: Localized = { ja: "ご案内", en: "Guide" };
const COLLECTION: Localized = { ja: "収蔵品", en: "Collection" };
const HISTORY: Localized = { ja: "歴史", en: "History" };
const AUDIO: Localized = { ja: "音声ガイド", en: "Audio guide" };

const createExhibit = (title: Localized, stop: TemplateTag["stop"]): TemplateTag => ({
  title,
  body: {
    ja: "**名称**、時代\n\n- 素材・技法\n- 出土地・産地\n- 解説",
    en: "**Name**, period\n\n- Material and technique\n- Origin\n- Description",
  },
  color: "#7a4a1e",
  icon: "star",
  keywords: [COLLECTION],
  stop,
});

/** A museum: an introduction, the history, two objects, the audio guide, and the visit. */
export const MUSEUM: EventTemplate = {
  name: { ja: "ミュージアム", en: "Museum" },
  detail: {
    ja: "収蔵品とその背景を、3Dの展示室でご紹介します。ツアーを再生すると、展示室を順路に沿ってご案内します。",
    en: "Discover the collection and its stories in a 3D gallery. Play the tour to follow the route through the rooms.",
  },
  tags: [
    {
      title: { ja: "はじめに", en: "Introduction" },
      body: {
        ja: "展示室へようこそ。順路に沿ったツアーのほか、キーワードで見たい展示を探すこともできます。",
        en: "Welcome to the gallery. Follow the tour, or use the keywords to find what interests you.",
      },
      color: "#3b4fa8",
      icon: "info",
      keywords: [GUIDE],
      stop: {
        title: { ja: "はじめに", en: "Introduction" },
        text: {
          ja: "展示室へようこそ。順路はここから始まります。",
          en: "Welcome to the gallery. The route begins here.",
        },
      },
    },
    {
      title: { ja: "歴史と背景", en: "History" },
      body: {
        ja: "展示の時代と地域の背景をご紹介します。\n\n- 年表\n- 地域\n- 人々の暮らし",
        en: "The period and the region of the collection.\n\n- Timeline\n- Region\n- Everyday life",
      },
      color: "#5b6b2f",
      icon: "document",
      keywords: [HISTORY],
      stop: {
        title: { ja: "歴史と背景", en: "History" },
        text: {
          ja: "収蔵品が生まれた時代をたどります。",
          en: "The time in which the collection was made.",
        },
      },
    },
    createExhibit(
      { ja: "収蔵品1", en: "Object 1" },
      {
        title: { ja: "収蔵品1", en: "Object 1" },
        text: {
          ja: "この展示室を代表する収蔵品です。",
          en: "The best-known object in this room.",
        },
      },
    ),
    createExhibit(
      { ja: "収蔵品2", en: "Object 2" },
      {
        title: { ja: "収蔵品2", en: "Object 2" },
        text: {
          ja: "細部に作り手の工夫が見られます。",
          en: "Its details show the skill of its makers.",
        },
      },
    ),
    {
      title: { ja: "音声ガイド", en: "Audio guide" },
      body: {
        ja: "展示を見ながら解説をお聞きいただけます。イヤホンのご使用をおすすめします。",
        en: "Listen while you look. Headphones are recommended.",
      },
      color: "#6a3b8f",
      icon: "sound",
      keywords: [AUDIO, GUIDE],
      stop: {
        title: { ja: "音声ガイド", en: "Audio guide" },
        text: {
          ja: "学芸員の解説をお聞きください。",
          en: "Hear what the curators have to say.",
        },
      },
    },
    {
      title: { ja: "ご来館案内", en: "Plan your visit" },
      body: {
        ja: "- 開館時間と休館日\n- 観覧料\n- 交通案内\n- バリアフリー情報",
        en: "- Opening hours and closed days\n- Admission\n- How to get there\n- Accessibility",
      },
      color: "#3b4fa8",
      icon: "place",
      keywords: [GUIDE],
      stop: {
        title: { ja: "ご来館をお待ちしています", en: "Plan your visit" },
        text: {
          ja: "ご覧いただきありがとうございました。実物にもぜひ会いにお越しください。",
          en: "Thank you for visiting. Come and see the originals.",
        },
      },
    },
  ],
};
