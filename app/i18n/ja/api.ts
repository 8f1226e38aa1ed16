import type { api as en } from "../en/api";
import type { Words } from "../words";

export const api: Words<typeof en> = {
  invalid_json: "本文がUTF-8のJSONオブジェクトではありません。",
  cut_off: "本文が途中で途切れています。",
  unsupported_media_type:
    "本文の Content-Type が、この呼び出しの受け付ける形式ではありません。受け付ける形式は Accept にあります。",
  too_large: "本文が1MBを超えています。",
  cross_site:
    "セッションのCookieで変更できるのはこのサイトのページだけです。チケットを Authorization: Bearer で送ってください。",
  unknown_path: "このアドレスには何もありません。",
  method_not_allowed: "このアドレスはこのメソッドを受け付けません。受け付けるものは Allow にあります。",
  name_twice: "この名前が二度使われています。",
  name_refused: "この名前は使えません。",
  key_reused: "この Idempotency-Key は、過去24時間以内に別の呼び出しで使われています。",
  key_busy: "この Idempotency-Key の呼び出しを処理しています。少し待ってから、もう一度お試しください。",
  key_spent: "この Idempotency-Key の呼び出しは完了しています。応答が長いため、保存されていません。",
  idempotency_key_invalid: "Idempotency-Key は、印字可能なASCII文字1〜255文字で指定してください。",
  if_match_refused:
    "If-Match に指定できるのは、対応する呼び出しで一つの ETag か * だけです。指定しない場合は、保存されている内容に対して変更します。",
  unexpected: "問題が発生しました。しばらくしてからもう一度お試しください。",
};
