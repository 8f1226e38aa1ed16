import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { fromRoot } from "../scripts/lib/paths";

/** Words with which a comment does not open, because it would be a fragment without a subject. */
const FRAGMENT = /^(?:What|Whats|Who|Whoever|Whose|Whom|Of|That of|Those of|Nobody|Nothing|None)\b/;
/** Words that hide who acts, or what is meant. */
const UNCLEAR =
  /\b(?:whoever|of which|none of|what stood|is told|are told|at hand|anew|as far as|somebody|nobody)\b/i;
/** Names that the code had for things that the field calls otherwise. */
const REMOVED_NAMES =
  /\b(?:makeHouse|houseOf|openHouse|houseForEachTest|pageDoor|VisitDoor|MediaDoor|PageShelf|keptPage|FreshCache|KeptAnswers|checkGuess|GuessLimit|Floods|FloodGate|passwordFlag|logAct|LookInput|settleStatuses|tellReceivers|needsAnew|useLedIntoSpace|useTwin|Hanging|SoftTextures|Breath|verdictOf|giveStill|UploadGate|LostSecret)\b/;

const FOLDERS = ["app", "functions", "scripts", "seed", "bench", "tests", "migrations"];

/** Comments of a TypeScript file, without their marks. */
function commentsOf(text: string, isJsx: boolean): readonly string[] {
  const tree = ts.createSourceFile(isJsx ? "a.tsx" : "a.ts", text, ts.ScriptTarget.Latest, true);
  const comments = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return;
    for (const range of ts.getLeadingCommentRanges(text, node.pos) ?? [])
      comments.set(range.pos, text.slice(range.pos, range.end));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  visit(tree.endOfFileToken);
  return [...comments.values()].map(withoutMarks);
}

const withoutMarks = (comment: string) =>
  comment
    .replace(/^\/\*\*?|\*\/$/g, "")
    .replace(/^(?:\/\/|--) ?/, "")
    .replace(/^\s*\* ?/gm, "")
    .trim();

/** Comments of a CSS or SQL file, without their marks. */
const commentsOfStyleOrSql = (text: string): readonly string[] =>
  (text.match(/\/\*[\s\S]*?\*\/|^--(?!>).*$/gm) ?? []).map(withoutMarks);

function commentsIn(path: string): readonly string[] {
  const text = readFileSync(fromRoot(path), "utf8");
  return /\.tsx?$/.test(path) ? commentsOf(text, path.endsWith("x")) : commentsOfStyleOrSql(text);
}

const unclearIn = (comments: readonly string[]) =>
  comments.filter((comment) => FRAGMENT.test(comment) || UNCLEAR.test(comment));

describe("comments", () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(fromRoot(folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:tsx?|css|sql)$/.test(name) && !name.endsWith("plain-comments.test.ts"))
      .map((name) => join(folder, name).replaceAll("\\", "/")),
  );

  it("are whole sentences that name who acts", () => {
    const unclear = files.flatMap((path) =>
      unclearIn(commentsIn(path)).map((comment) => `${path}: ${comment.slice(0, 120)}`),
    );
    expect(unclear).toEqual([]);
  });

  it.each([
    ["What is kept.", true],
    ["Whoever comes.", true],
    ["Renders the page anew.", true],
    ["Returns the cached value.", false],
  ])("are recognised as unclear or clear: %s", (comment, isUnclear) => {
    const text = ["const text = 'nobody';", `/${"*"}* ${comment} */`, "const value = 1;"].join("\n");
    expect(unclearIn(commentsOf(text, false))).toEqual(isUnclear ? [comment] : []);
  });

  it("of style sheets and migrations are read, too", () => {
    const text = "/* Nobody sees it. */\n-- Whoever reads it.\n--> statement-breakpoint\na { color: red; }";
    expect(unclearIn(commentsOfStyleOrSql(text))).toEqual(["Nobody sees it.", "Whoever reads it."]);
  });

  it("and code have no name that the glossary removed", () => {
    const filesWithRemovedNames = files.filter((path) =>
      REMOVED_NAMES.test(readFileSync(fromRoot(path), "utf8")),
    );
    expect(filesWithRemovedNames).toEqual([]);
  });
});
