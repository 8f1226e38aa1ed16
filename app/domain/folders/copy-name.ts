import { nameKey } from "../shared/text";

/** Suffixes of the names of copies, in the language of the user who copies. They are stored as part of the names. */
export interface CopySuffix {
  readonly first: string;
  /** Suffix of the second and later copies; {{number}} is the copy's number. */
  readonly next: string;
}

/** Number of digits of the highest copy number for which copyNamePrefix leaves space. */
const RESERVED_DIGITS = 4;

const formatSuffix = ({ first, next }: CopySuffix, number: number) =>
  number === 1 ? first : next.replace("{{number}}", String(number));

const truncate = (name: string, length: number) => [...name].slice(0, length).join("").trimEnd();

/** Returns a name without its copy suffix, so that the copy of a copy counts as another copy of the original. */
function removeSuffix(name: string, suffixes: CopySuffix): string {
  const [beforeNumber = "", afterNumber = ""] = suffixes.next.split("{{number}}");
  const number = name.endsWith(afterNumber)
    ? /\d+$/.exec(name.slice(0, name.length - afterNumber.length))?.[0]
    : undefined;
  const isNumbered = number !== undefined && name.endsWith(`${beforeNumber}${number}${afterNumber}`);
  const suffix = isNumbered
    ? `${beforeNumber}${number}${afterNumber}`
    : name.endsWith(suffixes.first)
      ? suffixes.first
      : "";
  const stem = name.slice(0, name.length - suffix.length);
  return stem.trim() === "" ? name : stem;
}

/**
 * Returns the name of a copy beside the original: the first of "Lobby – copy", "Lobby – copy 2", "Lobby – copy 3" that is free. Truncates a long
 * name, so that the result has at most `max` characters.
 * @param usedKeys the nameKeys of the names that are not free
 * @param isAlwaysCopy whether a name with this suffix is always a copy. If false, it counts as one only if the name without the suffix is taken
 */
export function copyName(
  name: string,
  suffixes: CopySuffix,
  max: number,
  usedKeys: ReadonlySet<string> = new Set(),
  isAlwaysCopy = true,
): string {
  const copyStem = removeSuffix(name, suffixes);
  const stem = isAlwaysCopy || usedKeys.has(nameKey(copyStem)) ? copyStem : name;
  for (let number = 1; ; number++) {
    const suffix = formatSuffix(suffixes, number);
    const copy = `${truncate(stem, max - [...suffix].length)}${suffix}`;
    if (!usedKeys.has(nameKey(copy))) return copy;
  }
}

/** Returns the common prefix of the nameKey of every name that copyName may return. Names without this prefix cannot conflict with these. */
export function copyNamePrefix(name: string, suffixes: CopySuffix, max: number): string {
  const stem = removeSuffix(name, suffixes);
  const stemLength = max - [...formatSuffix(suffixes, 10 ** (RESERVED_DIGITS - 1))].length;
  return [...stem].length <= stemLength ? nameKey(stem) : nameKey(truncate(stem, stemLength));
}
