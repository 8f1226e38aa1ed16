import { EYE_HEIGHT, MEDIA_TITLE_MAX, PANORAMA_NODES_MAX } from "~/domain/limits";
import type { sources as en } from "../en/sources";
import type { Words } from "../words";

/** スペースの素材：選択、配置、プレビュー。 */
export const sources: Words<typeof en> = {
  errors: {
    kind: "スペースの種類を選んでください。",
    otherKind: "スペースの種類は変えられません。種類が変わると、位置の意味が失われます。",
    chooseModel: "3Dモデルを選んでください。",
    chooseSplat: "ガウススプラットを選んでください。",
    media: "このファイルはライブラリにありません。別のファイルを選んでください。",
    notA: {
      model: "このファイルは3Dモデル（GLBまたはglTF）ではありません。",
      image: "このファイルは画像ではありません。",
      splat: "このファイルはガウススプラット（.ply、.spz、.splat、.ksplat）ではありません。",
    },
    picture: "ライブラリの画像を選んでください。",
    nodes: "パノラマを1つ以上選んでください。",
    tooManyNodes: `1つのスペースに置けるパノラマは${PANORAMA_NODES_MAX}個までです。`,
    nodeId: "パノラマのIDには英数字と「-」「_」を使ってください。",
    sameNode: "同じIDのパノラマが2つあります。",
    link: "存在しないパノラマにつながっています。",
    heading: "向きを数字で入力してください。",
    eyeHeight: `${EYE_HEIGHT.min}〜${EYE_HEIGHT.max}メートルの高さを入力してください。`,
    up: "どの方向が上かを選んでください。",
    title: `パノラマの名前は${MEDIA_TITLE_MAX}文字以内で入力してください。`,
  },
};
