/** The rule that a file is named for its main export, as a function that checks one file. */
import ts from "typescript";
import { isTest, parse, type SourceFile } from "./architecture-rules";

/** Words of a file's name or of an exported name. Different forms of a word, such as "copies" and "copy", have the same first four letters here. */
const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2-")
    .toLowerCase()
    .split(/[-_]/)
    .map((word) => word.replace(/ies$/, "y").slice(0, 4));

const areIn = (words: readonly string[], others: readonly string[]) =>
  words.every((word) => others.some((other) => other.startsWith(word) || word.startsWith(other)));

/** Exported values, or exported types if a file exports no value. A default export has the name "default". */
function findMainExports(file: SourceFile): readonly string[] {
  const types: string[] = [];
  const values: string[] = [];
  for (const statement of parse(file).statements) {
    const modifiers = (ts.canHaveModifiers(statement) && ts.getModifiers(statement)) || [];
    const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind);
    if (ts.isExportAssignment(statement) || has(ts.SyntaxKind.DefaultKeyword)) values.push("default");
    else if (ts.isExportDeclaration(statement)) values.push("*");
    else if (!has(ts.SyntaxKind.ExportKeyword)) continue;
    else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      types.push(statement.name.text);
    else if (ts.isVariableStatement(statement))
      values.push(...statement.declarationList.declarations.map(({ name }) => name.getText()));
    else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      values.push(statement.name?.text ?? "default");
  }
  return values.length > 0 ? values : types;
}

/**
 * Finds a file with one exported value (or type, if it exports no value) whose name does not contain all words of the file's name, or the reverse.
 * Files with several exports are named after their subject. A default export and re-exports have no name to compare.
 * @returns one line, or none
 */
export function findMisnamedFile(file: SourceFile): readonly string[] {
  // Remix names the exports of routes; messages and the tables of a schema are named after features.
  if (isTest(file.path) || /\.d\.ts$|^app\/i18n\/(en|ja)\/|\/schema\//.test(file.path)) return [];
  const [name, ...others] = findMainExports(file);
  const fileName = file.path.replace(/^.*\//, "").replace(/(\.(client|server|schema|worker))*\.tsx?$/, "");
  if (!name || others.length > 0 || /^(default|\*|loader|action)$/.test(name) || fileName === "index")
    return [];
  const isNamedForExport = areIn(wordsOf(fileName), wordsOf(name)) || areIn(wordsOf(name), wordsOf(fileName));
  return isNamedForExport ? [] : [`${file.path} exports ${name}`];
}
