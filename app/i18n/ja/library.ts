import type { library as en } from "../en/library";
import type { Words } from "../words";

export const library: Words<typeof en> = {
  title: "ライブラリ",
  titleOf: "{{name}}さんのライブラリ",
  search: "メディアを検索",
  searchSubmit: "検索",
  shareNamed: "「{{title}}」を共有",
  clearSearch: "すべて表示",
  emptyTitle: "ライブラリは空です",
  emptyText: "イベントで使う画像・音声・動画・資料・3Dモデルがここに保管されます。",
  noMatchTitle: "「{{q}}」に一致するものはありません",
  noMatchText: "短い言葉や別の言葉でお試しください。",
  dimensions: "{{width}} × {{height}} px",
};
