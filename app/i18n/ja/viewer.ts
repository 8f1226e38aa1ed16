import type { viewer as en } from "../en/viewer";
import type { Words } from "../words";

/** 3D の舞台のことば。 */
export const viewer: Words<typeof en> = {
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
    webgl_unavailable: "このブラウザは3D（WebGL 2）を表示できません。別のブラウザか端末をお使いください。",
    load_failed: "3D空間を読み込めませんでした。もう一度お試しください。",
    context_lost:
      "グラフィックスメモリが不足したため、3D表示を停止しました。ほかのタブを閉じて、もう一度お試しください。",
    refused: "この3D空間はここでは表示できません。",
    too_large: "この空間は、お使いの端末には大きすぎます。メモリの多いパソコンでは表示できることがあります。",
    unreachable: "現在、ショーケースに接続できません。",
  },
  interrupted: "3D表示が中断されました。復旧するまでしばらくお待ちください。",
  wholeFailed: "完全版を読み込めず、簡易版を表示しています。再読み込みでもう一度試せます。",
  partFailed: "その場所を読み込めませんでした。今の場所にとどまっています。",
};
