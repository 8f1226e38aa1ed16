import type { kitCopy as en } from "../en/kit-copy";
import type { Words } from "../words";

export const kitCopy: Words<typeof en> = {
  copy: "コピー",
  copyThis: "コピー：{{label}}",
  copied: "コピーしました",
  copyFailed: "コピーできませんでした。選択された文字列をキーボードでコピーしてください。",
};
