/** Builds and serves the page that runs converters, under the policies of the product. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "vite";
import { contentSecurityPolicy } from "#functions/http/csp";
import { fromRoot } from "../../../scripts/lib/paths";
import { assetPolicy } from "../../support/asset-policy";

const OUT_FOLDER = fromRoot(".cache", "converters");
const CONTENT_TYPES: Readonly<Record<string, string>> = { js: "text/javascript", wasm: "application/wasm" };

async function buildPage(): Promise<void> {
  await build({
    configFile: false,
    root: fromRoot(),
    logLevel: "error",
    mode: "development",
    define: { "process.env.NODE_ENV": JSON.stringify("development") },
    publicDir: false,
    // As in the product's build, because these packages evaluate strings.
    resolve: {
      tsconfigPaths: true,
      alias: [
        {
          find: /^ndarray(-ops|-pixels)?$/,
          replacement: fromRoot("app/features/library/prepare/no-pixels.ts"),
        },
      ],
    },
    worker: { format: "es" },
    build: {
      outDir: OUT_FOLDER,
      emptyOutDir: true,
      minify: false,
      target: "es2022",
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 20_000,
      rolldownOptions: {
        input: { page: fromRoot("tests/viewer/converters/page.client.ts") },
        output: { entryFileNames: "[name].js" },
      },
    },
  });
}

/** A server of the page and of the tests' files. */
export interface ConverterServer {
  readonly origin: string;
  /** Offers a file. @returns its path */
  put(bytes: Uint8Array): string;
  close(): Promise<void>;
}

export async function serveConverters(): Promise<ConverterServer> {
  await buildPage();
  const files: Uint8Array[] = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    response.setHeader("content-security-policy", contentSecurityPolicy("app", null));
    const [, index] = /^\/files\/(\d+)$/.exec(path) ?? [];
    if (path === "/") {
      const page = `<!DOCTYPE html><meta charset="utf-8"><title>Converters</title><script type="module" src="/page.js"></script>`;
      response.setHeader("content-type", "text/html").end(page);
    } else if (index !== undefined) response.end(files[Number(index)]);
    else {
      const content = await readFile(`${OUT_FOLDER}${path}`).catch(() => null);
      response.setHeader(
        "content-type",
        CONTENT_TYPES[path.split(".").pop() ?? ""] ?? "application/octet-stream",
      );
      const policy = assetPolicy(path);
      if (policy) response.setHeader("content-security-policy", policy);
      response.writeHead(content ? 200 : 404).end(content);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put: (bytes) => `/files/${files.push(bytes) - 1}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
