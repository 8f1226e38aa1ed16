import { basename, dirname } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { type BuildOptions, build, type Plugin } from "esbuild";
import type { Lang } from "../../../app/domain/shared/model";
import { type KeyTree, listTexts } from "../../../app/i18n/message-trees.server";
import type { MessageTree, Namespace } from "../../../app/i18n/messages";
import { fromRoot, ROOT } from "../paths";

/** Messages by language and namespace. */
export type MessagesByLanguage = Readonly<Record<Lang, Readonly<Partial<Record<Namespace, MessageTree>>>>>;

interface MessageModule {
  readonly resources: MessagesByLanguage;
  readonly readMessages: (lang: Lang) => Readonly<Record<string, MessageTree>>;
}

const BUNDLE_OPTIONS = {
  entryPoints: [fromRoot("app/i18n/resources.server.ts")],
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  alias: { "~": fromRoot("app") },
  logLevel: "silent",
  absWorkingDir: ROOT,
} as const satisfies BuildOptions;

/** Bundles and imports app/i18n/resources.server.ts. Each call reads the file from the disk again. */
export async function loadMessageModule(): Promise<MessageModule> {
  const { outputFiles } = await build(BUNDLE_OPTIONS);
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
}

const pack = (lines: readonly unknown[]): Buffer =>
  brotliCompressSync(lines.map((line) => JSON.stringify(line)).join("\n"));

const subtree = (message: string | MessageTree | undefined): MessageTree =>
  typeof message === "object" ? message : {};

/** The keys that at least one of the trees has. */
const mergeKeys = (trees: readonly MessageTree[]): KeyTree =>
  Object.fromEntries(
    trees
      .flatMap(Object.entries<string | MessageTree>)
      .map(([key, message]) => [
        key,
        typeof message === "string" ? 0 : mergeKeys(trees.map((tree) => subtree(tree[key]))),
      ]),
  );

/** The data modules of the messages (unpackTrees): the texts of each language, and the keys of both, so that they are not stored twice. */
export function packMessages(
  readMessages: MessageModule["readMessages"],
): Readonly<Record<"keys" | Lang, Buffer>> {
  const [en, ja] = [readMessages("en"), readMessages("ja")];
  const keys = mergeKeys([en, ja]) as Readonly<Record<string, KeyTree>>;
  const packTexts = (messages: Readonly<Record<string, MessageTree>>) =>
    pack(
      Object.entries(keys).map(([name, tree]) => (messages[name] ? listTexts(tree, messages[name]) : null)),
    );
  return { keys: pack([Object.keys(keys), ...Object.values(keys)]), en: packTexts(en), ja: packTexts(ja) };
}

/** Replaces the exports of app/i18n/resources.server.ts that the worker uses. workerd passes a data module as an ArrayBuffer. */
const UNPACKING_MODULE = `import { brotliDecompressSync } from "node:zlib";
import { unpackTrees } from "~/i18n/message-trees.server";
import keys from "packed-messages:keys.br";
import en from "packed-messages:en.br";
import ja from "packed-messages:ja.br";
const texts = { en, ja };
const unpack = (data) => new TextDecoder().decode(brotliDecompressSync(data));
export const readMessages = (lang) => unpackTrees(unpack(keys), unpack(texts[lang]));
`;

/**
 * Replaces app/i18n/resources.server.ts in the worker's bundle by three data modules and a module that unpacks them. Every byte of a worker costs
 * start-up time, and object literals of 400 KB would also have to be compiled and evaluated.
 */
export const packedMessages: Plugin = {
  name: "packed-messages",
  setup({ onLoad, onResolve }) {
    let packed: Promise<ReturnType<typeof packMessages>> | undefined;
    onLoad({ filter: /\/app\/i18n\/resources\.server\.ts$/ }, ({ path }) => ({
      contents: UNPACKING_MODULE,
      resolveDir: dirname(path),
    }));
    onResolve({ filter: /^packed-messages:/ }, ({ path }) => ({
      path: path.replace("packed-messages:", ""),
      namespace: "packed-messages",
    }));
    onLoad({ filter: /./, namespace: "packed-messages" }, async ({ path }) => {
      packed ??= loadMessageModule().then(({ readMessages }) => packMessages(readMessages));
      return { contents: (await packed)[basename(path, ".br") as "keys" | Lang], loader: "copy" };
    });
  },
};
