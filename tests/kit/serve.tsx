import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import { renderToString } from "react-dom/server";
import { build } from "vite";
import icons from "~/components/icons.svg?url";
import { fromRoot } from "../../scripts/lib/paths";
import { ComponentGallery, PAGES, type PageName } from "./gallery";

const OUT_FOLDER = fromRoot(".cache", "kit");
const CONTENT_TYPES: Readonly<Record<string, string>> = { ".css": "text/css", ".svg": "image/svg+xml" };

/** Builds the gallery's script (React's development build, which reports hydration mismatches) and its style sheet. */
async function buildGallery(): Promise<void> {
  await build({
    configFile: false,
    root: fromRoot(),
    logLevel: "error",
    mode: "development",
    define: { "process.env.NODE_ENV": '"development"' },
    publicDir: false,
    plugins: [tailwindcss()],
    resolve: { tsconfigPaths: true },
    build: {
      outDir: OUT_FOLDER,
      emptyOutDir: true,
      minify: false,
      target: "es2022",
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: { client: fromRoot("tests/kit/client.tsx"), kit: fromRoot("tests/kit/kit.css") },
        output: {
          entryFileNames: "[name].js",
          assetFileNames: "[name][extname]",
          chunkFileNames: "[name].js",
        },
      },
    },
  });
}

function html(page: PageName, lang: "ja" | "en", url: string): string {
  // The build of the gallery gives the icons another URL than the server's modules.
  const body = renderToString(<ComponentGallery page={page} lang={lang} url={url} />).replaceAll(
    icons,
    "/icons.svg",
  );
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${page}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/kit.css"><script type="module" src="/client.js"></script></head><body><div id="root" data-page="${page}">${body}</div></body></html>`;
}

/** Serves the gallery under a strict content security policy. The response to a post contains the posted values. */
export async function serveGallery(): Promise<{ origin: string; close: () => Promise<void> }> {
  await buildGallery();
  const files: Record<string, [type: string, body: Buffer]> = Object.fromEntries(
    readdirSync(OUT_FOLDER).map((name) => [
      `/${name}`,
      [CONTENT_TYPES[extname(name)] ?? "text/javascript", readFileSync(`${OUT_FOLDER}/${name}`)],
    ]),
  );
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const file = files[pathname];
    response.setHeader(
      "content-security-policy",
      "default-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:",
    );
    if (file) {
      response.setHeader("content-type", file[0]).end(file[1]);
      return;
    }
    if (request.method === "POST") {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () =>
        response.setHeader("content-type", "text/plain; charset=utf-8").end(Buffer.concat(chunks).toString()),
      );
      return;
    }
    const page = PAGES.find((name) => pathname === `/${name}`) ?? "parts";
    const lang = searchParams.get("lang") === "en" ? "en" : "ja";
    try {
      response
        .setHeader("content-type", "text/html; charset=utf-8")
        .end(html(page, lang, request.url ?? "/"));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
