import { brotliCompressSync } from "node:zlib";
import { type BuildOptions, build, type Plugin } from "esbuild";
import type { Lang } from "../../app/domain/shared/model";
import type { MessageTree, Namespace } from "../../app/i18n/messages";
import { fromRoot, ROOT } from "./paths";

/** Messages by language and namespace. */
export type Messages = Readonly<Record<Lang, Readonly<Partial<Record<Namespace, MessageTree>>>>>;

interface MessageModule {
  readonly resources: Messages;
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

/** The messages of a language as JSON, compressed with Brotli. */
export const packMessages = (readMessages: MessageModule["readMessages"], lang: Lang): Buffer =>
  brotliCompressSync(JSON.stringify(readMessages(lang)));

/** Replaces the exports of app/i18n/resources.server.ts that the worker uses. workerd passes a data module as an ArrayBuffer. */
const UNPACKING_MODULE = `import { brotliDecompressSync } from "node:zlib";
import en from "packed-messages:en.br";
import ja from "packed-messages:ja.br";
const packed = { en, ja };
export const readMessages = (lang) => JSON.parse(new TextDecoder().decode(brotliDecompressSync(packed[lang])));
`;

/**
 * Replaces app/i18n/resources.server.ts in the worker's bundle by two data modules and a module that unpacks them. Every byte of a worker costs
 * start-up time, and object literals of 400 KB would also have to be compiled and evaluated.
 */
export const packedMessages: Plugin = {
  name: "packed-messages",
  setup({ onLoad, onResolve }) {
    let messages: Promise<MessageModule> | undefined;
    onLoad({ filter: /\/app\/i18n\/resources\.server\.ts$/ }, () => ({ contents: UNPACKING_MODULE }));
    onResolve({ filter: /^packed-messages:/ }, ({ path }) => ({
      path: path.replace("packed-messages:", ""),
      namespace: "packed-messages",
    }));
    onLoad({ filter: /./, namespace: "packed-messages" }, async ({ path }) => {
      messages ??= loadMessageModule();
      const { readMessages } = await messages;
      return { contents: packMessages(readMessages, path.startsWith("ja") ? "ja" : "en"), loader: "copy" };
    });
  },
};
