import type { uploads as en } from "../en/uploads";
import type { Words } from "../words";

export const uploads: Words<typeof en> = {
  choose: "ファイルをアップロード",
  chooseOne: "ファイルをアップロード",
  chooseFolder: "フォルダーをアップロード",
  hint: "ここにファイルやフォルダーをドロップするか、貼り付けることもできます。",
  hintOne: "ここにファイルをドロップするか、貼り付けることもできます。",
  files: "アップロードするファイル",
  file: "アップロードするファイル",
  submit: "アップロード",
  anyKind: "画像・動画・音声・PDF・3Dモデル・ガウシアンスプラット・字幕",
  limit: "{{kinds}}、1つにつき{{size}} MBまで。",
  limitOne: "{{kinds}}、{{size}} MBまで。",
  limitForm:
    "{{kinds}}、1回の送信につき合計{{size}} MBまで。それより大きいファイル（{{each}} MBまで）にはJavaScriptが必要です。",
  kindSeparator: "・",
  drop: "ドロップしてアップロード",
  pasted: "貼り付けた画像 {{time}}",
  title: "アップロード",
  list: "アップロード中のファイル",
  totalProgress: "アップロード全体",
  total_one: "{{count}}件中{{done}}件が完了",
  total_other: "{{count}}件中{{done}}件が完了",
  bytes: "{{sent}} / {{size}}",
  pause: "一時停止",
  goOn: "再開",
  tryAgain: "再試行",
  cancel: "中止",
  chooseAgain: "ファイルを選択",
  pauseAll: "すべて一時停止",
  goOnAll: "すべて再開",
  clear: "一覧を消去",
  close: "一覧から外す",
  show: "ファイルを表示",
  hide: "ファイルを隠す",
  of: "{{action}}：{{name}}",
  state: {
    checking: "確認中",
    waiting: "待機中",
    sending: "{{sent}} / {{size}}",
    troubled: "{{sent}} / {{size}}。通信に失敗したため、再試行しています。",
    finishing: "仕上げ中",
    done: "アップロード済み",
    paused: "一時停止中（{{sent}} / {{size}}）",
    missing: "{{sent}} / {{size}}で停止中。続けるには、もう一度ファイルを選択してください。",
  },
  model: {
    missing:
      "「{{name}}」が参照しているファイルが選択されていません：{{files}}。一緒に選択するか、フォルダーを選択してください。",
    reference:
      "この3Dモデルは壊れています。存在しない部分を参照しています。書き出し直してください。（{{detail}}）",
    index:
      "この3Dモデルは壊れています。三角形が存在しない頂点を参照しています。書き出し直してください。（{{detail}}）",
    outside:
      "この3Dモデルは壊れています。データの一部がファイルの外を指しています。書き出し直してください。（{{detail}}）",
    incomplete:
      "この3Dモデルは壊れています。記述の一部が欠けています。書き出し直してください。（{{detail}}）",
  },
  problem: {
    network: "送信できませんでした。届いた分は保存されています。もう一度お試しください。",
    refused: "サーバーがこのファイルを受け付けませんでした。",
    gone: "アップロードの期限が切れました。再試行すると最初から始まります。",
    place: "フォルダーがなくなったか、ファイルを入れることが許可されていません。",
    folder: "フォルダーを作成できませんでした。",
    unreadable: "ファイルを読み取れません。",
    notHere: "この種類のファイルはここでは使えません。",
    otherFile: "別のファイルです。元の「{{name}}」を選択してください。",
  },
  offline: "インターネットに接続していません。接続が戻ると、アップロードは自動的に再開します。",
  signedOut:
    "ログアウトしています。別のタブでもう一度ログインしてください。アップロードは保存されており、その後再開します。",
  login: "ログイン",
  say: {
    progress_one: "{{count}}件をアップロード中、{{percent}}パーセント。",
    progress_other: "{{count}}件をアップロード中、{{percent}}パーセント。",
    paused: "アップロードを一時停止しています。",
    done_one: "{{count}}件のアップロードが完了しました。",
    done_other: "{{count}}件のアップロードが完了しました。",
    stuck_one: "{{count}}件はアップロードされませんでした。",
    stuck_other: "{{count}}件はアップロードされませんでした。",
  },
};
