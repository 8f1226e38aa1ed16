/** Texts of the demo's tags, media and rooms. Each pair has the same content in both languages. */
import type { Localized } from "~/domain/shared/model";
import type { ObjectId, WorkId } from "./gallery-plan";

export interface DemoTexts {
  readonly title: Localized;
  readonly body: Localized;
  /** Description of the media item that shows the tag's subject, if there is one. */
  readonly caption: Localized;
  readonly keywords: readonly string[];
}

export const workTexts: Readonly<Record<WorkId, DemoTexts>> = {
  asanoha: {
    title: { ja: "麻の葉の窓", en: "Hemp-Leaf Window" },
    body: {
      ja: "六角の格子を、一本の線も余らせずに埋める麻の葉文様です。上へ向かうほど線を細くしました。文様は少しずつほどけて、紙の白に帰っていきます。",
      en: "The hemp-leaf lattice fills the sheet without a single spare line. Towards the top the lines grow finer, and the pattern loosens until only the white of the paper is left.",
    },
    caption: {
      ja: "和紙に一版、藍。線の太さは下から上へ六分の一になります。",
      en: "One block on washi, indigo. The lines thin to a sixth from bottom to top.",
    },
    keywords: ["藍", "文様", "麻の葉", "pattern"],
  },
  ichimatsu: {
    title: { ja: "ふくらむ市松", en: "Swelling Check" },
    body: {
      ja: "まっすぐな線だけで刷った市松です。升目の数は変えずに幅だけを変えると、平らな紙がふくらんで見えはじめます。離れたり近づいたりしてご覧ください。",
      en: "A check printed with nothing but straight lines. Only the widths of the squares change, never their number, yet the flat sheet begins to swell. Step back, then come close.",
    },
    caption: { ja: "和紙に二版、墨藍と黄土。", en: "Two blocks on washi, ink blue and ochre." },
    keywords: ["市松", "錯視", "check"],
  },
  moons: {
    title: { ja: "二十五の月", en: "Twenty-Five Moons" },
    body: {
      ja: "新月から新月までを二十五に分け、五段に並べました。満月はちょうど中央に来ます。そこだけを朱で刷っています。",
      en: "One month, from new moon to new moon, cut into twenty-five and set in five rows. The full moon falls exactly at the centre; it alone is printed in vermilion.",
    },
    caption: { ja: "和紙に三版、藍、薄墨、朱。", en: "Three blocks on washi: indigo, pale ink, vermilion." },
    keywords: ["月", "暦", "moon"],
  },
  garden: {
    title: { ja: "石庭の等高線", en: "Contours of a Stone Garden" },
    body: {
      ja: "五つの石のまわりに、石からの距離が等しい線を引き続けました。線どうしが出会うところで、砂紋はひとりでに折れ曲がります。手で引いた線は一本もありません。",
      en: "Five stones, and around them line after line of equal distance. Where the lines of two stones meet, the raked pattern folds by itself. None of it was drawn by hand.",
    },
    caption: {
      ja: "和紙に三版。線の間隔は画面の幅のおよそ七十分の一です。",
      en: "Three blocks on washi. The lines are about a seventieth of the width apart.",
    },
    keywords: ["庭", "砂紋", "garden"],
  },
  rain: {
    title: { ja: "斜めの雨", en: "Slant Rain" },
    body: {
      ja: "遠い丘を三段のぼかしで刷り、その上に細い雨を重ねました。雨は二つの角度だけで降ります。わずかな角度の差が、画面に風を通します。",
      en: "Distant hills in three graded printings, with fine rain laid over them. The rain falls at two angles only, and the small difference between them lets the wind through.",
    },
    caption: { ja: "和紙に五版、ぼかし摺り。", en: "Five blocks on washi, with graded printing." },
    keywords: ["雨", "ぼかし", "rain"],
  },
  waves: {
    title: { ja: "波間", en: "Between Waves" },
    body: {
      ja: "青海波の円を、遠くへ行くほど小さく、藍を薄く刷り重ねた大判の版画です。同じ円の繰り返しだけで、水平線までの距離が生まれます。",
      en: "A large print of the seigaiha wave: its circles shrink and its indigo pales with distance. Nothing but one circle repeated, and there is a horizon.",
    },
    caption: {
      ja: "和紙に四版、藍の濃淡。展示室でいちばん大きな一枚です。",
      en: "Four blocks on washi in shades of indigo. The largest sheet in the gallery.",
    },
    keywords: ["青海波", "海", "藍", "wave"],
  },
  bamboo: {
    title: { ja: "竹林の奥行き", en: "Depth of a Bamboo Grove" },
    body: {
      ja: "濃さの違う五つの版で竹を刷りました。手前は濃く太く、奥は薄く細く。霧は何も刷らなかった紙そのものです。",
      en: "Bamboo printed from five blocks of different strength: dark and broad in front, pale and slender behind. The mist is simply paper left unprinted.",
    },
    caption: { ja: "和紙に五版、緑青と墨。", en: "Five blocks on washi, verdigris and ink." },
    keywords: ["竹", "霧", "bamboo"],
  },
  ai: {
    title: { ja: "藍四十八色", en: "Forty-Eight Indigos" },
    body: {
      ja: "藍には四十八の色があるといわれます。甕覗の白に近い青から、褐色と呼ばれる黒に近い紺まで、染め重ねる回数だけを変えて並べました。",
      en: "Indigo is said to have forty-eight colours. Here they are, from the near-white of a cloth that only peeped into the vat to a blue that is almost black; only the number of dippings differs.",
    },
    caption: {
      ja: "四列十二段。左上がもっとも淡く、右下がもっとも濃い藍です。",
      en: "Four columns, twelve rows: palest at the upper left, deepest at the lower right.",
    },
    keywords: ["藍", "染め", "色見本", "indigo"],
  },
  fold: {
    title: { ja: "折り目", en: "Folds" },
    body: {
      ja: "平行四辺形だけでできたミウラ折りの展開図に、左上から光を当てました。色は使っていません。見えているのは、面の傾きの違いだけです。",
      en: "The crease pattern of a Miura fold, made of parallelograms alone and lit from the upper left. There is no colour in it: all you see is the slope of each face.",
    },
    caption: { ja: "白い紙に空摺り風の陰影。", en: "Shading on white paper, after blind printing." },
    keywords: ["折り紙", "幾何", "fold"],
  },
  stars: {
    title: { ja: "北天図", en: "Northern Sky" },
    body: {
      ja: "動かない一点のまわりを、星々が同じ角度だけ巡ります。六百の弧の長さはすべて中心角で四十度。空は架空のものですが、時間の流れは本物です。",
      en: "Around one point that does not move, the stars all turn by the same angle: six hundred arcs, each of forty degrees. The sky is invented; the passing of time is not.",
    },
    caption: { ja: "濃藍の地に金と胡粉。", en: "Gold and shell white on deep indigo." },
    keywords: ["星", "時間", "stars"],
  },
  ridges: {
    title: { ja: "八重の山", en: "Eightfold Ridges" },
    body: {
      ja: "八枚の稜線を、奥から順に淡い藍で刷り重ねました。谷ごとに残した白が朝霧になります。朱の日は、いちばん遠い山に触れたところで止めました。",
      en: "Eight ridgelines, printed from the farthest forward in ever deeper indigo. The white left in each valley is the morning mist; the vermilion sun stops where it touches the last ridge.",
    },
    caption: {
      ja: "和紙に九版、藍の濃淡と朱。",
      en: "Nine blocks on washi, shades of indigo and vermilion.",
    },
    keywords: ["山", "朝", "mountain"],
  },
  enso: {
    title: { ja: "円相", en: "Ensō" },
    body: {
      ja: "一筆の円を、二百四十本の毛の軌跡として計算しました。筆が進むほど墨は尽き、かすれが紙の目を映します。閉じきらない隙間は、見る人のために残してあります。",
      en: "A circle in one stroke, computed as the paths of two hundred and forty bristles. As the brush travels the ink runs out and shows the grain of the paper. The gap that stays open is for whoever is looking.",
    },
    caption: { ja: "和紙に墨。床の間の掛物です。", en: "Ink on washi, hung in the alcove." },
    keywords: ["円", "墨", "床の間", "circle"],
  },
};

export const objectTexts: Readonly<Record<ObjectId, DemoTexts>> = {
  vase: {
    title: { ja: "青磁の瓶", en: "Celadon Bottle" },
    body: {
      ja: "入口で迎える青磁の瓶です。胴から首への線は、一つの曲線だけで引かれています。枝は入口の光のほうへ傾けました。",
      en: "A celadon bottle that greets you at the door. One curve alone leads from its body to its neck; the branch leans towards the light of the entrance.",
    },
    caption: { ja: "高さ 38 センチ。", en: "38 centimetres high." },
    keywords: ["青磁", "器", "celadon"],
  },
  facets: {
    title: { ja: "菱形三十面体", en: "Thirty Rhombi" },
    body: {
      ja: "同じ菱形を三十枚合わせた立体です。菱形の対角線の比は黄金比。天窓の光が、三十の面を三十の白に分けます。",
      en: "A solid of thirty equal rhombi whose diagonals stand in the golden ratio. The roof light divides its thirty faces into thirty whites.",
    },
    caption: { ja: "石膏。直径 42 センチ。", en: "Plaster, 42 centimetres across." },
    keywords: ["立体", "黄金比", "solid"],
  },
  ring: {
    title: { ja: "ひとつの面", en: "One Face" },
    body: {
      ja: "四角い断面が、輪を一周する間に四分の一だけねじれます。面を指でたどると、四周して元の場所に戻ります。四つに見える面は、実はひとつです。",
      en: "A square section that turns by a quarter on its way round the ring. Follow a face with your finger and you come back after four rounds: what look like four faces are one.",
    },
    caption: { ja: "藍漆。直径 50 センチ。", en: "Indigo lacquer, 50 centimetres across." },
    keywords: ["輪", "ねじれ", "ring"],
  },
  jar: {
    title: { ja: "月の壺", en: "Moon Jar" },
    body: {
      ja: "上下二つの鉢を合わせて作る白磁の大壺です。藍の壁の前では、ほんの少し歪んだ輪郭がいちばんよく見えます。",
      en: "A large white jar, made by joining two bowls rim to rim. Before the indigo wall its slightly uneven outline shows best.",
    },
    caption: { ja: "白磁。高さ 44 センチ。", en: "White porcelain, 44 centimetres high." },
    keywords: ["白磁", "月", "jar"],
  },
  bowl: {
    title: { ja: "藍の茶碗", en: "Indigo Tea Bowl" },
    body: {
      ja: "外は濃い藍、内は白。座って両手で持つ高さから見るための茶碗です。障子の光が、内側の釉薬にたまります。",
      en: "Deep indigo outside, white within: a tea bowl meant to be seen from where you would sit and hold it. The light of the paper screens gathers in its glaze.",
    },
    caption: { ja: "口径 13 センチ。", en: "13 centimetres across the mouth." },
    keywords: ["茶碗", "器", "tea"],
  },
};

export const placeTexts = {
  welcome: {
    title: { ja: "ようこそ", en: "Welcome" },
    body: {
      ja: "「藍と紙」は、計算でつくった十二枚の版画と五つの立体の展示です。入口から広間、藍の間、茶の間へ、一周しておよそ十五分。好きな順にお歩きください。",
      en: "“Indigo and Paper” shows twelve prints and five objects made by calculation. The round through the hall, the indigo room and the tea room takes about fifteen minutes; walk it in any order.",
    },
    caption: { ja: "展覧会の案内", en: "About the exhibition" },
    keywords: ["案内", "welcome"],
  },
  leaflet: {
    title: { ja: "会場図と作品一覧", en: "Plan and list of works" },
    body: {
      ja: "会場図と作品一覧を二ページにまとめたリーフレットです。番号は、作品のそばの札と同じです。",
      en: "A leaflet of two pages with the plan of the gallery and the list of works. Its numbers are those on the labels beside the works.",
    },
    caption: { ja: "PDF、2 ページ", en: "PDF, two pages" },
    keywords: ["リーフレット", "PDF", "leaflet"],
  },
  bench: {
    title: { ja: "座って聴く", en: "Sit and listen" },
    body: {
      ja: "このベンチでは、展示のために合成した十秒の響きを聴けます。波の版画に向かって座ると、音の重なりと円の重なりが同じ比でできていることに気づくかもしれません。",
      en: "At this bench you can hear ten seconds of sound made for the exhibition. Facing the wave print, you may notice that the tones overlap in the same ratios as the circles.",
    },
    caption: { ja: "合成音、10 秒", en: "Synthesised sound, 10 seconds" },
    keywords: ["音", "休憩", "sound"],
  },
  screens: {
    title: { ja: "障子の光", en: "Light of the screens" },
    body: {
      ja: "茶の間の昼の明かりは、この四枚の障子だけです。二枚ずつ前後の溝に入り、組子の升目はどの一枚も同じ寸法にそろえました。",
      en: "By day these four paper screens are the only light of the tea room. They run two and two in a front and a back groove, and their lattice has one and the same measure throughout.",
    },
    caption: { ja: "茶の間の東面", en: "East side of the tea room" },
    keywords: ["障子", "光", "screens"],
  },
  rooflight: {
    title: { ja: "広間の天窓", en: "Roof light of the hall" },
    body: {
      ja: "広間は上からの光で見せる部屋です。天窓を天井の中央に置き、どの壁の版画にも光が届くようにしました。",
      en: "The hall is shown by light from above. The roof light is in the middle of the ceiling, so that its light reaches the prints on every wall.",
    },
    caption: { ja: "長さ 7.2 メートル、幅 6 メートル", en: "7.2 by 6 metres" },
    keywords: ["建築", "光", "light"],
  },
  passage: {
    title: { ja: "藍の間へ", en: "To the indigo room" },
    body: {
      ja: "ここから先は壁を濃い藍で塗った部屋です。目が慣れるまで少し立ち止まると、北天図の金の線が浮かんできます。",
      en: "Beyond this doorway the walls are painted a deep indigo. Pause until your eyes have settled, and the gold lines of the Northern Sky will come forward.",
    },
    caption: { ja: "広間と藍の間をつなぐ戸口", en: "The doorway between hall and indigo room" },
    keywords: ["順路", "passage"],
  },
} as const satisfies Record<string, DemoTexts>;

export type PlaceId = keyof typeof placeTexts;

export const roomTexts = {
  entrance: { ja: "玄関", en: "Entrance" },
  hall: { ja: "広間", en: "Main hall" },
  indigo: { ja: "藍の間", en: "Indigo room" },
  cabinet: { ja: "茶の間", en: "Tea room" },
} as const satisfies Record<string, Localized>;
