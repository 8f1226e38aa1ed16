import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { fromRoot } from "../scripts/lib/paths";

/** Words with which a comment does not open, because it would be a fragment without a subject. */
const FRAGMENT =
  /^(?:What|Whats|Who|Whoever|Whose|Whom|Which|How|Of|That|Those|So (?:many|much|long|often)|As (?:many|much)|Nobody|Nothing|None|Neither)\b/;
/** Words that hide who acts, or what is meant. */
const UNCLEAR =
  /\b(?:whoever|whom to|of which|none of|what stood|is told|are told|at hand|anew|as far as|somebody|nobody|everybody)\b/i;
/** Former names, which the code must not use again. The API keeps ids of operations and schemas that contain "Medium". */
const REMOVED_NAMES =
  /\b(?:makeHouse|houseOf|openHouse|houseForEachTest|pageDoor|VisitDoor|MediaDoor|PageShelf|keptPage|FreshCache|KeptAnswers|checkGuess|GuessLimit|Floods|FloodGate|passwordFlag|logAct|LookInput|settleStatuses|tellReceivers|needsAnew|useLedIntoSpace|useTwin|Hanging|SoftTextures|Breath|verdictOf|giveStill|UploadGate|LostSecret|visitGate|takeSaved|conflictTakeSaved|keepMine|conflictKeepMine|copyEnding|copyEndingNext|goOn|edgeFor|DoorPage|placeOf|visitorState|VisitSign|VisitThing|VisitAct|VisitStay|countAct|recordReads|requireInPerson|momentsOf|ToldContext|partsInPlace|useLeftOver|useRest|useHere|roomsOf|letGo|kitMore|kitCopy|visitMore|standBefore|inkOn|askEarly|takeEarly|answerFor|readFacts|factsJson|FactsSchema|logFailedProof|asVisitor|fileGone|(?!(?:(?:create|update|delete)?Event|(?:preview|add|replace)?Web)Medium\b)\w*Medium\w*)\b/;

const FOLDERS = ["app", "functions", "scripts", "seed", "bench", "tests", "tools", "migrations"];

/** Removes the marks of a comment and of its lines. */
const withoutMarks = (comment: string) =>
  comment
    .replace(/^\/\*\*?|\*\/$/g, "")
    .replace(/^\s*(?:\/\/|--|#|\*) ?/gm, "")
    .trim();

/** Removes texts, regular expressions and the texts of JSX, which may look like comments. */
function removeTexts(path: string, text: string): string {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  let code = "";
  let end = 0;
  const visit = (node: ts.Node): void => {
    if (
      ts.isLiteralExpression(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node)
    ) {
      code += text.slice(end, node.getStart(tree));
      end = node.end;
    } else ts.forEachChild(node, visit);
  };
  visit(tree);
  return code + text.slice(end);
}

/** Comments of a file, without their marks. Consecutive lines with a comment each are one comment. */
function commentsOf(path: string, text: string): readonly string[] {
  const comments = /\.(?:tsx?|mts|mjs)$/.test(path)
    ? removeTexts(path, text).match(/\/\*[\s\S]*?\*\/|\/\/.*(?:\n *\/\/.*)*/g)
    : path.endsWith(".toml")
      ? text.match(/(?:^| )#.*(?:\n#.*)*/gm)
      : text.match(/\/\*[\s\S]*?\*\/|^--(?!>).*(?:\n--(?!>).*)*/gm);
  return (comments ?? []).map(withoutMarks);
}

const unclearIn = (comments: readonly string[]) =>
  comments.filter((comment) => FRAGMENT.test(comment) || UNCLEAR.test(comment.replace(/\s+/g, " ")));

describe("comments", () => {
  const files = [".", ...FOLDERS].flatMap((folder) =>
    readdirSync(fromRoot(folder), { recursive: folder !== ".", encoding: "utf8" })
      .filter(
        (name) => /\.(?:tsx?|mts|mjs|css|sql|toml)$/.test(name) && !/plain-comments|node_modules/.test(name),
      )
      .map((name) => join(folder, name).replaceAll("\\", "/")),
  );

  it("do not begin like a fragment, and contain no unclear word", () => {
    const unclear = files.flatMap((path) =>
      unclearIn(commentsOf(path, readFileSync(fromRoot(path), "utf8"))).map(
        (comment) => `${path}: ${comment.slice(0, 120)}`,
      ),
    );
    expect(unclear).toEqual([]);
  }, 60_000);

  // In these texts, "~" stands for "/", so that they are no comments here.
  it.each([
    ["in a line of its own", "a.ts", "~~ None.\n~~ What is kept.\nf();\n~~ What is kept.", 2],
    ["after code", "a.ts", "const a = 1; ~~ What is kept.", 1],
    ["before a bracket", "a.ts", "f(1 ~* What is kept. *~);\nconst b = { c: 1, ~** So many. *~ };", 2],
    ["in JSX", "a.tsx", "<p title='~~ What'>What ~~ What {~* Those that stay. *~}<~p>;", 1],
    ["in a template", "a.ts", ["`~* What *~ $", "{~* Whoever comes. *~ 1} ~~ What`"].join(""), 1],
    ["in a style sheet", "a.css", "~* Nobody sees it. *~ a { color: red; }", 1],
    ["in a migration", "a.sql", "-- Whoever reads it.\n--> statement-breakpoint", 1],
    ["in a configuration", "a.toml", "# What pages tell.\na = 1 # everybody decides", 2],
    [
      "neither in a text nor in a regular expression",
      "a.ts",
      "~** Returns the value. *~\nconst a = 'x ~~ What' + ~[~*] What~;",
      0,
    ],
  ])("that are unclear are found %s", (_place, path, text, count) => {
    expect(unclearIn(commentsOf(path, text.replaceAll("~", "/")))).toHaveLength(count);
  });

  it("and code contain no removed name", () => {
    const filesWithRemovedNames = files.filter((path) =>
      REMOVED_NAMES.test(readFileSync(fromRoot(path), "utf8")),
    );
    expect(filesWithRemovedNames).toEqual([]);
  });
});
