import { NODE_DEPTH_MAX } from "~/domain/library/formats/gltf-faults";
import { SPLATS_MAX } from "~/domain/library/formats/splats-max";
import {
  FORM_FILES_MAX,
  IMAGE_PIXELS_MAX,
  IMAGE_SIDE_MAX,
  THUMBNAIL_MAX_BYTES,
  THUMBNAIL_SIDE_MAX,
  UPLOAD_MAX_MB,
  UPLOADS_OPEN_MAX,
} from "~/domain/shared/limits";
import type { library as en } from "../en/library";
import type { Messages } from "../messages";

export const library: Messages<typeof en> = {
  conversion: {
    title: "来場者向けのファイル",
    list: "変換中のファイル",
    progress: "「{{name}}」の変換",
    cancel: "中止",
    dismiss: "「{{name}}」を一覧から消す",
    many: {
      waiting: "{{count}}件のファイルが変換を待っています。",
      failed: "{{count}}件のファイルを変換できませんでした。一覧を開くと理由がわかります。",
      done: "{{count}}件を変換しました。来場者には新しいファイルが表示されます。",
    },
    dismissMany: {
      failed: "変換できなかった項目を一覧から消す",
      done: "変換した項目を一覧から消す",
    },
    converting: {
      a: "{{type}}ファイルを変換しています…",
      an: "{{type}}ファイルを変換しています…",
      plain: "このファイルを変換しています…",
    },
    waitingText:
      "編集できる人がこのページを開くと、その人のブラウザで変換されます。元のファイルはそのまま残ります。",
    needsScript: "変換にはJavaScriptが必要です。JavaScriptを使えるブラウザでこのページを開いてください。",
    againNeedsScript: "変換するには、JavaScriptを使えるブラウザでこのページを開いてください。",
    noneText: "来場者にはアップロードしたファイルが表示されます。スマートフォン向けに小さくできます。",
    skippedText: "来場者にはアップロードしたファイルが表示されます。",
    failedTitle: "前回の変換は完了しませんでした",
    noWebgl:
      "このブラウザは3D表示（WebGL 2）に対応していないため、変換できません。別のブラウザまたは端末でこのページを開いてください。",
    lost: "変換が中断されました。このページをもう一度開くと続きます。",
    quality: "品質",
    convert: "小さくする",
    again: "変換し直す",
    skip: "そのまま使う",
    keep: "このファイルを使う",
    discard: "このファイルを使わない",
    original: "元のファイル",
    converted: "来場者向け",
    noImage: "元のファイルはブラウザに表示できません。",
    sizes: "変換前と変換後のサイズ",
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
      moved_to_origin: "原点から遠く離れていたため、原点に移動しました。",
      slices_left_out:
        "この3MFファイルの形は、3Dプリンター用のスライスとして保存されており、表示できません。ほかの三角形だけを表示します（形を囲む箱の場合があります）。スライスなしの3MF、STL、GLBのいずれかで書き出してください。",
      references_left_out:
        "このUSDファイルは、参照によって部品を取り込んでいます。一部の参照は読み取れないため、部品が欠けている場合があります。参照を展開（フラット化）するか、GLBとして書き出してください。",
      objects_left_out:
        "頂点が正しくない{{count}}個のオブジェクトを除きました。足りないものがある場合は、3Dソフトで直して書き出し直してください。",
    },
    state: {
      waiting: "待機中",
      busy: "別のタブまたはブラウザが変換しています。閉じられた場合は、約1分後にこのページで続けます。",
      reading: "元のファイルを読み込んでいます：{{percent}}%",
      drawing: "表示できるか確認しています",
      asking: "2つを見比べてください。",
      sending: "保存しています：{{percent}}%",
      done: "変換しました。来場者には新しいファイルが表示されます。",
    },
    step: {
      read: "読み込み：{{percent}}%",
      decode: "展開：{{percent}}%",
      simplify: "三角形の削減：{{percent}}%",
      textures: "テクスチャの縮小：{{percent}}%",
      compress: "圧縮：{{percent}}%",
      tiles: "タイルの作成：{{percent}}%",
      write: "書き出し：{{percent}}%",
    },
    code: {
      damaged: "「{{name}}」は壊れているか、途中で切れています。もう一度書き出して差し替えてください。",
      empty: "「{{name}}」には表示できるものがありません。もう一度書き出して差し替えてください。",
      too_large: "「{{name}}」は大きすぎて変換できません。作成したソフトで小さくしてから差し替えてください。",
      out_of_memory:
        "このブラウザではメモリが足りず、「{{name}}」を変換できません。別のコンピューターで試すか、作成したソフトで小さくしてください。",
      unsupported_feature:
        "「{{name}}」には、ここで変換できない機能が使われています。その機能を使わずに、GLB、JPEG、MP4などで書き出して差し替えてください。",
      unreadable_model:
        "「{{name}}」の一部を、Hirobaはまだ読み取れません。モデルをGLBで書き出して差し替えてください。",
      missing_files:
        "「{{name}}」が参照しているファイルがありません。フォルダーかZIPファイルにまとめてアップロードしてください。",
      no_codec:
        "このブラウザは「{{name}}」を読み取れません。別のブラウザで試すか、H.264のMP4として書き出し、ファイルを差し替えてください。",
      timeout:
        "「{{name}}」のデコーダーが20秒以上応答しなかったため、変換を中止しました。アップロードしたファイルは残っています。もう一度お試しください。繰り返す場合は、別のブラウザかコンピューターで試すか、作成したソフトで小さくしてください。",
      not_lighter: "変換しても「{{name}}」は小さくならなかったため、アップロードしたファイルを表示します。",
      not_shown:
        "「{{name}}」はブラウザで開けなかったため、来場者には表示されません。もう一度書き出して差し替えてください。",
      cancelled: "変換を中止しました。来場者に新しいファイルを見せるには、もう一度変換してください。",
      not_drawn:
        "変換したファイルをこのブラウザで表示できなかったため、使っていません。別のブラウザかコンピューターでお試しください。",
      rejected: "変換したファイルは受け付けられませんでした。別のブラウザでお試しください。",
      no_room:
        "ライブラリの空き容量が足りません。ファイルを削除するか容量の追加を依頼してから、もう一度変換してください。",
      no_converter: "このページには「{{name}}」を変換する機能がありません。ページを再読み込みしてください。",
      unreadable_picture:
        "「{{name}}」は、ここで読み取れない圧縮や色（CCITT FAX、CIELabなど）で保存されています。PNGかJPEG、またはLZW圧縮のRGBのTIFFで保存し直して差し替えてください。",
    },
    hidden: {
      notShown: "非表示",
      waiting: "非表示：変換待ち",
      failed: "非表示：変換に失敗",
      title: "来場者にはこのファイルが表示されません",
      waitingText:
        "先に変換が必要です。ライブラリでファイルのページを開き、変換が終わるまで開いたままにしてください。",
      failedText: "変換に失敗しました。",
    },
  },
  errors: {
    upload: {
      empty: "ファイルが空です。もう一度書き出すかコピーして、アップロードし直してください。",
      tooLarge: `ファイルが大きすぎます。1件あたり${UPLOAD_MAX_MB} MBまでです。小さくしてから、もう一度アップロードしてください。`,
      capacity:
        "ライブラリの空き容量が足りません。不要なファイルを削除するか、管理者に容量の追加を依頼してください。",
      kind: "この種類のファイルは使えません。画像、動画、音声、PDF、3Dモデル、ガウシアンスプラット、字幕のいずれかを選択してください。",
      format: {
        sogDescription:
          "これはSOG形式のスプラットの説明ファイルだけです。画像も含まれる.sogファイルをアップロードしてください。SuperSplatやsplat-transformで書き出せます。",
        film: "この動画はブラウザで再生できない形式（{{codec}}）です。H.264のMP4として書き出してください。",
        sound:
          "この音声はブラウザで再生できない形式（{{codec}}）です。MP3、またはAACのM4Aとして書き出してください。",
        picture:
          "この画像はブラウザで表示できない形式（{{name}}）です。JPEG、PNG、TIFFのいずれかで書き出してください。",
        gltfOld:
          "これはglTF 1.0のファイルです。Blenderなどの3Dソフトで開き、glTF 2.0として書き出してください。",
        fbxOld: "このFBXファイルはバージョン{{version}}です。FBX 7.4のバイナリで書き出してください。",
        blend:
          "これはBlenderのファイルです。Blenderで「ファイル → エクスポート → glTF 2.0」を選んでください。",
        max: "これは3ds Maxのファイルです。3ds Maxで「ファイル → 書き出し → FBX」を選んでください。",
        cinema4d:
          "これはCinema 4Dのファイルです。Cinema 4Dで「ファイル → 書き出し → glTFまたはFBX」を選んでください。",
        maya: "これはMayaのファイルです。Mayaで「ファイル → すべて書き出し」を選び、種類をFBXにしてください。",
        houdini: "これはHoudiniのファイルです。HoudiniでglTFまたはFBXとして書き出してください。",
        lightwave: "これはLightWaveまたはModoのファイルです。FBXとして書き出してください。",
        alembic: "これはAlembicのファイルです。glTFまたはFBXとして書き出してください。",
        threeDs:
          "これは3D Studioのファイル（3DS）です。Blenderまたは3ds Maxで開き、glTFまたはFBXとして書き出してください。",
        vrml: "これはVRMLまたはX3Dのファイルです。Blenderで開き、glTF 2.0として書き出してください。",
        sketchup:
          "これはSketchUpのファイルです。SketchUpで「ファイル → エクスポート → 3Dモデル」を選び、種類をglTFまたはCOLLADAにしてください。",
        rhino:
          "これはRhinoのファイルです。Rhinoで「ファイル → 選択オブジェクトをエクスポート」を選び、種類をglTFまたはOBJにしてください。",
        revit: "これはRevitのファイルです。Revitで「ファイル → 書き出し → IFC」を選んでください。",
        dwg: "これはAutoCADの図面（DWG）です。AutoCADで3DオブジェクトをFBXまたはSTLとして書き出してください。",
        dxf: "これはCADの図面（DXF）です。CADソフトで3DオブジェクトをFBXまたはSTLとして書き出してください。",
        step: "これはSTEPファイルです。CADソフトでglTF、OBJ、STLのいずれかとして書き出してください。",
        iges: "これはIGESファイルです。CADソフトでglTF、OBJ、STLのいずれかとして書き出してください。",
        solidworks:
          "これはSOLIDWORKSのファイルです。SOLIDWORKSで「ファイル → 指定保存」を選び、種類をSTLまたは3MFにしてください。",
        archicad:
          "これはArchicadのファイルです。Archicadで「ファイル → 別名で保存」を選び、種類をIFCにしてください。",
        navisworks: "これはNavisworksのファイルです。Navisworksで「出力 → FBX」を選んでください。",
        ifcXml: "これはifcXMLファイルです。IFC（STEP形式のテキスト）として書き出してください。",
        lazWaves:
          "このLAZファイルには波形データが含まれており、ここでは展開できません。点群をLAS、または波形なしのLAZで書き出してください。",
        e57: "これはE57の点群です。CloudCompareまたはReCapでLAZとして書き出してください。",
        recap: "これはReCapのファイルです。ReCapで点群をLASまたはLAZとして書き出してください。",
        usdLayers:
          "このUSDファイルは他のUSDファイルを参照しています。1つのUSDZパッケージとして書き出してください。",
        mtl: "これはOBJモデルのマテリアルファイルです。OBJファイルと一緒に選ぶか、モデルをGLBとして書き出してください。",
      },
      damaged:
        "ファイルが壊れているか、途中で切れています。もう一度書き出すかコピーして、アップロードし直してください。",
      pixels: `画像は一辺${IMAGE_SIDE_MAX.toLocaleString("en")}ピクセル、全体で${IMAGE_PIXELS_MAX.toLocaleString("en")}ピクセルまでです。縮小してからアップロードしてください。`,
      model:
        "この3Dモデルは展開すると大きすぎるか、記載された大きさが実際の内容と合っていません。メッシュとテクスチャを減らし、1つのGLBファイルとして書き出してください。",
      model_files:
        "この3Dモデルが参照しているファイルがありません：{{files}}。フォルダーまたはZIPファイルにまとめて一緒にアップロードするか、1つのGLBファイルとして書き出してください。",
      model_splats:
        "glTFのガウシアンスプラットは、スプラットだけを含むGLBファイルのときに表示できます。スプラットだけをGLB、SPZ、PLY、SOGのいずれかで書き出し、ほかのメッシュは別の3Dモデルとして書き出してください。",
      splat_attributes:
        "このGLBファイルのガウシアンスプラットは不完全です。値が不足しているか、個数が一致していません。GLB、SPZ、PLYのいずれかで書き出し直してください。",
      splat_parts:
        "このGLBファイルのガウシアンスプラットは256を超える部分に分かれています。1つにまとめて書き出し直してください。",
      model_zip:
        "このZIPファイルには、変換できる3Dモデル（glTF、OBJ、FBX、COLLADA、USD、3MF、IFC、PLY、STL、LAS、LAZ）が入っていません。展開して、中のファイルをアップロードしてください。",
      model_empty: "この3Dモデルには表示できるものがありません。オブジェクトを含めて書き出し直してください。",
      model_loop: `この3Dモデルのオブジェクトが自分自身を含んでいるか、${NODE_DEPTH_MAX}段を超えて入れ子になっています。3Dソフトで階層を直して書き出し直してください。`,
      model_extension:
        "この3Dモデルに必要なglTFの拡張（{{extensions}}）には対応していません。その拡張を使わずに書き出してください。",
      model_pixels: `この3Dモデルには大きすぎるテクスチャがあります。テクスチャは一辺${IMAGE_SIDE_MAX.toLocaleString("en")}ピクセル、全体で${IMAGE_PIXELS_MAX.toLocaleString("en")}ピクセルまでです。3Dソフトでテクスチャを縮小し、モデルを書き出し直してください。`,
      model_positions:
        "この3Dモデルには、位置のない頂点（NaN）があります。3Dソフトでメッシュを直して書き出し直してください。",
      misnamed:
        "拡張子は3Dモデルですが、中身は3Dモデルではありません。拡張子を直すか、モデルを書き出し直してください。",
      splats: `スプラットの数が、ブラウザで表示できる${SPLATS_MAX.toLocaleString("ja")}個を超えています。SuperSplatなどで減らしてから、もう一度アップロードしてください。`,
      otherKind:
        "差し替えられるのは同じ種類のファイルだけです。同じ種類のファイルを選択するか、新しいファイルとしてアップロードしてください。",
      fileName: "ファイル名が長すぎます。短い名前に変えて、もう一度アップロードしてください。",
      tooMany: `同時に進められるアップロードは${UPLOADS_OPEN_MAX}件までです。完了または中止してからお試しください。`,
      oneFile: "ここで使えるファイルは1つだけです。",
      tooManyFiles: `一度に送信できるファイルは${FORM_FILES_MAX}件までです。このファイルとそれ以降のファイルは保存されていません。`,
      partSize: "送られた部分の大きさが正しくありません。指定された大きさでもう一度送ってください。",
      incomplete:
        "ファイルの一部がまだ届いていません（{{missing}}）。届いていない部分を送ってから、もう一度完了してください。",
      busy: "このアップロードは処理中です。少し待ってから、もう一度お試しください。",
      gone: "このアップロードはもうありません。最初からやり直してください。",
      noFile: "ファイルを選択してください。",
      thumbnail: `この画像はプレビューに使えません。一辺${THUMBNAIL_SIDE_MAX.toLocaleString("en")}ピクセル、${THUMBNAIL_MAX_BYTES / 1024} KBまでのJPEG、PNG、WebPを送ってください。`,
    },
    preparation: {
      type: "この種類のファイルに変換は必要ありません。",
      check: "このファイルはまだ確認中です。確認が済んでから変換してください。",
      name: "この名前は変換後のファイルに使えません。英数字と - _ . を使い、種類に合った拡張子を付けてください。",
      file: "変換後のファイルの内容が名前と一致しません。拡張子に合った種類のファイルを送ってください。",
      part: "送られた部分の大きさが正しくありません。指定された大きさでもう一度送ってください。",
      too_large: "変換後のファイルの大きさまたは数が上限を超えています。品質を下げて変換し直してください。",
      incomplete: "変換の結果の一部が届いていません。もう一度変換してください。",
      needed:
        "このファイルはそのままではブラウザに表示できません。ライブラリのファイルのページで変換してください。",
      gone: "この変換は終了しました。もう一度始めてください。",
    },
    webMedia: {
      required: "URLを入力してください。",
      several: "複数のURLが入力されています。1件ずつ追加してください。",
      invalid: "URLが正しくありません。https:// で始まるURLを入力してください。",
      unknown: "この提供元には対応していません。",
      link: "ウェブメディアとして使えるのは、リッチ・動画・写真だけです。",
      bad: "{{provider}}の応答に、表示できるものがありませんでした。",
      notFound: "{{provider}}のこのURLには何もありません。URLをご確認ください。",
      private: "{{provider}}で公開されていないか、ほかのサイトでの表示が許可されていません。",
      unsupported: "{{provider}}は、このURLの内容を返せませんでした。",
    },
  },
  kindName: {
    image: "画像",
    video: "動画",
    audio: "音声",
    pdf: "資料",
    model: "3Dモデル",
    splat: "ガウシアンスプラット",
    subtitle: "字幕",
    web: "ウェブ",
  },
  title: "ライブラリ",
  titleOf: "{{name}}さんのライブラリ",
  all: "すべてのメディア",
  search: "メディアを検索",
  searchSubmit: "検索",
  clearSearch: "すべて表示",
  kinds: "種類",
  allKinds: "すべての種類",
  showAllKinds: "すべての種類を表示",
  listCaption: "フォルダーとメディア",
  colSize: "サイズ",
  emptyTitle: "ライブラリは空です",
  emptyText: "イベントで使う画像・動画・音声・資料・3Dモデルをアップロードしてください。",
  openFolders: "フォルダーを開いてアップロード",
  emptyFolderText: "ここにファイルをアップロードするか、ほかのフォルダーから移動してください。",
  noMatchTitle: "「{{q}}」は見つかりません",
  noMatchText: "短い言葉や別の言葉でお試しください。",
  noMatchOfKindText: "別の言葉で検索するか、すべての種類から探してください。",
  noKindTitle: "この種類のメディアはありません",
  noKindText: "別の種類を選ぶか、すべての種類を表示してください。",
  upload: {
    someFailed_one: "{{count}}件をアップロードできませんでした",
    someFailed_other: "{{count}}件をアップロードできませんでした",
    stored_one: "{{count}}件をアップロードしました：",
    stored_other: "{{count}}件をアップロードしました：",
  },
  check: {
    waiting: {
      mark: "確認中",
      title: "このファイルを確認しています",
      text: "確認が終わるまで、来場者には表示されず、スペースの作成にも使えません。通常は数分で終わります。",
    },
    rejected: {
      mark: "使用不可",
      title: "このファイルは使用できません",
      text: "誰も開くことができません。別のファイルに差し替えるか、削除してください。",
    },
    reason: "理由：{{reason}}",
  },
  item: {
    title: "詳細",
    replace: "ファイルを差し替え",
    replaceText:
      "このメディアを使うすべてのイベントとスペースに、新しいファイルが表示されます。同じ種類のファイルに限ります。",
    replaceChoose: "新しいファイルを選択",
    preview: "プレビュー",
    openFile: "ファイルを開く",
    noPreview: "プレビューはありません。",
    needsPassword: "この資料はパスワードで保護されています。来場者が読むにはパスワードが必要です。",
    excerpt: "冒頭の部分",
    metadata: "ファイルについて",
    kind: "種類",
    type: "形式",
    fileName: "ファイル名",
    size: "サイズ",
    dimensions: "寸法",
    pixels: "{{width}} × {{height}} px",
    duration: "長さ",
    folder: "フォルダー",
    owner: "所有者",
    created: "追加日時",
    updated: "更新日時",
    shared: "共有先",
    sharedWithNoOne: "なし",
    group: "グループ",
    uses: "使用している場所",
    unused: "まだ使われていません。",
    inEvents: "イベント",
    inSpaces: "スペース",
    ofSpace: "（{{space}}）",
    inTags: "タグ：{{tags}}",
    isSource: "スペースの元のファイル",
    isThumbnail: "スペースの画像",
    more_one: "ほか{{count}}件",
    more_other: "ほか{{count}}件",
    hidden_one: "閲覧権限のない{{count}}か所でも使われています。",
    hidden_other: "閲覧権限のない{{count}}か所でも使われています。",
  },
  uploads: {
    choose: "ファイルをアップロード",
    continueWith_one: "{{count}}件のファイルで続ける",
    continueWith_other: "{{count}}件のファイルで続ける",
    chooseOne: "ファイルをアップロード",
    chooseFolder: "フォルダーをアップロード",
    hint: "ファイルやフォルダーをドロップまたは貼り付けることもできます。",
    hintOne: "ファイルをドロップまたは貼り付けることもできます。",
    files: "アップロードするファイル",
    file: "アップロードするファイル",
    submit: "アップロード",
    kinds: {
      image: "画像",
      video: "動画",
      audio: "音声",
      pdf: "PDF",
      model: "3Dモデル",
      splat: "ガウシアンスプラット",
      subtitle: "字幕",
      web: "ウェブ",
    },
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
    stopped_one: "停止したアップロード{{count}}件",
    stopped_other: "停止したアップロード{{count}}件",
    discardAll: "すべて破棄",
    rejected_one: "{{count}}件を受け付けられません",
    rejected_other: "{{count}}件を受け付けられません",
    bytes: "{{sent}} / {{size}}",
    pause: "一時停止",
    resume: "再開",
    tryAgain: "再試行",
    cancel: "中止",
    chooseAgain: "ファイルを選択",
    pauseAll: "すべて一時停止",
    resumeAll: "すべて再開",
    clear: "一覧を消去",
    close: "一覧から消す",
    show: "ファイルを表示",
    hide: "ファイルを隠す",
    actionFor: "{{action}}：{{name}}",
    state: {
      checking: "確認中",
      waiting: "待機中",
      sending: "{{sent}} / {{size}}",
      troubled: "{{sent}} / {{size}}。接続が切れたため、再試行しています。",
      finishing: "処理中",
      done: "アップロード済み",
      paused: "一時停止中（{{sent}} / {{size}}）",
      missing: "{{sent}} / {{size}}で停止中。再開するには、もう一度ファイルを選択してください。",
    },
    model: {
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
      network:
        "アップロードが停止しました。送信済みの分は保存されています。接続を確認して、もう一度お試しください。",
      rejected:
        "サーバーがこのファイルを受け付けませんでした。ページを再読み込みして、もう一度お試しください。",
      gone: "アップロードの期限が切れました。再試行すると最初から始まります。",
      place:
        "フォルダーが見つからないか、ファイルを追加する権限がありません。別のフォルダーを選択してください。",
      folder:
        "このファイルのフォルダーを作成できませんでした。もう一度試すか、既存のフォルダーにアップロードしてください。",
      unreadable: "ファイルを読み取れません。移動や削除をしていないか確認して、もう一度選択してください。",
      notHere: "この種類のファイルはここでは使えません。記載された種類のファイルを選択してください。",
      otherFile: "別のファイルです。元の「{{name}}」を選択してください。",
    },
    offline: "接続がありません。接続が戻ると、アップロードを自動的に再開します。",
    signedOut: "ログアウトしています。別のタブでログインすると、アップロードを再開します。",
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
  },
  webMedia: {
    play: "「{{title}}」を再生（{{provider}}）",
    openAt: "{{provider}}で開く",
    openDocument: "資料を開く（PDF）",
    add: "ウェブから追加",
    lead: "対応する提供元：{{providers}}",
    url: "URL",
    urlHint: "例：https://www.youtube.com/watch?v=…",
    look: "プレビュー",
    preview: "プレビュー",
    provider: "提供元",
    author: "作者",
    loadsOnPlay: "再生を押すまで、{{provider}}からは何も読み込まれません。",
    replace: "URLを差し替え",
    replaceText:
      "このメディアを使うすべてのイベントに、新しいURLの内容が表示されます。タイトルは変わりません。",
    replaceSubmit: "このURLを使う",
    refresh: "{{provider}}から再取得",
    other: "別のURLにする",
    title: "タイトル",
    save: "ライブラリに追加",
    cancel: "キャンセル",
  },
};
