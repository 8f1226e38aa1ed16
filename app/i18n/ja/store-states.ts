import type { storeStates as en } from "../en/store-states";
import type { Words } from "../words";

/** ショップのページだけで使う、§8のメッセージ。 */
export const storeStates: Words<typeof en> = {
  productFailed: "商品情報を取得できませんでした",
  productUnset: "商品情報はまだ設定されていません。",
  noProducts: "商品がありません",
  noVariant: "選択した組み合わせの商品はありません",
  outOfStock: "在庫切れ",
  notForSale: "現在販売していません",
};
