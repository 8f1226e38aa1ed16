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

/**
 * Returns a module that exports readMessages of app/i18n/resources.server.ts, with each language's messages compressed. Every byte of a worker costs
 * start-up time, and object literals of 400 KB would also have to be compiled and evaluated.
 */
export function packMessages(readMessages: MessageModule["readMessages"]): string {
  const packLanguage = (lang: Lang) =>
    brotliCompressSync(JSON.stringify(readMessages(lang))).toString("base64");
  return `import { Buffer } from "node:buffer";
import { brotliDecompressSync } from "node:zlib";
const packed = ${JSON.stringify({ ja: packLanguage("ja"), en: packLanguage("en") } satisfies Record<Lang, string>)};
export const readMessages = (lang) =>
  JSON.parse(brotliDecompressSync(Buffer.from(packed[lang], "base64")).toString());
`;
}

/** Replaces app/i18n/resources.server.ts in the worker's bundle: see packMessages. */
export const packedMessages: Plugin = {
  name: "packed-messages",
  setup({ onLoad }) {
    onLoad({ filter: /\/app\/i18n\/resources\.server\.ts$/ }, async () => {
      const { readMessages } = await loadMessageModule();
      return { contents: packMessages(readMessages) };
    });
  },
};
