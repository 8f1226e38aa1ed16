/** Maximum nesting depth of a value. Valid requests nest at most a dozen levels. */
const DEPTH_MAX = 64;
/** Names that have a special meaning in JavaScript objects. No field of the API has one of these names. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * The parsed value, or the problem with the text: "syntax" for invalid JSON and excessive nesting, "twice" for a duplicate name, "rejected" for a
 * forbidden one. `path` is the position of the name.
 */
export type JsonReadResult =
  | { readonly value: unknown }
  | { readonly wrong: "syntax" }
  | { readonly wrong: "twice" | "rejected"; readonly path: readonly string[] };

interface Level {
  /** The names of an object so far; null in a list. */
  readonly names: Set<string> | null;
  /** Name or index of the current value in this object or list. */
  key: string;
  index: number;
  /** True if the next string is the name of a field. */
  isName: boolean;
}

/** Index of the end of the JSON string that begins at `start`. The JSON must be well formed. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
}

/** Finds problems that JSON.parse does not report: excessive nesting, duplicate names and forbidden names. The JSON must be well formed. */
function findJsonProblem(json: string): Exclude<JsonReadResult, { readonly value: unknown }> | null {
  const levels: Level[] = [];
  for (let i = 0; i < json.length; i++) {
    const level = levels.at(-1);
    switch (json[i]) {
      case "{":
      case "[": {
        if (levels.length === DEPTH_MAX) return { wrong: "syntax" };
        const isObject = json[i] === "{";
        levels.push({ names: isObject ? new Set() : null, key: "0", index: 0, isName: isObject });
        break;
      }
      case "}":
      case "]":
        levels.pop();
        break;
      case ",":
        if (level?.names) level.isName = true;
        else if (level) level.key = String(++level.index);
        break;
      case '"': {
        const end = endOfString(json, i);
        if (level?.names && level.isName) {
          const name = JSON.parse(json.slice(i, end + 1)) as string;
          const isDuplicate = level.names.has(name);
          level.key = name;
          level.isName = false;
          if (isDuplicate || FORBIDDEN_NAMES.has(name))
            return { wrong: isDuplicate ? "twice" : "rejected", path: levels.map(({ key }) => key) };
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
 * Parses JSON whose names are unique and allowed. JSON.parse alone uses the last of two equal names, while another parser may use the first, and it
 * accepts names such as `__proto__`.
 */
export function readJson(json: string): JsonReadResult {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { wrong: "syntax" };
  }
  return findJsonProblem(json) ?? { value };
}
