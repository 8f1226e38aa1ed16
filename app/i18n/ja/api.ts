import type { api as en } from "../en/api";
import type { Words } from "../words";

export const api: Words<typeof en> = {
  invalid_json: "本文がUTF-8のJSONオブジェクトではありません。",
  unsupported_media_type: "本文はJSONとし、Content-Type: application/json を付けてください。",
  too_large: "本文が1MBを超えています。",
  cross_site:
    "セッションのCookieで変更できるのはこのサイトのページだけです。チケットを Authorization: Bearer で送ってください。",
  unknown_path: "このアドレスには何もありません。",
  method_not_allowed: "このアドレスはこのメソッドを受け付けません。受け付けるものは Allow にあります。",
  name_twice: "この名前が二度使われています。",
  name_refused: "この名前は使えません。",
  unexpected: "問題が発生しました。しばらくしてからもう一度お試しください。",
};
