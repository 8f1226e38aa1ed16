/** Rules for texts, live regions, doc comments and the names of exports and files, as functions. */
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

/** Names that a declaration binds: one, or those of a destructuring pattern. */
const boundNames = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));

/** Names that a statement declares. */
function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const { name } = statement as ts.Statement & { readonly name?: ts.Node };
  return name ? [name.getText()] : [];
}

const hasModifier = (statement: ts.Statement, modifier: ts.SyntaxKind): boolean =>
  ts.canHaveModifiers(statement) && (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === modifier);

/** Names that Remix reads from the modules of routes. */
const ROUTE_EXPORTS: ReadonlySet<string> = new Set([
  ...["loader", "clientLoader", "action", "clientAction", "shouldRevalidate"],
  ...["meta", "links", "headers", "handle", "ErrorBoundary"],
]);

/** Names that more than one file exports where it declares them, one line each. */
export function findRepeatedExports(files: readonly ProjectFile[]): string[] {
  const pathsByName = new Map<string, string[]>();
  for (const file of files) {
    // Messages have the same names in each language, and tables have the names of their messages.
    if (/^app\/i18n\/(en|ja)\//.test(file.path)) continue;
    const names = parse(file)
      .statements.filter((statement) => hasModifier(statement, ts.SyntaxKind.ExportKeyword))
      .filter((statement) => !hasModifier(statement, ts.SyntaxKind.DefaultKeyword))
      .flatMap(namesOf);
    for (const name of new Set(names))
      if (!ROUTE_EXPORTS.has(name)) pathsByName.set(name, [...(pathsByName.get(name) ?? []), file.path]);
  }
  return [...pathsByName]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(", ")}`);
}

/**
 * Words of a file's name or of an exported name, each shortened to four letters, so that forms such as "copy" and "copies", or "publish" and
 * "published", are the same.
 */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2-")
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.replace(/ies$/, "y").slice(0, 4));

const areAllIn = (words: readonly string[], others: readonly string[]) =>
  words.every((word) => others.some((other) => other.startsWith(word) || word.startsWith(other)));

/**
 * Finds a file with one exported value (or one exported type, if it exports no value) whose name does not contain all words of the file's name, or
 * the reverse. Files with several exports are named after their subject.
 * @returns one line, or none
 */
export function findMisnamedFile(file: ProjectFile): readonly string[] {
  // Messages and tables are in files of their feature, and an index has the name of its folder.
  if (isTest(file.path) || /\.d\.ts$|\/index\.ts$|^app\/i18n\/(en|ja)\/|\/schema\//.test(file.path))
    return [];
  const { statements } = parse(file);
  // A default export has no name, and re-exports have the names of other files.
  const isUnnamed = (statement: ts.Statement) =>
    ts.isExportAssignment(statement) ||
    ts.isExportDeclaration(statement) ||
    hasModifier(statement, ts.SyntaxKind.DefaultKeyword);
  if (statements.some(isUnnamed)) return [];
  const exported = statements.filter((statement) => hasModifier(statement, ts.SyntaxKind.ExportKeyword));
  const isType = (statement: ts.Statement) =>
    ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  const values = exported.filter((statement) => !isType(statement));
  const [name, ...others] = (values.length > 0 ? values : exported).flatMap(namesOf);
  if (!name || others.length > 0 || ROUTE_EXPORTS.has(name)) return [];
  const fileWords = wordsOf(
    file.path.replace(/^.*\//, "").replace(/(\.(client|server|schema|worker))*\.tsx?$/, ""),
  );
  const exportWords = wordsOf(name);
  return areAllIn(fileWords, exportWords) || areAllIn(exportWords, fileWords)
    ? []
    : [`${file.path} exports ${name}`];
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
    hasModifier(statement, ts.SyntaxKind.ExportKeyword) ||
    namesOf(statement).some((name) => exportedLater.has(name));
  return tree.statements
    .filter((statement) => isExported(statement) && !isDocumented(statement, file.text))
    .map((statement) => {
      const { line } = tree.getLineAndCharacterOfPosition(statement.getStart());
      return `${file.path}:${line + 1}: ${namesOf(statement).join(", ") || "default"} has no doc comment`;
    });
}
