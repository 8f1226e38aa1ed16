import type { kit as en } from "../en/kit";
import type { Words } from "../words";

/** UI 部品のことば。 */
export const kit: Words<typeof en> = {
  brand: "Hiroba",
  brandJapanese: "広場",
  home: "：最初の画面へ",
  skip: "本文へ移動",
  language: "言語",
  japanese: "日本語",
  english: "English",
  close: "閉じる",
  required: "必須",
  showPassword: "パスワードを表示",
  hidePassword: "パスワードを隠す",
  errorsTitle: "入力内容をご確認ください",
  fieldError: "{{field}}：{{problem}}",
  errorsHint: "まだ保存されていません。入力された内容はそのまま残っています。",
  statuses: { "1": "非公開", "2": "プレビュー", "3": "公開", "4": "アーカイブ", unknown: "不明" },
  opensNewTab: "新しいタブで開きます",
  version: "バージョン{{version}}",
};
