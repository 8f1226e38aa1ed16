import type { auth as en } from "../en/auth";
import type { Words } from "../words";

export const auth: Words<typeof en> = {
  title: "ログイン",
  lead: "3D空間でイベントを公開しましょう。",
  email: "メールアドレス",
  password: "パスワード",
  submit: "ログイン",
  submitting: "ログインしています…",
  toContinue: "続けるにはログインしてください。",
  restoring: "セッションを復元しています…",
  loggedOut: "ログアウトしました。",
};
