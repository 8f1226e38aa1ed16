import type { webMedia as en } from "../en/web-media";
import type { Words } from "../words";

/** Web media. What visitors read of it the server puts into their pages: their browsers do not load these words. */
export const webMedia: Words<typeof en> = {
  play: "「{{title}}」を再生（{{provider}}）",
  openAt: "{{provider}}で開く",
  openDocument: "資料を開く（PDF）",
  add: "ウェブから追加",
  lead: "次の提供元の動画・音声・写真・3Dを表示できます：{{providers}}",
  url: "URL",
  urlHint: "例：https://www.youtube.com/watch?v=…",
  look: "確認する",
  preview: "プレビュー",
  provider: "提供元",
  author: "作者",
  notAsked: "再生を押すまで、{{provider}}からは何も読み込まれません。",
  separator: "、",
  added: "ウェブメディアをライブラリに追加しました。",
  replace: "URLの差し替え",
  replaceText:
    "このメディアを使うすべてのイベントで、新しいURLの内容が表示されます。タイトルは変わりません。",
  replaceSubmit: "このURLにする",
  refresh: "{{provider}}から再取得",
  replaced: "URLを差し替えました。",
  refreshed: "提供元から最新の内容を取得しました。",
  other: "別のURLにする",
  title: "タイトル",
  save: "ライブラリに追加",
  cancel: "キャンセル",
};
