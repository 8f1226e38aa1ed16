/** The import table of the design (specification §3) and a search for import cycles, as functions that check any set of files. */
import { posix } from "node:path";
import ts from "typescript";

/** Path of a file relative to the project's root, and its text. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

/** One import of a file. `target` is a path relative to the root, or a package. */
export interface ModuleImport {
  readonly from: string;
  readonly target: string;
  readonly kind: "value" | "type" | "dynamic";
}

const ALIASES: readonly (readonly [string, string])[] = [
  ["~/", "app/"],
  ["#functions/", "functions/"],
];

/** Resolves a specifier to a path relative to the root, or returns the package specifier unchanged. */
export function resolveSpecifier(from: string, specifier: string): string {
  for (const [alias, folder] of ALIASES)
    if (specifier.startsWith(alias)) return folder + specifier.slice(alias.length);
  if (specifier.startsWith(".")) return posix.join(posix.dirname(from), specifier);
  return specifier;
}

/** All imports of a file: static imports, `export … from`, dynamic imports, and types such as `typeof import(…)`. */
export function findImports(file: ProjectFile): ModuleImport[] {
  const { path } = file;
  const imports: ModuleImport[] = [];
  const add = (specifier: ts.Node | undefined, kind: ModuleImport["kind"]) => {
    if (specifier && ts.isStringLiteralLike(specifier))
      imports.push({
        from: path,
        target: resolveSpecifier(path, specifier.text.replace(/\?\w+$/, "")),
        kind,
      });
  };
  const walk = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const clause = node.importClause;
      const namedBindings = clause?.namedBindings;
      // `import { type A, type B } from` also imports only types.
      const onlyTypes =
        clause?.isTypeOnly ||
        (clause !== undefined &&
          !clause.name &&
          namedBindings !== undefined &&
          ts.isNamedImports(namedBindings) &&
          namedBindings.elements.length > 0 &&
          namedBindings.elements.every((element) => element.isTypeOnly));
      add(node.moduleSpecifier, onlyTypes ? "type" : "value");
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const namedExports = node.exportClause;
      const onlyTypes =
        node.isTypeOnly ||
        (namedExports !== undefined &&
          ts.isNamedExports(namedExports) &&
          namedExports.elements.length > 0 &&
          namedExports.elements.every((element) => element.isTypeOnly));
      add(node.moduleSpecifier, onlyTypes ? "type" : "value");
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], "dynamic");
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, "type");
    }
    ts.forEachChild(node, walk);
  };
  walk(parse(file));
  return imports;
}

const parsedFiles = new WeakMap<ProjectFile, ts.SourceFile>();

/** Parses a file once for all rules. */
export function parse(file: ProjectFile): ts.SourceFile {
  const cachedTree = parsedFiles.get(file);
  if (cachedTree) return cachedTree;
  const kind = file.path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true, kind);
  parsedFiles.set(file, tree);
  return tree;
}

interface ArchitectureRule {
  readonly name: string;
  readonly contains: (path: string) => boolean;
  /** Project folders and files that may be imported. A folder ends with a slash. */
  readonly values: readonly string[];
  /** Project folders and files from which only types may be imported. */
  readonly types?: readonly string[];
  readonly packages?: readonly RegExp[];
}

const inFolder = (folder: string) => (path: string) => path.startsWith(folder);
const REACT = /^react(-dom)?(\/|$)/;
/** Packages for messages. Other code of the app uses the typed hook of app/i18n. */
const I18NEXT = /^(i18next|react-i18next|remix-i18next)(\/|$)/;
const REMIX = /^@remix-run\/(react|cloudflare|route-config)$/;
/** three and related packages: a megabyte that no page waits for and no server runs. */
export const THREE = /^(three|@sparkjsdev\/|@photo-sphere-viewer\/|meshoptimizer)(\/|$)?/;
/** Libraries with which the owner's browser converts files. */
const CONVERTERS =
  /^(@gltf-transform|gltf-validator|draco3dgltf|ktx2-encoder|web-ifc|laz-perf|mediabunny|geotiff|libheif-js|saxes)(\/|$)/;
/** Packages that pages use only on the server, to parse and cache texts and to draw QR codes and charts. */
const SERVER_ONLY = /^(mdast-util-from-markdown|lru-cache|qrcode-generator|d3-array)$/;
/** Folders of the code that draws spaces and the media in them. */
const ADAPTERS = ["model", "panorama", "placed-media", "shared", "showcase", "splat"].map(
  (name) => `app/viewer/${name}/`,
);
const isAdapter = (path: string) =>
  /^app\/viewer\/(model|panorama|placed-media|shared|showcase|splat)\/.*\.client\.tsx?$/.test(path);
/** Components with Headless UI and the code that swaps them in. A page loads them at its first pointer or focus event. */
const isEnhancement = (path: string) => /^app\/components\/[\w/-]+\.client(\.tsx?)?$/.test(path);
/** Converters run in the owner's browser and are loaded when a file needs them. */
const isConverter = (path: string) => /^app\/features\/library\/prepare\/.*\.(client|worker)\.ts$/.test(path);

/** Loads code that few requests need. */
const LOAD_MODULE = "functions/load-module";

/** The permitted imports of each folder. The first rule that contains a file applies. */
export const ARCHITECTURE_RULES: readonly ArchitectureRule[] = [
  { name: "app/domain", contains: inFolder("app/domain/"), values: ["app/domain/"], packages: [/^zod$/] },
  {
    name: "app/i18n",
    contains: inFolder("app/i18n/"),
    values: ["app/i18n/", "app/domain/"],
    packages: [REACT, I18NEXT],
  },
  {
    name: "app/components/*.client",
    contains: (path) => isEnhancement(path),
    values: ["app/components/", "app/domain/", "app/i18n/"],
    packages: [REACT, /^@headlessui\/react$/],
  },
  {
    name: "app/components",
    contains: inFolder("app/components/"),
    values: ["app/components/", "app/domain/", "app/i18n/"],
    packages: [REACT, /^@remix-run\/react$/],
  },
  {
    name: "app/forms",
    contains: inFolder("app/forms/"),
    values: ["app/forms/", "app/components/", "app/domain/", "app/i18n/"],
    packages: [REACT, /^@remix-run\/react$/, /^@conform-to\/(react|zod)(\/v4)?$/],
  },
  {
    name: "app/features/content/editor",
    contains: inFolder("app/features/content/editor/"),
    values: ["app/features/content/editor/", "app/domain/"],
  },
  {
    name: "app/viewer/core",
    contains: inFolder("app/viewer/core/"),
    values: ["app/viewer/core/", "app/domain/"],
  },
  {
    name: "app/viewer/{model,panorama,placed-media,shared,showcase,splat}",
    contains: (path) => ADAPTERS.some((folder) => path.startsWith(folder)),
    values: [...ADAPTERS, "app/viewer/core/", "app/domain/"],
    packages: [THREE, /^fzstd$/],
  },
  {
    name: "app/viewer",
    contains: inFolder("app/viewer/"),
    values: ["app/viewer/", "app/domain/", "app/i18n/"],
    packages: [REACT],
  },
  {
    name: "app/features/library/prepare",
    contains: inFolder("app/features/library/prepare/"),
    values: [
      "app/features/library/prepare/",
      "app/features/library/uploads/preflight/pack-gltf",
      "app/features/library/uploads/preflight/open-zip",
      "app/viewer/shared/point-normals",
      "app/viewer/splat/",
      "app/viewer/core/",
      "app/domain/",
    ],
    packages: [THREE, CONVERTERS],
  },
  {
    name: "app/features/library/conversions",
    contains: inFolder("app/features/library/conversions/"),
    values: [
      "app/features/library/conversions/",
      "app/features/library/prepare/conversion",
      "app/features/library/prepare/converters",
      "app/features/library/uploads/browser-api",
      "app/features/library/uploads/thumbnails/make-thumbnail",
      "app/components/",
      "app/domain/",
      "app/i18n/",
    ],
    packages: [REACT, /^@remix-run\/react$/],
  },
  {
    name: "app/features/library/reader/*.client",
    contains: (path) => /^app\/features\/library\/reader\/.*\.client\.ts$/.test(path),
    values: ["app/domain/"],
    packages: [/^pdfjs-dist\//],
  },
  {
    name: "app/features/library/reader",
    contains: inFolder("app/features/library/reader/"),
    values: ["app/features/library/reader/", "app/components/", "app/domain/", "app/i18n/"],
    packages: [REACT],
  },
  {
    name: "app/features/library/uploads",
    contains: inFolder("app/features/library/uploads/"),
    values: [
      "app/features/library/uploads/",
      "app/features/library/conversions/",
      "app/components/",
      "app/features/library/reader/pdf.client",
      "app/viewer/thumbnail",
      "app/domain/",
      "app/i18n/",
    ],
    packages: [REACT, /^@remix-run\/react$/, /^(gltf-validator|mediabunny)$/, /^@zip\.js\/zip\.js\//],
  },
  {
    name: "app/routes",
    contains: inFolder("app/routes/"),
    values: [
      "app/routes/",
      "app/forms/",
      "app/components/",
      "app/features/content/editor/",
      "app/viewer/Viewer",
      "app/viewer/core/nudge",
      "app/viewer/core/device-capacity",
      "app/viewer/core/equirect",
      "app/viewer/core/model-summary",
      "app/viewer/core/model-views",
      "app/features/library/reader/DocumentLink",
      "app/features/library/reader/OpenedDocument",
      "app/features/library/conversions/",
      "app/features/library/prepare/conversion",
      "app/features/library/prepare/converters",
      "app/features/library/uploads/thumbnails/draw-thumbnails",
      "app/features/library/uploads/upload-tray-loader",
      "app/features/library/uploads/thumbnails/upload-thumbnail",
      "app/features/library/uploads/upload-user",
      "app/features/library/uploads/batch-uploader",
      "app/features/library/uploads/uploader",
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
    contains: inFolder("app/"),
    values: ["app/routes/", "app/components/", "app/domain/", "app/i18n/", "app/styles.css"],
    types: ["functions/"],
    // Only a module of the server (*.server.ts) imports entities.
    packages: [REACT, REMIX, /^react-router$/, /^entities\/decode$/],
  },
  {
    name: "functions/services",
    contains: inFolder("functions/services/"),
    values: ["functions/services/", LOAD_MODULE, "app/domain/"],
    types: ["functions/data/"],
    packages: [/^lru-cache$/],
  },
  ...["data", "media", "storefront", "http", "security", "cache"].map(
    (folder): ArchitectureRule => ({
      name: `functions/${folder}`,
      contains: inFolder(`functions/${folder}/`),
      values: [
        `functions/${folder}/`,
        ...(folder === "data" ? [] : ["functions/cache/", LOAD_MODULE]),
        ...(folder === "http" ? ["functions/security/"] : []),
        "app/domain/",
      ],
      types: ["functions/services/"],
      packages: [
        /^node:(crypto|buffer)$/,
        ...(folder === "data" ? [] : [/^lru-cache$/]),
        ...(folder === "data" ? [/^drizzle-orm(\/|$)/] : []),
        ...(folder === "media" ? [/^mediabunny$/, /^@zip\.js\/zip\.js\//] : []),
        ...(folder === "storefront" ? [/^@shopify\/storefront-api-client$/, /^htmlparser2$/, /^zod$/] : []),
        ...(folder === "http" ? [/^hono\/utils\/cookie$/, /^zod$/, /^papaparse$/, /^isbot$/] : []),
        ...(folder === "security" ? [/^node:dns$/, /^@simplewebauthn\/server(\/helpers)?$/] : []),
      ],
    }),
  ),
  {
    name: "functions/mail",
    contains: inFolder("functions/mail/"),
    values: ["functions/mail/", "app/i18n/", "app/domain/"],
    types: ["functions/services/"],
  },
  {
    name: "functions/api",
    contains: inFolder("functions/api/"),
    values: [
      "functions/api/",
      LOAD_MODULE,
      "functions/services/",
      "functions/http/",
      "functions/security/",
      "app/domain/",
      "public/url_params.json",
    ],
    // Only the version of swagger-ui-dist: the page names its files, and the build copies them.
    packages: [/^hono(\/|$)/, /^zod(-openapi)?$/, /^swagger-ui-dist\/package\.json$/],
  },
  {
    name: "functions/rooms",
    contains: inFolder("functions/rooms/"),
    values: ["functions/", "app/domain/"],
    packages: [/^cloudflare:workers$/],
  },
  {
    name: "functions",
    contains: inFolder("functions/"),
    values: ["functions/", "app/domain/", "public/", "#build"],
    packages: [/^@remix-run\/cloudflare$/, /^remix-i18next\/server$/],
  },
];

const isProjectPath = (target: string) =>
  /^(app|functions|public|scripts|seed|tests|migrations)\//.test(target) || target === "#build";
export const isTest = (path: string) => /\.test\.tsx?$/.test(path) || path.endsWith("/test-kit.ts");
const isInLayer = (target: string, allowed: readonly string[] = []) =>
  allowed.some((entry) =>
    entry.endsWith("/") ? `${target}/`.startsWith(entry) : target.replace(/\.tsx?$/, "") === entry,
  );

/** A test beside the app's code must not run edge code either. A test that needs both is in tests/. */
const findEdgeImportsInAppTest = (file: ProjectFile): readonly string[] =>
  findImports(file).flatMap(({ target, kind }) =>
    file.path.startsWith("app/") && target.startsWith("functions/") && kind !== "type"
      ? [`${file.path} imports ${target}: the app's tests may import only types`]
      : [],
  );

/** Import violations of some files, one line each; empty when they follow the table. */
export function findBrokenRules(files: readonly ProjectFile[]): string[] {
  const violations: string[] = [];
  for (const file of files) {
    if (isTest(file.path)) {
      violations.push(...findEdgeImportsInAppTest(file));
      continue;
    }
    const layer = ARCHITECTURE_RULES.find(({ contains }) => contains(file.path));
    if (!layer) continue;
    for (const { target, kind } of findImports(file)) {
      const report = (reason: string) => violations.push(`${file.path} imports ${target}: ${reason}`);
      if (!isProjectPath(target)) {
        if (THREE.test(target) && kind !== "type" && !isAdapter(file.path) && !isConverter(file.path))
          report("three belongs in adapters and converters");
        else if (kind !== "type" && !(layer.packages ?? []).some((allowed) => allowed.test(target)))
          report(`${layer.name} may not import this package`);
        continue;
      }
      if (isEnhancement(target) && kind === "value" && !isEnhancement(file.path))
        report("enhancements may only be loaded by import()");
      else if (
        isAdapterTarget(target) &&
        kind === "value" &&
        !isAdapter(file.path) &&
        !isConverter(file.path)
      )
        report("adapters may only be loaded by import()");
      else if (!isInLayer(target, layer.values) && !(kind === "type" && isInLayer(target, layer.types)))
        report(
          isInLayer(target, layer.types)
            ? `${layer.name} may import only types`
            : `${layer.name} may not import this`,
        );
    }
  }
  return violations;
}

const isAdapterTarget = (target: string) =>
  /^app\/viewer\/(model|panorama|placed-media|shared|showcase|splat)\/.*\.client(\.tsx?)?$/.test(target);

/**
 * Finds files that import each other in a cycle. Imports of types and dynamic imports count too.
 * @returns the paths, without extensions, of the files in cycles and of files between two cycles
 */
export function findImportCycles(files: readonly ProjectFile[]): readonly string[] {
  const withoutExtension = (path: string) => path.replace(/\.tsx?$/, "").replace(/\/index$/, "");
  const imports = new Map(
    files.map((file) => [
      withoutExtension(file.path),
      findImports(file).map(({ target }) => withoutExtension(target)),
    ]),
  );
  let size: number;
  do {
    size = imports.size;
    const imported = new Set([...imports.values()].flat());
    for (const [path, targets] of imports)
      if (!imported.has(path) || !targets.some((target) => imports.has(target))) imports.delete(path);
  } while (imports.size < size);
  return [...imports.keys()];
}
