import { nameKey } from "../shared/text";

/** What the names of copies end in, in the words of whoever copies: they are kept with the things. */
export interface CopyEnding {
  readonly first: string;
  /** Of those after the first; {{number}} is which one it is. */
  readonly next: string;
}

/** Digits of the highest number for which room is kept in a name. */
const DIGITS = 4;

const endingOf = ({ first, next }: CopyEnding, number: number) =>
  number === 1 ? first : next.replace("{{number}}", String(number));

const cut = (name: string, length: number) => [...name].slice(0, length).join("").trimEnd();

/** A name without what says that it is a copy: the copy of a copy is another copy of the same. */
function stemOf(name: string, ending: CopyEnding): string {
  const [before = "", after = ""] = ending.next.split("{{number}}");
  const number = name.endsWith(after)
    ? /\d+$/.exec(name.slice(0, name.length - after.length))?.[0]
    : undefined;
  const isNumbered = number !== undefined && name.endsWith(`${before}${number}${after}`);
  const found = isNumbered ? `${before}${number}${after}` : name.endsWith(ending.first) ? ending.first : "";
  const stem = name.slice(0, name.length - found.length);
  return stem.trim() === "" ? name : stem;
}

/**
 * The name of a copy that lies beside the original: the first of "Lobby – copy", "Lobby – copy 2", "Lobby – copy 3" that is free. Of
 * a long name the end is cut, so that it has at most `max` characters.
 * @param taken the nameKey of each name that is not free
 * @param isSure whether nobody ends a name so himself; otherwise that is a copy which stands beside what it is a copy of
 */
export function copyName(
  name: string,
  ending: CopyEnding,
  max: number,
  taken: ReadonlySet<string> = new Set(),
  isSure = true,
): string {
  const found = stemOf(name, ending);
  const stem = isSure || taken.has(nameKey(found)) ? found : name;
  for (let number = 1; ; number++) {
    const end = endingOf(ending, number);
    const copy = `${cut(stem, max - [...end].length)}${end}`;
    if (!taken.has(nameKey(copy))) return copy;
  }
}

/** What the nameKey of every name begins with that copyName may give: whatever is called otherwise is in none's way. */
export function copyNamePrefix(name: string, ending: CopyEnding, max: number): string {
  const stem = stemOf(name, ending);
  const kept = max - [...endingOf(ending, 10 ** (DIGITS - 1))].length;
  return [...stem].length <= kept ? nameKey(stem) : nameKey(cut(stem, kept));
}
