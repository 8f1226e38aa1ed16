/**
 * The name of a copy that lies beside the original; of a long name the end is cut, so that it has at most `max` characters.
 * @param ending what says that it is a copy, in the words of whoever copies: it is kept with the thing
 */
export function copyName(name: string, ending: string, max: number): string {
  const kept = [...name].slice(0, max - [...ending].length);
  return `${kept.join("").trimEnd()}${ending}`;
}
