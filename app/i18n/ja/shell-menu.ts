import type { shellMenu as en } from "../en/shell-menu";
import type { Words } from "../words";

export const shellMenu: Words<typeof en> = {
  userList: "ユーザー一覧",
  spaceList: "スペース一覧",
  library: "ライブラリ",
  account: "アカウント設定",
  spaceDetail: "スペース詳細",
};
