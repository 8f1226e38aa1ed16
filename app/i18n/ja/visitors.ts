import type { visitors as en } from "../en/visitors";
import type { Messages } from "../messages";

export const visitors: Messages<typeof en> = {
  viewer: {
    stage: "3D空間：{{title}}",
    canvas: "{{title}}の3D表示。矢印キーで移動できます。",
    start: "空間に入る",
    loading: "空間を準備しています",
    progress: "空間を準備しています：{{percent}}%",
    slow: "読み込みに時間がかかっています。",
    ready: "空間の準備ができました。",
    place: "現在地：{{title}}",
    openElsewhere: "{{host}}で開く",
    metres: "{{metres}} m",
    placeHere: "ここに配置",
    cluster: "近くにある{{count}}件",
    stepTo: "{{title}}へ移動",
    listed: "{{problem}}空間の内容はすべてこのページの一覧でご覧いただけます。",
    noScript: "3D表示にはJavaScriptが必要です。",
    failed: {
      webgl_unavailable:
        "お使いのブラウザでは3D（WebGL 2）を表示できません。ハードウェアアクセラレーションを有効にした最新のブラウザか、別の端末をお使いください。",
      load_failed: "3D空間を読み込めませんでした。もう一度試すか、別のブラウザをお使いください。",
      context_lost:
        "端末のグラフィックスメモリが不足したため、3D表示を停止しました。ほかのタブやアプリを閉じてから、もう一度お試しください。",
      refused: "この3D空間はここでは表示できません。",
      too_large:
        "この空間は、お使いの端末には大きすぎます。メモリの多いパソコンでは表示できることがあります。",
      unreachable: "現在、ショーケースに接続できません。",
    },
    interrupted: "3D表示が中断されました。復旧するまでしばらくお待ちください。",
    wholeFailed:
      "完全なデータを読み込めなかったため、簡易版を表示しています。再読み込みすると、もう一度試せます。",
    partFailed: "その場所を読み込めませんでした。今の場所にとどまっています。",
  },
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
