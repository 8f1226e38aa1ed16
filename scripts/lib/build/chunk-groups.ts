/** Packages of the framework. Their chunk changes only when a package changes, so browsers keep it in their cache across releases. */
const FRAMEWORK =
  /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@remix-run\/(react|router)|turbo-stream|i18next|react-i18next)\//;

/** Modules of app that are bundled together, by the name of their chunk: paths without extension. chunk-groups.test.ts checks that each exists. */
export const CHUNK_MODULES = {
  /** Modules that nearly every page needs. Without a group, they would become a dozen files of a few hundred bytes each, requested one by one. */
  kit: [
    "components/anchor",
    "components/brand",
    "components/button",
    "components/cx",
    "components/empty-room",
    "components/icon",
    "components/media/player",
    "components/menus/language-switch",
    "components/message-page",
    "components/outside-link",
    "components/use-hydrated",
    "components/version-text",
    "components/visually-hidden",
    "domain/library/media-kinds",
    "domain/library/media-url",
    "domain/shared/is-record",
    "domain/shared/lang",
    "i18n/create-i18n",
    "i18n/format",
    "i18n/late-part",
    "i18n/load",
    "i18n/translation",
    "routes/shared/failure-page",
    "routes/shared/rendering",
    "routes/visitors/media/media-icons",
  ],
  /** Formatted dates. Visitors' initial pages need neither these nor the form fields below. */
  dates: ["components/date-time", "domain/shared/time-zone"],
  fields: [
    "components/fields/copy-field",
    "components/fields/field",
    "components/fields/form-error-summary",
    "components/fields/password-field",
  ],
  /** The menus as the server renders them, which every page of an owner needs, and the loader of their replacements. */
  menu: ["components/menus/menu", "components/menus/use-replacements", "components/menus/user-menu"],
  /** Parsers of files that both splats and uploads need. Each chunk of its own would add a name to the script that loads before the stage. */
  files: [
    "domain/library/formats/inflate",
    "domain/library/formats/sog",
    "domain/library/formats/splats-max",
    "domain/library/formats/spz",
    "domain/library/formats/zip/zip-directory",
  ],
  /** The viewer's stage and the parts of the page around it. Pages with a stage need both, and two files would be a kilobyte larger than one. */
  stage: [
    "features/library/reader/DocumentLink",
    "routes/store/storefront/path",
    "routes/store/visit/visit-context",
    "routes/visitors/list/content-list",
    "routes/visitors/list/entries",
    "routes/visitors/list/tag-link",
    "routes/visitors/media/media-item",
    "routes/visitors/media/rich",
    "routes/visitors/page/open-event",
    "routes/visitors/page/split",
    "routes/visitors/page/use-shop",
    "routes/visitors/page/visit-header",
    "routes/visitors/share/event-link",
    "viewer/Viewer",
    "viewer/ViewerNotices",
    "viewer/use-accessible-list",
    "viewer/use-stage",
    "viewer/when-readable",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const chunkNames = new Map<string, string>(
  Object.entries(CHUNK_MODULES).flatMap(([name, modules]) => modules.map((module) => [module, name])),
);

/** Returns the name of the chunk for a module's id; undefined if the bundler chooses the chunk. */
function findChunkName(id: string): string | undefined {
  if (FRAMEWORK.test(id)) return "react";
  if (id.includes("vite/preload-helper")) return "kit";
  const module = /\/app\/(.+)\.tsx?$/.exec(id)?.[1];
  return module === undefined ? undefined : chunkNames.get(module);
}

/** Chunks of the browser build that contain code of several routes. A module, together with its imports, goes to the first group that matches it. */
export const CHUNK_GROUPS = ["react", ...Object.keys(CHUNK_MODULES)].map((name, index, names) => ({
  name,
  test: (id: string) => findChunkName(id) === name,
  priority: names.length - index,
}));
