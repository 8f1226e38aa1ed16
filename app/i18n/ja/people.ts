import type { people as en } from "../en/people";
import type { Words } from "../words";

export const people: Words<typeof en> = {
  usersTitle: "ユーザー一覧",
  search: "ユーザーを検索",
  colName: "氏名",
  colCompany: "会社名",
  colEmail: "メールアドレス",
  colStatus: "ステータス",
  colRole: "権限",
  colSpaces: "スペース",
  colLibrary: "ライブラリ",
  spacesUsed: "{{used}} / {{limit}}",
  storageUsed: "{{used}} / {{limit}}",
  spacesOf: "{{name}}さんのスペース",
  libraryOf: "{{name}}さんのライブラリ",
  role: { admin: "管理者", user: "ユーザー" },
  status: {
    BLOCKED: "ブロック中",
    DISAPPROVED: "非承認",
    EMAIL_UNVERIFIED: "メール未確認",
    EMAIL_VERIFIED: "メール確認済み",
    ACTIVATED: "有効",
  },
  emptyTitle: "「{{q}}」に一致するユーザーはいません",
  emptyText: "短い言葉や別の言葉でお試しください。",
  spaces: "スペース",
  storage: "ライブラリ容量",
};
