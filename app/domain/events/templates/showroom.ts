import type { Localized } from "../../shared/model";
import type { EventTemplate } from "./template-types";

const GUIDE: Localized = { ja: "ご案内", en: "Guide" };
const PRODUCTS: Localized = { ja: "製品", en: "Products" };
const TECHNOLOGY: Localized = { ja: "技術", en: "Technology" };
const CONTACT: Localized = { ja: "お問い合わせ", en: "Contact" };

/** A showroom of a company: a reception, two products, how they work, and the contact. */
export const SHOWROOM: EventTemplate = {
  name: { ja: "ショールーム", en: "Showroom" },
  detail: {
    ja: "製品を3Dの会場でご覧いただけるショールームです。気になる製品のピンを開くと、特長と仕様をご確認いただけます。",
    en: "See our products in a 3D showroom. Open the pin of a product to read about its features and specifications.",
  },
  tags: [
    {
      title: { ja: "受付", en: "Reception" },
      body: {
        ja: "ショールームへようこそ。ツアーを再生すると、新製品から順にご案内します。",
        en: "Welcome to the showroom. Play the tour to begin with what is new.",
      },
      color: "#2f6f6a",
      icon: "info",
      keywords: [GUIDE],
      stop: {
        title: { ja: "ようこそ", en: "Welcome" },
        text: {
          ja: "ショールームへようこそ。数分で主な製品をご案内します。",
          en: "Welcome. In a few minutes, this tour shows you the main products.",
        },
      },
    },
    {
      title: { ja: "新製品", en: "New product" },
      body: {
        ja: "**製品名**\n\n- 特長\n- 主な仕様\n- 発売時期",
        en: "**Product name**\n\n- Features\n- Main specifications\n- Available from",
      },
      color: "#b3441e",
      icon: "star",
      keywords: [PRODUCTS],
      stop: {
        title: { ja: "新製品", en: "New product" },
        text: {
          ja: "最新の製品です。さまざまな角度からご覧ください。",
          en: "Our latest product. Look at it from every side.",
        },
      },
    },
    {
      title: { ja: "定番の製品", en: "Bestseller" },
      body: {
        ja: "**製品名**\n\n- 特長\n- 主な仕様\n- 導入事例",
        en: "**Product name**\n\n- Features\n- Main specifications\n- Where it is used",
      },
      color: "#b3441e",
      icon: "picture",
      keywords: [PRODUCTS],
      stop: {
        title: { ja: "定番の製品", en: "Bestseller" },
        text: {
          ja: "多くのお客様に長く選ばれている製品です。",
          en: "The product that customers have chosen for years.",
        },
      },
    },
    {
      title: { ja: "技術と品質", en: "How it works" },
      body: {
        ja: "製品を支える技術と、品質への取り組みをご紹介します。\n\n- 仕組み\n- 素材\n- 試験と保証",
        en: "The technology behind the products, and how their quality is ensured.\n\n- Principle\n- Materials\n- Tests and warranty",
      },
      color: "#3b4fa8",
      icon: "video",
      keywords: [TECHNOLOGY],
      stop: {
        title: { ja: "技術と品質", en: "How it works" },
        text: {
          ja: "製品の内側にある技術をご覧ください。",
          en: "A look at the technology inside.",
        },
      },
    },
    {
      title: { ja: "ご相談・お問い合わせ", en: "Talk to us" },
      body: {
        ja: "製品についてのご質問、お見積もり、実物の見学はお気軽にご相談ください。\n\n- 電話\n- メール\n- 受付時間",
        en: "Ask us about a product, a quote or a visit.\n\n- Phone\n- Email\n- Office hours",
      },
      color: "#2f6f6a",
      icon: "person",
      keywords: [CONTACT],
      stop: {
        title: { ja: "ご相談ください", en: "Talk to us" },
        text: {
          ja: "ご覧いただきありがとうございました。担当者がご質問にお答えします。",
          en: "Thank you for visiting. Our team is happy to answer your questions.",
        },
      },
    },
  ],
};
