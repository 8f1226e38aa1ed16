/** The import table of the design (§3) and other rules for all code, as checkers that work on any set of files. */
import { posix } from "node:path";
import ts from "typescript";

/** A file's path from the project's root, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One import of a file: what it names, resolved to a path from the root or a package, and whether types alone are taken. */
export interface Import {
  readonly from: string;
  readonly target: string;
  readonly kind: "value" | "type" | "dynamic";
}

const ALIASES: readonly (readonly [string, string])[] = [
  ["~/", "app/"],
  ["#functions/", "functions/"],
];

/** A specifier as a path from the root, or the name of a package as it is written. */
export function resolveSpecifier(from: string, specifier: string): string {
  for (const [alias, folder] of ALIASES)
    if (specifier.startsWith(alias)) return folder + specifier.slice(alias.length);
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  return specifier;
}

/** All imports of a file: static, `export … from`, dynamic, and `typeof import(…)`. */
export function importsOf(file: SourceFile): Import[] {
  const { path } = file;
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, kind: Import["kind"]) => {
    if (specifier && ts.isStringLiteralLike(specifier))
      found.push({ from: path, target: resolveSpecifier(path, specifier.text.replace(/\?\w+$/, "")), kind });
  };
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const clause = node.importClause;
      const named = clause?.namedBindings;
      // `import { type A, type B } from` leaves nothing at run time either.
      const onlyTypes =
        clause?.isTypeOnly ||
        (clause !== undefined &&
          !clause.name &&
          named !== undefined &&
          ts.isNamedImports(named) &&
          named.elements.length > 0 &&
          named.elements.every((element) => element.isTypeOnly));
      add(node.moduleSpecifier, onlyTypes ? "type" : "value");
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const named = node.exportClause;
      const onlyTypes =
        node.isTypeOnly ||
        (named !== undefined &&
          ts.isNamedExports(named) &&
          named.elements.length > 0 &&
          named.elements.every((element) => element.isTypeOnly));
      add(node.moduleSpecifier, onlyTypes ? "type" : "value");
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], "dynamic");
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, "type");
    }
    ts.forEachChild(node, walk);
  };
  walk(parse(file));
  return found;
}

const parsed = new WeakMap<SourceFile, ts.SourceFile>();

/** A file's syntax tree, made once however many rules look at it. */
export function parse(file: SourceFile): ts.SourceFile {
  const known = parsed.get(file);
  if (known) return known;
  const kind = file.path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true, kind);
  parsed.set(file, tree);
  return tree;
}

interface Layer {
  readonly name: string;
  readonly holds: (path: string) => boolean;
  /** Folders and files of ours that may be imported; a folder ends with a slash. */
  readonly values: readonly string[];
  /** The same, of which types alone may be taken. */
  readonly types?: readonly string[];
  readonly packages?: readonly RegExp[];
}

const inFolder = (folder: string) => (path: string) => path.startsWith(folder);
const REACT = /^react(-dom)?(\/|$)/;
/** Our messages: app/i18n gives everybody else its typed hook. */
const I18NEXT = /^(i18next|react-i18next|remix-i18next)(\/|$)/;
const REMIX = /^@remix-run\/(react|cloudflare|route-config)$/;
/** Three and whatever comes with it: a megabyte that no page waits for and no server runs. */
export const THREE = /^(three|@sparkjsdev\/|@photo-sphere-viewer\/|meshoptimizer)(\/|$)?/;
/** Libraries with which the owner's browser converts files. */
const CONVERTERS =
  /^(@gltf-transform|gltf-validator|draco3dgltf|ktx2-encoder|web-ifc|laz-perf|mediabunny|geotiff|libheif-js|saxes)(\/|$)/;
/** What loaders read texts and draw codes and charts with; a test of the bundle keeps it out of browsers. */
const SERVER_ONLY = /^(mdast-util-from-markdown|qrcode-generator|d3-scale|d3-shape)$/;
/** Folders of the code that draws with three. */
const ADAPTERS = ["model", "panorama", "placed-media", "shared", "showcase", "splat"].map(
  (name) => `app/viewer/${name}/`,
);
const isAdapter = (path: string) =>
  /^app\/viewer\/(model|panorama|placed-media|shared|showcase|splat)\/.*\.client\.tsx?$/.test(path);
/** Components with Headless UI, which a page loads at its first pointer or focus event. */
const isEnhancement = (path: string) => /^app\/components\/[\w-]+\.client(\.tsx?)?$/.test(path);
/** Converters run in the owner's browser and are loaded when a file needs them. */
const isConverter = (path: string) => /^app\/features\/library\/prepare\/.*\.(client|worker)\.ts$/.test(path);

/** The loader of code that few requests need. */
const LOAD_MODULE = "functions/load-module";

/** The table of DESIGN §3. The first layer that holds a file is the one that counts. */
export const LAYERS: readonly Layer[] = [
  { name: "app/domain", holds: inFolder("app/domain/"), values: ["app/domain/"], packages: [/^zod$/] },
  {
    name: "app/i18n",
    holds: inFolder("app/i18n/"),
    values: ["app/i18n/", "app/domain/"],
    packages: [REACT, I18NEXT],
  },
  {
    name: "app/components/*.client",
    holds: (path) => isEnhancement(path),
    values: ["app/components/", "app/domain/", "app/i18n/"],
    packages: [REACT, /^@headlessui\/react$/],
  },
  {
    name: "app/components",
    holds: inFolder("app/components/"),
    values: ["app/components/", "app/domain/", "app/i18n/"],
    packages: [REACT, /^@remix-run\/react$/],
  },
  {
    name: "app/forms",
    holds: inFolder("app/forms/"),
    values: ["app/forms/", "app/components/", "app/domain/", "app/i18n/"],
    packages: [REACT, /^@remix-run\/react$/, /^@conform-to\/(react|zod)(\/v4)?$/],
  },
  { name: "app/editor", holds: inFolder("app/editor/"), values: ["app/editor/", "app/domain/"] },
  {
    name: "app/viewer/core",
    holds: inFolder("app/viewer/core/"),
    values: ["app/viewer/core/", "app/domain/"],
  },
  {
    name: "app/viewer/{model,panorama,placed-media,shared,showcase,splat}",
    holds: (path) => ADAPTERS.some((folder) => path.startsWith(folder)),
    values: [...ADAPTERS, "app/viewer/core/", "app/domain/"],
    packages: [THREE, /^fzstd$/],
  },
  {
    name: "app/viewer",
    holds: inFolder("app/viewer/"),
    values: ["app/viewer/", "app/domain/", "app/i18n/"],
    packages: [REACT],
  },
  {
    name: "app/features/library/prepare",
    holds: inFolder("app/features/library/prepare/"),
    values: [
      "app/features/library/prepare/",
      "app/uploads/pack-gltf",
      "app/uploads/unpack-zip",
      "app/viewer/splat/",
      "app/viewer/core/",
      "app/domain/",
    ],
    packages: [THREE, CONVERTERS],
  },
  {
    name: "app/features/library/conversions",
    holds: inFolder("app/features/library/conversions/"),
    values: [
      "app/features/library/conversions/",
      "app/features/library/prepare/contract",
      "app/features/library/prepare/converters",
      "app/uploads/api",
      "app/uploads/still",
      "app/components/",
      "app/domain/",
      "app/i18n/",
    ],
    packages: [REACT, /^@remix-run\/react$/],
  },
  {
    name: "app/reader/*.client",
    holds: (path) => /^app\/reader\/.*\.client\.ts$/.test(path),
    values: ["app/domain/"],
    packages: [/^pdfjs-dist\//],
  },
  {
    name: "app/reader",
    holds: inFolder("app/reader/"),
    values: ["app/reader/", "app/components/", "app/domain/", "app/i18n/"],
    packages: [REACT],
  },
  {
    name: "app/uploads",
    holds: inFolder("app/uploads/"),
    values: [
      "app/uploads/",
      "app/features/library/conversions/",
      "app/components/",
      "app/reader/thumbnail",
      "app/viewer/thumbnail",
      "app/domain/",
      "app/i18n/",
    ],
    packages: [REACT, /^@remix-run\/react$/, /^(gltf-validator|mediabunny)$/, /^@zip\.js\/zip\.js\//],
  },
  {
    name: "app/routes",
    holds: inFolder("app/routes/"),
    values: [
      "app/routes/",
      "app/forms/",
      "app/components/",
      "app/features/",
      "app/viewer/Viewer",
      "app/viewer/core/nudge",
      "app/viewer/core/device-room",
      "app/viewer/core/equirect",
      "app/viewer/core/model-summary",
      "app/viewer/core/model-views",
      "app/reader/Document",
      "app/reader/OpenedDocument",
      "app/features/library/conversions/",
      "app/uploads/draw-stills",
      "app/uploads/gate",
      "app/uploads/give-still",
      "app/uploads/person",
      "app/uploads/uploader",
      "app/editor/",
      "app/domain/",
      "app/i18n/",
      "app/styles.css",
    ],
    types: ["functions/"],
    packages: [
      REACT,
      REMIX,
      /^react-router$/,
      /^@conform-to\/(react|zod)(\/v4)?$/,
      /^@simplewebauthn\/browser$/,
      SERVER_ONLY,
    ],
  },
  {
    name: "app",
    holds: inFolder("app/"),
    values: ["app/routes/", "app/components/", "app/domain/", "app/i18n/", "app/styles.css"],
    types: ["functions/"],
    packages: [REACT, REMIX, /^react-router$/],
  },
  {
    name: "functions/services",
    holds: inFolder("functions/services/"),
    values: ["functions/services/", LOAD_MODULE, "app/domain/"],
    types: ["functions/data/"],
    packages: [/^lru-cache$/],
  },
  ...["data", "media", "storefront", "platform", "cache"].map(
    (folder): Layer => ({
      name: `functions/${folder}`,
      holds: inFolder(`functions/${folder}/`),
      values: [
        `functions/${folder}/`,
        ...(folder === "data" ? [] : ["functions/cache/", LOAD_MODULE]),
        "app/domain/",
      ],
      types: ["functions/services/"],
      packages: [
        /^node:(crypto|buffer)$/,
        ...(folder === "data" ? [] : [/^lru-cache$/]),
        ...(folder === "data" ? [/^drizzle-orm(\/|$)/] : []),
        ...(folder === "media" ? [/^mediabunny$/, /^@zip\.js\/zip\.js\//] : []),
        ...(folder === "storefront"
          ? [/^@shopify\/storefront-api-client$/, /^hast-util-(from-html|sanitize)$/, /^zod$/]
          : []),
        ...(folder === "platform"
          ? [
              /^node:dns$/,
              /^hono\/utils\/cookie$/,
              /^zod$/,
              /^papaparse$/,
              /^isbot$/,
              /^@simplewebauthn\/server(\/helpers)?$/,
            ]
          : []),
      ],
    }),
  ),
  {
    name: "functions/mail",
    holds: inFolder("functions/mail/"),
    values: ["functions/mail/", "app/i18n/", "app/domain/"],
    types: ["functions/services/"],
  },
  {
    name: "functions/api",
    holds: inFolder("functions/api/"),
    values: [
      "functions/api/",
      LOAD_MODULE,
      "functions/services/",
      "functions/platform/",
      "app/domain/",
      "public/url_params.json",
    ],
    // Of swagger-ui-dist its version alone: the page names its files, which the build lays down.
    packages: [/^hono(\/|$)/, /^zod(-openapi)?$/, /^swagger-ui-dist\/package\.json$/],
  },
  {
    name: "functions",
    holds: inFolder("functions/"),
    values: ["functions/", "app/domain/", "public/", "#build"],
    packages: [/^@remix-run\/cloudflare$/, /^remix-i18next\/server$/],
  },
];

const isOurs = (target: string) =>
  /^(app|functions|public|scripts|seed|tests|migrations)\//.test(target) || target === "#build";
const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.endsWith("/test-kit.ts");
const within = (target: string, allowed: readonly string[] = []) =>
  allowed.some((entry) =>
    entry.endsWith("/") ? `${target}/`.startsWith(entry) : target.replace(/\.tsx?$/, "") === entry,
  );

/** A test beside the app's code runs no code of the edge either: one that needs both stands in tests/. */
const edgeInAppTest = (file: SourceFile): readonly string[] =>
  importsOf(file).flatMap(({ target, kind }) =>
    file.path.startsWith("app/") && target.startsWith("functions/") && kind !== "type"
      ? [`${file.path} imports ${target}: the app's tests may take types alone`]
      : [],
  );

/** What is wrong with the imports of some files, one line each; nothing when they keep to the table. */
export function brokenRules(files: readonly SourceFile[]): string[] {
  const broken: string[] = [];
  for (const file of files) {
    if (isTest(file.path)) {
      broken.push(...edgeInAppTest(file));
      continue;
    }
    const layer = LAYERS.find(({ holds }) => holds(file.path));
    if (!layer) continue;
    for (const { target, kind } of importsOf(file)) {
      const say = (why: string) => broken.push(`${file.path} imports ${target}: ${why}`);
      if (!isOurs(target)) {
        if (THREE.test(target) && kind !== "type" && !isAdapter(file.path) && !isConverter(file.path))
          say("three belongs into adapters (*.client.ts)");
        else if (kind !== "type" && !(layer.packages ?? []).some((allowed) => allowed.test(target)))
          say(`${layer.name} may not import this package`);
        continue;
      }
      if (isEnhancement(target) && kind === "value" && !isEnhancement(file.path))
        say("enhancements are fetched by import() alone");
      else if (
        isAdapterTarget(target) &&
        kind === "value" &&
        !isAdapter(file.path) &&
        !isConverter(file.path)
      )
        say("adapters are fetched by import() alone");
      else if (!within(target, layer.values) && !(kind === "type" && within(target, layer.types)))
        say(
          within(target, layer.types)
            ? `${layer.name} may take types alone`
            : `${layer.name} may not import this`,
        );
    }
  }
  return broken;
}

const isAdapterTarget = (target: string) =>
  /^app\/viewer\/(model|panorama|placed-media|shared|showcase|splat)\/.*\.client(\.tsx?)?$/.test(target);

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
/** Attributes that are read out or shown. */
const SPOKEN = new Set([
  "alt",
  "title",
  "placeholder",
  "label",
  "aria-label",
  "aria-description",
  "hint",
  "caption",
]);

/** Texts for people that stand outside app/i18n: letters in JSX, spoken attributes, and anything Japanese. */
export function strayWords(file: SourceFile): string[] {
  if (!file.path.startsWith("app/") || file.path.startsWith("app/i18n/") || isTest(file.path)) return [];
  const found: string[] = [];
  const root = parse(file);
  const say = (node: ts.Node, text: string) => {
    const { line } = root.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${file.path}:${line + 1}: ${text.trim().slice(0, 60)}`);
  };
  const walk = (node: ts.Node): void => {
    if (ts.isJsxText(node) && /\p{L}/u.test(node.text)) say(node, node.text);
    else if (
      ts.isJsxAttribute(node) &&
      SPOKEN.has(node.name.getText()) &&
      node.initializer &&
      ts.isStringLiteral(node.initializer) &&
      /\p{L}/u.test(node.initializer.text)
    )
      say(node, node.initializer.text);
    else if (
      (ts.isStringLiteralLike(node) ||
        ts.isTemplateHead(node) ||
        ts.isTemplateMiddle(node) ||
        ts.isTemplateTail(node)) &&
      JAPANESE.test(node.text)
    )
      say(node, node.text);
    else if (
      ts.isJsxExpression(node) &&
      node.expression &&
      ts.isStringLiteralLike(node.expression) &&
      ts.isJsxElement(node.parent) &&
      /\p{L}/u.test(node.expression.text)
    )
      say(node, node.expression.text);
    ts.forEachChild(node, walk);
  };
  walk(root);
  return found;
}

/**
 * Places of which what appears is read out, that are taken out of the page while they are empty: what comes together with its place is not
 * read out.
 */
export function lateRegions(file: SourceFile): string[] {
  if (!file.path.endsWith(".tsx")) return [];
  const found: string[] = [];
  const root = parse(file);
  const walk = (node: ts.Node): void => {
    if (ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node)) {
      const text = node.attributes.getText();
      if (/\brole=[^>]*?"(status|alert)"/.test(text) && text.includes("empty:hidden"))
        found.push(`${file.path}:${root.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, walk);
  };
  walk(root);
  return found;
}

/** What others build on: every export here says what it is. */
export const DOCUMENTED: readonly string[] = [
  "app/domain/",
  "app/editor/",
  "app/viewer/",
  "app/reader/",
  ...["api", "mail", "media", "platform", "services", "storefront"].map((folder) => `functions/${folder}/`),
];

/** The names that a statement declares. */
function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.Statement & { readonly name?: ts.Node };
  return name ? [name.getText()] : [];
}

/** Whether a doc comment that says something stands right above a statement: a file's own, set off by an empty line, is none. */
function isDocumented(statement: ts.Statement, text: string): boolean {
  const start = statement.getStart();
  return (ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? []).some(
    ({ pos, end }) =>
      /^\/\*\*(?!\/).*\p{L}/su.test(text.slice(pos, end)) && !/\n[^\S\n]*\n/.test(text.slice(end, start)),
  );
}

/** Exports of the folders above without a doc comment, one line each. What is passed on from another file is its file's. */
export function undocumentedExports(file: SourceFile): string[] {
  if (isTest(file.path) || !DOCUMENTED.some((folder) => file.path.startsWith(folder))) return [];
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
