/** Rules for texts, live regions and doc comments, as functions that check one file. */
import ts from "typescript";
import { isTest, type ProjectFile, parse } from "./architecture-rules";

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
/** Attributes whose values are visible or read aloud. */
const SPOKEN_ATTRIBUTES = new Set([
  "alt",
  "title",
  "placeholder",
  "label",
  "aria-label",
  "aria-description",
  "hint",
  "caption",
]);

/** Messages of the interface, and the content of templates of events, which has every language (decision 090). */
const TEXT_FOLDERS = ["app/i18n/", "app/domain/events/templates/"];

/** User-visible texts outside the folders for texts: letters in JSX, values of spoken attributes, and strings with Japanese characters. */
export function findUntranslatedText(file: ProjectFile): string[] {
  const isText = TEXT_FOLDERS.some((folder) => file.path.startsWith(folder));
  if (!file.path.startsWith("app/") || isText || isTest(file.path)) return [];
  const violations: string[] = [];
  const root = parse(file);
  const report = (node: ts.Node, text: string) => {
    const { line } = root.getLineAndCharacterOfPosition(node.getStart());
    violations.push(`${file.path}:${line + 1}: ${text.trim().slice(0, 60)}`);
  };
  const walk = (node: ts.Node): void => {
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) report(node, node.text);
    else if (
      ts.isJsxAttribute(node) &&
      SPOKEN_ATTRIBUTES.has(node.name.getText()) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer) &&
      /\p{L}/u.test(node.initializer.text)
    )
      report(node, node.initializer.text);
    else if (
      (ts.isStringLiteralLike(node) ||
        ts.isTemplateHead(node) ||
        ts.isTemplateMiddle(node) ||
        ts.isTemplateTail(node)) &&
      JAPANESE.test(node.text)
    )
      report(node, node.text);
    else if (
      ts.isJsxExpression(node) &&
      node.expression &&
      ts.isStringLiteralLike(node.expression) &&
      ts.isJsxElement(node.parent) &&
      /\p{L}/u.test(node.expression.text)
    )
      report(node, node.expression.text);
    ts.forEachChild(node, walk);
  };
  walk(root);
  return violations;
}

/**
 * Finds live regions (`status` or `alert`) that are hidden while they are empty (`empty:hidden`). Screen readers notice such a region
 * only together with its content, and do not announce that content.
 */
export function findLazyRegions(file: ProjectFile): string[] {
  if (!file.path.endsWith(".tsx")) return [];
  const violations: string[] = [];
  const root = parse(file);
  const walk = (node: ts.Node): void => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const text = node.attributes.getText();
      if (/\brole=[^>]*?"(status|alert)"/.test(text) && text.includes("empty:hidden"))
        violations.push(`${file.path}:${root.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, walk);
  };
  walk(root);
  return violations;
}

/** Folders in which every export must have a doc comment. */
export const DOCUMENTED_PATHS: readonly string[] = [
  "app/domain/",
  "app/features/content/editor/",
  "app/viewer/",
  "app/features/library/reader/",
  ...["api", "http", "mail", "media", "security", "services", "storefront"].map(
    (path) => `functions/${path}/`,
  ),
];

/** Names that a statement declares. */
function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.Statement & { readonly name?: ts.Node };
  return name ? [name.getText()] : [];
}

/** True when a non-empty doc comment is directly above a statement. A file comment, which an empty line follows, does not count. */
function isDocumented(statement: ts.Statement, text: string): boolean {
  const start = statement.getStart();
  return (ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? []).some(
    ({ pos, end }) =>
      /^\/\*\*(?!\/).*\p{L}/su.test(text.slice(pos, end)) && !/\n[^\S\n]*\n/.test(text.slice(end, start)),
  );
}

/** Exports of the folders above without a doc comment, one line each. Re-exports are documented in their own file. */
export function findUndocumentedExports(file: ProjectFile): string[] {
  if (isTest(file.path) || !DOCUMENTED_PATHS.some((folder) => file.path.startsWith(folder))) return [];
  const tree = parse(file);
  const exportedLater = new Set(
    tree.statements
      .filter(ts.isExportDeclaration)
      .filter(({ moduleSpecifier }) => !moduleSpecifier)
      .flatMap(({ exportClause }) =>
        exportClause && ts.isNamedExports(exportClause) ? exportClause.elements : [],
      )
      .map(({ name, propertyName }) => (propertyName ?? name).getText()),
  );
  const isExported = (statement: ts.Statement) =>
    ts.isExportAssignment(statement) ||
    (ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) ||
    namesOf(statement).some((name) => exportedLater.has(name));
  return tree.statements
    .filter((statement) => isExported(statement) && !isDocumented(statement, file.text))
    .map((statement) => {
      const { line } = tree.getLineAndCharacterOfPosition(statement.getStart());
      return `${file.path}:${line + 1}: ${namesOf(statement).join(", ") || "default"} has no doc comment`;
    });
}
