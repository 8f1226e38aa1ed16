/** Texts of the demo's guided tour. Each pair has the same content in both languages. */
import type { Localized } from "~/domain/shared/model";

export interface StopTexts {
  readonly title: Localized;
  readonly text: Localized;
}

const ownTexts = (ja: string, en: string): Localized => ({ ja, en });
/** Empty title, for a stop that shows the title of its tag. */
const tagTitle = ownTexts("", "");

export const stopTexts = {
  welcome: {
    title: ownTexts("ようこそ、藍と紙へ", "Welcome to Indigo and Paper"),
    text: ownTexts(
      "六つの場所を二分ほどで巡ります。いつでも止めて、ご自分の足で歩いてください。",
      "Six places in about two minutes. Stop whenever you like, and walk on by yourself.",
    ),
  },
  waves: {
    title: tagTitle,
    text: ownTexts(
      "広間の正面に掛かる、いちばん大きな一枚です。重なる円の間から波が立ち上がります。",
      "The largest sheet hangs straight ahead in the hall. Its waves rise between circles that overlap.",
    ),
  },
  hall: {
    title: ownTexts("天窓の下で", "Under the roof light"),
    text: ownTexts(
      "広間のまんなかです。ベンチに座ると、三方の壁をひと目で見渡せます。",
      "The middle of the hall. From the bench you can see the prints on three walls at once.",
    ),
  },
  stars: {
    title: tagTitle,
    text: ownTexts(
      "藍の間の東の壁です。暗さに目が慣れると、金の線が浮かび上がります。",
      "On the east wall of the indigo room. As your eyes get used to the dark, the gold lines appear.",
    ),
  },
  enso: {
    title: tagTitle,
    text: ownTexts(
      "茶の間の床の間に、ひと筆の円が掛かっています。ここは少し長く足を止めます。",
      "A circle in a single stroke hangs in the alcove of the tea room. We stay here a little longer.",
    ),
  },
  screens: {
    title: ownTexts("おわりに", "At the end"),
    text: ownTexts(
      "四枚の障子がこの部屋の明かりです。ツアーはここで終わります。どうぞごゆっくり。",
      "Four paper screens are the light of this room. The tour ends here; please stay as long as you like.",
    ),
  },
} as const satisfies Record<string, StopTexts>;
