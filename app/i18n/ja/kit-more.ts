import type { kitMore as en } from "../en/kit-more";
import type { Words } from "../words";

/** Words of the parts of the kit that no visitor's page has: its browsers do not load these. */
export const kitMore: Words<typeof en> = {
  tagHint: "カンマで区切って入力します。",
  tagKeys: "カンマ、Tab、Enterで追加し、Backspaceで最後の語を削除します。",
  tagAdded: "{{tag}}を追加しました。",
  tagRemoved: "{{tag}}を削除しました。",
  removeTag: "{{tag}}を削除",
  clearDateOf: "日時を削除：{{label}}",
  undoOf: "元に戻す：{{label}}",
  dateExample: "2026/08/01 14:30",
  pickDateOf: "カレンダーから選ぶ：{{label}}",
  noDate: "日時の指定なし",
  pages: "ページ",
  previous: "前へ",
  next: "次へ",
  first: "最初のページ",
  last: "最後のページ",
  total: "全{{count}}件",
  totalMore: "{{count}}件以上",
  range: "{{total}}件中{{from}}–{{to}}件",
  timeline: "現在：{{now}}",
  start: "開始",
  end: "終了",
  now: "現在",
  noStart: "開始日時の指定なし",
  noEnd: "終了日時の指定なし",
  used: "{{used}} / {{max}}",
  userMenu: "アカウントメニュー",
  userMenuOf: "アカウントメニュー：",
};
