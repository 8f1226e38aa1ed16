import type { reference as en } from "../en/reference";
import type { Words } from "../words";

export const reference: Words<typeof en> = {
  title: "APIリファレンス",
  lead: "各呼び出しが受け取るものと返すもの。プログラム用の記述：",
  other_language: "English",
  contents: "APIの構成",
  try: "呼び出しを試す",
  try_lead:
    "このブラウザーのセッション、または入力したチケットかアクセストークンで呼び出します。実際のデータが変わりますのでご注意ください。",
  try_failed: "読み込めませんでした。もう一度お試しください。",
  needs_session: "セッションが必要です。",
  anyone: "誰でも呼び出せます。",
  parameters: "パラメーター",
  body: "本文",
  answers: "応答",
  schemas: "データの形",
  required: "必須",
  in_path: "パス",
  in_query: "クエリ",
  in_header: "ヘッダー",
};
