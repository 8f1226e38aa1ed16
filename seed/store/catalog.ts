/**
 * Catalogue of the demo store, the shop of the gallery "Indigo and Paper". It is generated from a few lists, the same on every
 * machine, in both languages, with every state of stock.
 */
import type { Lang } from "~/domain/shared/model";

export type Texts = Readonly<Record<Lang, string>>;

/** Stock: a count, with or without orders beyond it. A null count is not tracked. */
export interface Stock {
  readonly count: number | null;
  readonly continues: boolean;
}

export interface DemoVariant {
  readonly id: string;
  /** For each option of the product, the index of the variant's value. */
  readonly choice: readonly number[];
  /** In yen. */
  readonly price: number;
  readonly stock: Stock;
}

export interface DemoOption {
  readonly name: Texts;
  readonly values: readonly Texts[];
}

export interface DemoProduct {
  readonly id: string;
  readonly handle: string;
  readonly title: Texts;
  readonly html: Texts;
  readonly kind: KindId;
  readonly motif: MotifId;
  readonly options: readonly DemoOption[];
  readonly variants: readonly DemoVariant[];
  readonly subscriptionOnly: boolean;
  readonly imageCount: number;
}

export interface DemoCollection {
  readonly id: string;
  readonly title: Texts;
  readonly productIds: readonly string[];
}

export interface Catalog {
  readonly name: string;
  readonly products: readonly DemoProduct[];
  readonly collections: readonly DemoCollection[];
}

const t = (ja: string, en: string): Texts => ({ ja, en });

export const motifs = {
  seigaiha: t("青海波", "Seigaiha"),
  asanoha: t("麻の葉", "Asanoha"),
  ichimatsu: t("市松", "Ichimatsu"),
  namima: t("波間", "Between Waves"),
  enso: t("円相", "Enso"),
  hokuten: t("北天図", "Northern Sky"),
  sekitei: t("石庭", "Rock Garden"),
  take: t("竹", "Bamboo"),
} as const;
export type MotifId = keyof typeof motifs;

const size = (...values: string[]): DemoOption => ({
  name: t("サイズ", "Size"),
  values: values.map((value) => t(value, value)),
});
const color: DemoOption = {
  name: t("色", "Color"),
  values: [t("藍", "Indigo"), t("浅葱", "Pale blue"), t("生成り", "Natural")],
};
const paper: DemoOption = { name: t("紙", "Paper"), values: [t("楮", "Kozo"), t("雁皮", "Gampi")] };
const frame: DemoOption = {
  name: t("額", "Frame"),
  values: [t("なし", "None"), t("檜", "Hinoki"), t("黒", "Black")],
};
const ruling: DemoOption = {
  name: t("罫", "Ruling"),
  values: [t("無地", "Plain"), t("横罫", "Lined"), t("方眼", "Grid")],
};
const glaze: DemoOption = { name: t("釉", "Glaze"), values: [t("青磁", "Celadon"), t("白磁", "White")] };
const edition: DemoOption = {
  name: t("言語", "Language"),
  values: [t("日本語", "Japanese"), t("英語", "English")],
};

interface Kind {
  readonly name: Texts;
  readonly options: readonly DemoOption[];
  readonly price: number;
  /** Additional yen per further value of the first option and, if there are several options, of the last one. */
  readonly step: number;
  readonly texts: Texts;
}

export const kinds = {
  tenugui: {
    name: t("手ぬぐい", "Tenugui towel"),
    options: [color],
    price: 1650,
    step: 0,
    texts: t("注染で染めた木綿の手ぬぐいです。", "A cotton towel, dyed by hand."),
  },
  shirt: {
    name: t("Tシャツ", "T-shirt"),
    options: [size("S", "M", "L", "XL"), color],
    price: 4400,
    step: 0,
    texts: t("厚手の天竺木綿に、柄を一面に染めました。", "Heavy cotton, dyed all over."),
  },
  postcard: {
    name: t("ポストカード", "Postcard"),
    options: [],
    price: 220,
    step: 0,
    texts: t("和紙に刷った一枚です。", "One card, printed on washi."),
  },
  cup: {
    name: t("湯呑", "Tea cup"),
    options: [glaze],
    price: 3850,
    step: 550,
    texts: t("手に収まる大きさの湯呑です。", "A cup that fits the hand."),
  },
  tote: {
    name: t("トートバッグ", "Tote bag"),
    options: [color],
    price: 2750,
    step: 0,
    texts: t("図録がちょうど入る大きさです。", "As large as the catalogue."),
  },
  print: {
    name: t("木版画", "Woodblock print"),
    options: [size("A4", "A3", "A2"), paper, frame],
    price: 12_000,
    step: 6500,
    texts: t("一枚ずつ手で摺った版画です。", "Printed by hand, sheet by sheet."),
  },
  notebook: {
    name: t("ノート", "Notebook"),
    options: [ruling],
    price: 990,
    step: 0,
    texts: t("糸綴じで、平らに開きます。", "Sewn, so that it lies flat."),
  },
  furoshiki: {
    name: t("風呂敷", "Furoshiki cloth"),
    options: [size("50 cm", "70 cm", "100 cm")],
    price: 2200,
    step: 1100,
    texts: t("包むほどにやわらかくなります。", "It softens as it is used."),
  },
} as const satisfies Record<string, Kind>;
export type KindId = keyof typeof kinds;

const kindIds = Object.keys(kinds) as KindId[];
const motifIds = Object.keys(motifs) as MotifId[];

/** Returns a number from 0 to 999 that depends only on the text (FNV-1a, then one more mixing step). */
function hashNumber(text: string): number {
  let hash = 2166136261;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  hash ^= hash >>> 13;
  return (Math.imul(hash, 2654435761) >>> 0) % 1000;
}

function stockOf(key: string): Stock {
  const randomNumber = hashNumber(`stock ${key}`);
  if (randomNumber < 150) return { count: 0, continues: false };
  if (randomNumber < 250) return { count: 0, continues: true };
  if (randomNumber < 350) return { count: 1 + (randomNumber % 3), continues: false };
  if (randomNumber < 500) return { count: null, continues: false };
  return { count: 20 + (randomNumber % 80), continues: false };
}

/** All combinations of the options' values, in order. No options give one empty combination. */
function optionCombinations(options: readonly DemoOption[]): number[][] {
  return options.reduce<number[][]>(
    (combinations, { values }) =>
      combinations.flatMap((choice) => values.map((_, index) => [...choice, index])),
    [[]],
  );
}

function createSizeTable(lang: Lang): string {
  const [size, length, width] = lang === "ja" ? ["サイズ", "身丈", "身幅"] : ["Size", "Length", "Width"];
  const rows = [
    ["S", 64, 47],
    ["M", 68, 50],
    ["L", 72, 53],
    ["XL", 76, 56],
  ].map(
    ([name, cmLength, cmWidth]) => `<tr><td>${name}</td><td>${cmLength} cm</td><td>${cmWidth} cm</td></tr>`,
  );
  return `<tr><th>${size}</th><th>${length}</th><th>${width}</th></tr>${rows.join("")}`;
}

function createHtml(lang: Lang, kindId: KindId, motifId: MotifId): string {
  const { texts } = kinds[kindId];
  const motif = motifs[motifId][lang];
  const description =
    lang === "ja"
      ? `<p>会場の作品「<strong>${motif}</strong>」をもとにしています。</p><ul><li>日本製</li><li>一点ごとに<em>わずかな違い</em>があります</li></ul>`
      : `<p>After the work “<strong>${motif}</strong>” of the exhibition.</p><ul><li>Made in Japan</li><li>Each one is <em>a little different</em></li></ul>`;
  const sizes =
    kindId === "shirt"
      ? `<h4>${lang === "ja" ? "寸法" : "Sizes"}</h4><table><caption>${lang === "ja" ? "平置きの寸法" : "Measured flat"}</caption>${createSizeTable(lang)}</table><blockquote><p>${lang === "ja" ? "洗うほどに、柄がやわらかくなじみます。" : "The pattern softens with every wash."}</p></blockquote>`
      : "";
  // Typical markup in pasted descriptions, including markup that must never be shown.
  const pastedHtml =
    kindId === "tenugui" && motifId === "take"
      ? `<style>body{display:none}</style><script>window.stolen=true</script><p onclick="window.stolen=true" style="position:fixed">${lang === "ja" ? "店長のおすすめ" : "Our favourite"} <a href="javascript:window.stolen=true">!</a></p><iframe src="https://evil.example/"></iframe><img src="x" onerror="window.stolen=true">`
      : "";
  return `<h3>${texts[lang]}</h3>${description}${sizes}${pastedHtml}`;
}

/** False for combinations of option values that the store does not make. */
const combinationExists = (kindId: KindId, choice: readonly number[]): boolean =>
  // No XL in natural; no A2 on gampi; no black frame for A4.
  !(kindId === "shirt" && choice[0] === 3 && choice[1] === 2) &&
  !(kindId === "print" && ((choice[0] === 2 && choice[1] === 1) || (choice[0] === 0 && choice[2] === 2)));

function createProduct(number: number, kindId: KindId, motifId: MotifId, series = 0): DemoProduct {
  const kind: Kind = kinds[kindId];
  const handle = `${motifId}-${kindId}${series === 0 ? "" : `-${series}`}`;
  const suffix = series === 0 ? "" : ` ${series + 1}`;
  const variants = optionCombinations(kind.options)
    .filter((choice) => combinationExists(kindId, choice))
    .map(
      (choice, index): DemoVariant => ({
        id: `gid://shopify/ProductVariant/${number * 100 + index}`,
        choice,
        price: kind.price + kind.step * ((choice[0] ?? 0) + (choice.length > 1 ? (choice.at(-1) ?? 0) : 0)),
        stock: stockOf(`${handle} ${choice.join(" ")}`),
      }),
    );
  return {
    id: `gid://shopify/Product/${number}`,
    handle,
    title: t(
      `${kind.name.ja} ${motifs[motifId].ja}${suffix}`,
      `${motifs[motifId].en} ${kind.name.en}${suffix}`,
    ),
    html: { ja: createHtml("ja", kindId, motifId), en: createHtml("en", kindId, motifId) },
    kind: kindId,
    motif: motifId,
    options: kind.options,
    variants,
    subscriptionOnly: false,
    imageCount: kindId === "postcard" ? 1 : 3,
  };
}

/** Product ids start at 1001. Tests refer to some of them. */
const FIRST_ID = 1001;

/** Stock of the variants that tests rely on, by handle. */
const FIXED_STOCK: Readonly<Record<string, (index: number) => Stock>> = {
  "seigaiha-tenugui": () => ({ count: 50, continues: false }),
  "asanoha-tenugui": (index) => ({ count: index === 1 ? 0 : 40, continues: false }),
  "ichimatsu-tenugui": () => ({ count: 0, continues: false }),
  "namima-tenugui": () => ({ count: 0, continues: true }),
  "enso-postcard": () => ({ count: 2, continues: false }),
  "seigaiha-postcard": () => ({ count: null, continues: false }),
  "take-tenugui": () => ({ count: 30, continues: false }),
};

const withFixedStock = (product: DemoProduct): DemoProduct => {
  const getFixedStock = FIXED_STOCK[product.handle];
  return getFixedStock
    ? {
        ...product,
        variants: product.variants.map((variant, index) => ({ ...variant, stock: getFixedStock(index) })),
      }
    : product;
};

function createSubscription(number: number): DemoProduct {
  const id = `gid://shopify/Product/${number}`;
  return {
    id,
    handle: "letter-subscription",
    title: t("季節の便り（定期便）", "Letters of the season (subscription)"),
    html: t(
      "<p>季節ごとに一通、版画を刷った便りが届きます。定期便だけの品です。</p>",
      "<p>A printed letter each season. By subscription alone.</p>",
    ),
    kind: "postcard",
    motif: "hokuten",
    options: [],
    variants: [
      {
        id: `gid://shopify/ProductVariant/${number * 100}`,
        choice: [],
        price: 1200,
        stock: { count: null, continues: false },
      },
    ],
    subscriptionOnly: true,
    imageCount: 1,
  };
}

/** A product with twenty widths and twenty heights, which are more variants than a store returns at once. */
function createMadeToMeasure(number: number): DemoProduct {
  const sizes = (name: Texts, from: number): DemoOption => ({
    name,
    values: [...Array(20).keys()].map((step) => t(`${from + step * 10}センチ`, `${from + step * 10} cm`)),
  });
  const options = [sizes(t("幅", "Width"), 60), sizes(t("丈", "Height"), 90)];
  return {
    id: `gid://shopify/Product/${number}`,
    handle: "noren-made-to-measure",
    title: t("誂えののれん", "Noren made to measure"),
    html: t("<p>ご希望の寸法に仕立てます。</p>", "<p>Sewn to the size that you need.</p>"),
    kind: "furoshiki",
    motif: "seigaiha",
    options,
    variants: optionCombinations(options).map((choice, index) => ({
      id: `gid://shopify/ProductVariant/${number * 1000 + index}`,
      choice,
      price: 8800 + 110 * ((choice[0] ?? 0) + (choice[1] ?? 0)),
      stock: { count: index % 7 === 3 ? 0 : 5, continues: false },
    })),
    subscriptionOnly: false,
    imageCount: 1,
  };
}

/**
 * Creates the catalogue.
 * @param options.isLarge adds several hundred products, for lists of several pages
 */
export function createCatalog({ isLarge = false } = {}): Catalog {
  const series = isLarge ? [...Array(12).keys()] : [0];
  const products: DemoProduct[] = [];
  for (const seriesNumber of series)
    for (const kindId of kindIds)
      for (const motifId of motifIds)
        products.push(
          withFixedStock(createProduct(FIRST_ID + products.length, kindId, motifId, seriesNumber)),
        );
  products.push(createCatalogueBook(FIRST_ID + products.length));
  products.push(createSubscription(FIRST_ID + products.length));
  if (isLarge) products.push(createMadeToMeasure(FIRST_ID + products.length));
  const collection = (
    number: number,
    title: Texts,
    isMember: (product: DemoProduct) => boolean,
  ): DemoCollection => ({
    id: `gid://shopify/Collection/${number}`,
    title,
    productIds: products.filter(isMember).map(({ id }) => id),
  });
  return {
    name: "藍と紙 ミュージアムショップ",
    products,
    collections: [
      collection(501, t("布のもの", "Cloth"), ({ kind }) => ["tenugui", "furoshiki", "tote"].includes(kind)),
      collection(502, t("紙のもの", "Paper"), ({ kind }) => ["postcard", "notebook", "print"].includes(kind)),
      collection(503, t("青海波の品", "Seigaiha"), ({ motif }) => motif === "seigaiha"),
      collection(504, t("身につける", "To wear"), ({ kind }) => kind === "shirt"),
      collection(505, t("千円まで", "Under 1,000 yen"), ({ variants }) =>
        variants.every(({ price }) => price < 1000),
      ),
      collection(506, t("準備中", "Coming soon"), () => false),
    ],
  };
}

function createCatalogueBook(number: number): DemoProduct {
  const variants = edition.values.map((_, index) => ({
    id: `gid://shopify/ProductVariant/${number * 100 + index}`,
    choice: [index],
    price: 3300,
    stock: { count: index === 0 ? 120 : 1, continues: false },
  }));
  return {
    id: `gid://shopify/Product/${number}`,
    handle: "catalogue",
    title: t("図録「藍と紙」", "Catalogue “Indigo and Paper”"),
    html: t(
      "<p>全作品の図版と、染めと紙についての論考三編。</p>",
      "<p>All works, and three essays on dye and paper.</p>",
    ),
    kind: "notebook",
    motif: "namima",
    options: [edition],
    variants,
    subscriptionOnly: false,
    imageCount: 2,
  };
}
