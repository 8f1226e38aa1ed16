import type { shell as en } from "../en/shell";
import type { Words } from "../words";

export const shell: Words<typeof en> = {
  home: "スタートページへ",
  titleWithPage: "{{page}} – Hiroba",
  page: {
    notFoundTitle: "ページが見つかりません",
    notFoundText: "アドレスが間違っているか、削除されたか、このアカウントでは表示できないページです。",
    forbiddenTitle: "この操作はできません",
    forbiddenText: "このアカウントには権限がありません。何も変更されていません。",
    rateLimitedTitle: "試行回数が多すぎます",
    rateLimitedText: "1分ほど待ってから、もう一度お試しください。何も変更されていません。",
    errorTitle: "問題が発生しました",
    errorText: "保存済みの内容は失われていません。しばらくしてからもう一度お試しください。",
    errorReference: "繰り返し発生する場合は、この番号をお知らせください：{{id}}",
    status: "サーバーの応答：{{status}}",
    tryAgain: "もう一度試す",
    badRequestTitle: "リクエストを処理できませんでした",
    badRequestText: "前の画面に戻り、入力内容を確認してもう一度お試しください。何も変更されていません。",
  },
};
