import type { Localized } from "../../shared/model";
import type { EventTemplate } from "./template-types";

const GUIDE: Localized = { ja: "ご案内", en: "Guide" };
const NEW: Localized = { ja: "新着", en: "New" };
const POPULAR: Localized = { ja: "人気", en: "Popular" };
const GIFTS: Localized = { ja: "ギフト", en: "Gifts" };

/** A shop: the entrance, three groups of products, and delivery. The owner connects the store and chooses the products. */
export const SHOP: EventTemplate = {
  name: { ja: "ショップ", en: "Shop" },
  detail: {
    ja: "3Dの店内を歩きながらお買い物をお楽しみいただけます。商品のピンを開くと、詳細をご覧いただけます。",
    en: "Stroll through the shop in 3D. Open the pin of a product to see its details.",
  },
  tags: [
    {
      title: { ja: "いらっしゃいませ", en: "Welcome" },
      body: {
        ja: "ご来店ありがとうございます。店内を自由にご覧いただくか、ツアーでおすすめの商品をご覧ください。",
        en: "Thank you for stopping by. Look around, or let the tour show you our favorites.",
      },
      color: "#2f6f6a",
      icon: "info",
      keywords: [GUIDE],
      stop: {
        title: { ja: "いらっしゃいませ", en: "Welcome" },
        text: {
          ja: "店内を一周して、おすすめの商品をご紹介します。",
          en: "A short walk through the shop, and what we recommend today.",
        },
      },
    },
    {
      title: { ja: "新着商品", en: "New arrivals" },
      body: {
        ja: "入荷したばかりの商品です。\n\n- サイズとカラー\n- 素材\n- お手入れ",
        en: "Just in.\n\n- Sizes and colors\n- Material\n- Care",
      },
      color: "#b3441e",
      icon: "star",
      keywords: [NEW],
      stop: {
        title: { ja: "新着商品", en: "New arrivals" },
        text: {
          ja: "入荷したばかりの商品をいち早くご覧ください。",
          en: "Be among the first to see what has just arrived.",
        },
      },
    },
    {
      title: { ja: "人気の商品", en: "Bestsellers" },
      body: {
        ja: "多くのお客様に選ばれている商品です。\n\n- サイズとカラー\n- 素材\n- お客様の声",
        en: "What our customers love.\n\n- Sizes and colors\n- Material\n- What customers say",
      },
      color: "#b3441e",
      icon: "cart",
      keywords: [POPULAR],
      stop: {
        title: { ja: "人気の商品", en: "Bestsellers" },
        text: {
          ja: "迷ったら、こちらの定番からどうぞ。",
          en: "Not sure where to begin? Start here.",
        },
      },
    },
    {
      title: { ja: "ギフト", en: "Gifts" },
      body: {
        ja: "贈り物におすすめの商品です。\n\n- ラッピング\n- メッセージカード\n- 予算別のおすすめ",
        en: "Our ideas for presents.\n\n- Gift wrapping\n- Message cards\n- Ideas by price",
      },
      color: "#6a3b8f",
      icon: "picture",
      keywords: [GIFTS, POPULAR],
      stop: {
        title: { ja: "ギフト", en: "Gifts" },
        text: {
          ja: "大切な方への贈り物をお探しの方へ。",
          en: "For someone special.",
        },
      },
    },
    {
      title: { ja: "送料・返品", en: "Delivery and returns" },
      body: {
        ja: "- 送料\n- お届けまでの日数\n- 返品と交換\n- お問い合わせ",
        en: "- Delivery costs\n- Delivery times\n- Returns and exchanges\n- Contact",
      },
      color: "#3b4fa8",
      icon: "document",
      keywords: [GUIDE],
      stop: {
        title: { ja: "お買い物のご案内", en: "Before you go" },
        text: {
          ja: "ご来店ありがとうございました。送料と返品についてはこちらをご覧ください。",
          en: "Thank you for coming. Here is what to know about delivery and returns.",
        },
      },
    },
  ],
};
