import type { asVisitor as en } from "../en/as-visitor";
import type { Words } from "../words";

export const asVisitor: Words<typeof en> = {
  title: "来場者としてプレビュー",
  back: "イベントに戻る",
  link: "リンク",
  published: "公開リンク",
  preview: "プレビューリンク",
  at: "日時",
  atHint: "{{zone}}の時刻。空欄は現在です。",
  language: "言語",
  size: "大きさ",
  wide: "ウィンドウ",
  phone: "スマートフォン",
  show: "表示",
  badMoment: "2026/08/01 14:30のように日時を入力してください。",
  nowInstead: "日時を読み取れないため、現在の状態を表示しています。",
  frame: "来場者に見える画面",
  isOpen: "この日時には開いています。ステータス：{{status}}",
  asksPassword: "来場者にはまず公開パスワードの入力を求めます。",
  isClosed: "この日時には閉じています。ステータス：{{status}}",
  openByHand:
    "開始日時（{{date}}）より前ですが、ステータスが手動で「{{status}}」に設定されているため開いています。",
  opensAt: "{{date}}に開きます。",
  staysClosed: "このあと自動で開くことはありません。",
};
