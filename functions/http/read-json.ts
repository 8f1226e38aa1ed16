/** How deep a value may lie: nothing that anybody means is deeper than a dozen levels. */
const DEPTH_MAX = 64;
/** Names that stand for something else in JavaScript: whoever sends them means no field of ours. */
const REFUSED: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** A value, or what is wrong with the text: no JSON that can be read, or a name that stands twice or may not stand at all, and where. */
export type ReadJson =
  | { readonly value: unknown }
  | { readonly wrong: "syntax" }
  | { readonly wrong: "twice" | "refused"; readonly path: readonly string[] };

interface Level {
  /** The names of an object so far; null in a list. */
  readonly names: Set<string> | null;
  /** Where the reader is in it. */
  at: string;
  index: number;
  /** The next text is a name. */
  isName: boolean;
}

/** The end of the text that begins at `start`, in JSON that is known to be well formed. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
}

/** What no parser tells: how deep JSON is, and whether its names are good ones. Of well-formed JSON alone. */
function findWrong(json: string): Exclude<ReadJson, { readonly value: unknown }> | null {
  const levels: Level[] = [];
  for (let i = 0; i < json.length; i++) {
    const level = levels.at(-1);
    switch (json[i]) {
      case "{":
      case "[": {
        if (levels.length === DEPTH_MAX) return { wrong: "syntax" };
        const isObject = json[i] === "{";
        levels.push({ names: isObject ? new Set() : null, at: "0", index: 0, isName: isObject });
        break;
      }
      case "}":
      case "]":
        levels.pop();
        break;
      case ",":
        if (level?.names) level.isName = true;
        else if (level) level.at = String(++level.index);
        break;
      case '"': {
        const end = endOfText(json, i);
        if (level?.names && level.isName) {
          const name = JSON.parse(json.slice(i, end + 1)) as string;
          const isKnown = level.names.has(name);
          level.at = name;
          level.isName = false;
          if (isKnown || REFUSED.has(name))
            return { wrong: isKnown ? "twice" : "refused", path: levels.map(({ at }) => at) };
          level.names.add(name);
        }
        i = end;
        break;
      }
    }
  }
  return null;
}

/**
 * A text of JSON whose every name means one thing. JSON.parse alone takes the last of two equal names, which another reader of the same
 * text may not, and hands on names that are none of an object's own.
 */
export function readJson(json: string): ReadJson {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { wrong: "syntax" };
  }
  return findWrong(json) ?? { value };
}
