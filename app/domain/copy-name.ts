import type { Lang } from "./model";

/** What a name ends in that says "copy": kept with the thing, and so in the language of whoever copies. */
const ENDINGS: Readonly<Record<Lang, string>> = { ja: " のコピー", en: " – copy" };

/** The name of a copy that lies beside the original; of a long name the end is cut, so that it has at most `max` characters. */
export function copyName(name: string, lang: Lang, max: number): string {
  const ending = ENDINGS[lang];
  const kept = [...name].slice(0, max - [...ending].length);
  return `${kept.join("").trimEnd()}${ending}`;
}
