import type { conversion as en } from "../en/conversion";
import type { Words } from "../words";

export const conversion: Words<typeof en> = {
  title: "来場者向けのファイル",
  list: "変換中のファイル",
  progress: "{{name}}の変換",
  cancel: "中止",
  dismiss: "{{name}}を一覧から消す",
  being: {
    a: "{{type}}ファイルです。変換しています…",
    an: "{{type}}ファイルです。変換しています…",
    plain: "このファイルを変換しています…",
  },
  waitingText:
    "このファイルは、編集できる人がこのページを開くと、その人のブラウザで来場者向けに変換されます。元のファイルはそのまま残ります。",
  needsScript: "変換にはJavaScriptが必要です。JavaScriptを使えるブラウザで、このページを一度開いてください。",
  againNeedsScript: "変換するには、JavaScriptを使えるブラウザでこのページを開いてください。",
  noneText: "来場者にはアップロードしたファイルがそのまま届きます。スマートフォン向けに小さくできます。",
  skippedText: "来場者にはアップロードしたファイルがそのまま届きます。",
  failedTitle: "前回の変換は完了しませんでした",
  lost: "変換が中断されました。このページをもう一度開くと続きます。",
  quality: "品質",
  convert: "小さいファイルを作る",
  again: "変換し直す",
  skip: "そのまま使う",
  keep: "このファイルを使う",
  discard: "このファイルを使わない",
  original: "元のファイル",
  converted: "来場者向け",
  noPicture: "元のファイルはブラウザに表示できません。",
  sizes: "変換前と変換後の大きさ",
  downloadOriginal: "元のファイルをダウンロード",
  fact: {
    what: "項目",
    bytes: "ファイルサイズ",
    prepared: "来場者向け",
    triangles: "三角形",
    points: "点",
    splats: "スプラット",
    graphics: "グラフィックスメモリ（推定）",
    pixels: "ピクセル",
  },
  losses: "変換で失われたもの：{{losses}}。",
  loss: {
    missing_textures: "アップロードされていないテクスチャ",
    animations: "アニメーション",
    materials: "マテリアル",
    lights: "ライト",
    colours: "色",
    sound: "音声",
  },
  note: {
    missing_textures:
      "見つからないテクスチャ：{{names}}。モデルと一緒に、フォルダーまたはZIPファイルでもう一度アップロードしてください。",
    unit_guessed:
      "ファイルに単位がありません。モデルの大きさから{{unit}}とみなしました。単位はスペースの設定で変更できます。",
    points_thinned: "{{count}}点のうち{{kept}}点を残しました。",
    moved_to_origin: "座標の原点から遠く離れていたため、原点に移動しました。",
    slices_left_out:
      "この3MFファイルの形は、3Dプリンター用のスライスとして保存されており、表示できません。ほかの三角形だけを表示します（形を囲む箱の場合があります）。スライスなしの3MF、STL、GLBのいずれかで書き出してください。",
  },
  state: {
    waiting: "待機中",
    busy: "別のブラウザが変換しています。そちらが止まった場合は、このブラウザが引き継ぎます。",
    reading: "元のファイルを読み込んでいます：{{percent}} %",
    drawing: "表示できるか確認しています",
    asking: "2つを見比べてください。",
    sending: "保存しています：{{percent}} %",
    done: "変換しました。来場者には新しいファイルが届きます。",
  },
  step: {
    read: "読み込み：{{percent}} %",
    decode: "展開：{{percent}} %",
    simplify: "三角形の削減：{{percent}} %",
    textures: "テクスチャの縮小：{{percent}} %",
    compress: "圧縮：{{percent}} %",
    tiles: "タイルの作成：{{percent}} %",
    write: "書き出し：{{percent}} %",
  },
  code: {
    damaged: "{{name}}は壊れているか、途中で切れています。もう一度書き出して差し替えてください。",
    empty: "{{name}}には表示できるものがありません。もう一度書き出して差し替えてください。",
    too_large: "{{name}}は大きすぎて変換できません。作成したソフトで小さくしてから差し替えてください。",
    out_of_memory:
      "このブラウザではメモリが足りず、{{name}}を変換できません。別のコンピューターで試すか、作成したソフトで小さくしてください。",
    unsupported_feature:
      "{{name}}にはここで変換できない機能が使われています。より単純な、または別の形式で書き出して差し替えてください。",
    unreadable_model:
      "{{name}}には、Hirobaがまだ読み取れない機能が使われています。モデルをGLBで書き出して差し替えてください。",
    missing_files:
      "{{name}}が参照しているファイルがありません。フォルダーかZIPファイルにまとめてアップロードしてください。",
    no_codec:
      "このブラウザは{{name}}を読み取れません。別のブラウザで試すか、H.264 の MP4 として書き出し、ファイルを差し替えてください。",
    timeout: "{{name}}の変換が応答しなくなりました。もう一度試すか、作成したソフトで小さくしてください。",
    not_lighter:
      "変換しても「{{name}}」は軽くならなかったため、アップロードされたファイルをそのまま表示します。",
    not_shown:
      "{{name}}はブラウザで開けなかったため、来場者には表示されません。もう一度書き出して差し替えてください。",
    cancelled: "変換を中止しました。",
    not_drawn:
      "変換したファイルをこのブラウザで描画できなかったため、使っていません。別のブラウザかコンピューターで試してください。",
    rejected: "変換したファイルは受け付けられませんでした。別のブラウザで試してください。",
    no_room:
      "ライブラリの空き容量が足りません。ファイルを削除するか容量の追加を依頼してから、もう一度変換してください。",
    no_converter: "このページには{{name}}を変換する機能がありません。ページを読み込み直してください。",
  },
  hidden: {
    notShown: "非表示",
    waiting: "非表示：変換待ち",
    failed: "非表示：変換に失敗",
    title: "来場者にはこのファイルが表示されません",
    waitingText: "先に変換が必要です。変換が終わるまでこのページを開いたままにしてください。",
    failedText: "変換に失敗しました。",
  },
};
