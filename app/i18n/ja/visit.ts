import type { visit as en } from "../en/visit";
import type { Words } from "../words";

export const visit: Words<typeof en> = {
  previewNote: "プレビューを表示しています。アクセスログは記録されません。",
  period: "期間",
  from: "{{date}}から",
  until: "{{date}}まで",
  between: "{{start}} ～ {{end}}",
  tags: "タグ",
  media: "メディア",
  otherMedia: "そのほかのメディア",
  about: "このイベントについて",
  share: "共有",
  showInSpace: "空間で見る",
  linkToTag: "このタグへのリンク",
  tagLinkCopied: "リンクをコピーしました。",
  tagLinkFailed: "コピーできませんでした。アドレス欄のリンクをお使いください。",
  moreLink: "詳しく見る",
  document: {
    read: "ここで読む",
    previous: "前のページ",
    next: "次のページ",
    page: "{{pages}}ページ中{{number}}ページ目",
    failed: "この資料はここでは表示できません。ファイルを開いてご覧ください。",
  },
  keywords: "キーワード",
  unavailableTitle: "このイベントは表示できません",
  unavailableText: "リンクが不完全か、現在イベントが公開されていない可能性があります。",
  unavailableHint: "リンクの送り主にご確認ください。",
};
