import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import tailwindcss from "@tailwindcss/vite";
import { renderToString } from "react-dom/server";
import sharp from "sharp";
import { build } from "vite";
import tsconfigPaths from "vite-tsconfig-paths";
import { contentSecurityPolicy } from "#functions/platform/csp";
import type { ViewerSource } from "~/viewer/core/contract";
import { fromRoot } from "../../scripts/lib/paths";
import { makeFilm } from "../../seed/assets/film";
import type { Splat } from "../../seed/assets/splats/spz";
import { wavFile } from "../support/media-files";
import { type PageInput, StagePage } from "./page";
import {
  makeModel,
  makePanoramas,
  makeSplats,
  media,
  modelSource,
  panoramaSource,
  pins,
  splatSource,
} from "./rooms";
import { writers } from "./splats";

const OUT = fromRoot(".cache", "viewer");

/** Builds the test pages' scripts the way the product's are built, but to be read. */
async function buildPages(): Promise<void> {
  await build({
    configFile: false,
    root: fromRoot(),
    logLevel: "error",
    mode: "development",
    define: { "process.env.NODE_ENV": JSON.stringify("development") },
    publicDir: false,
    plugins: [tailwindcss(), tsconfigPaths()],
    esbuild: { jsx: "automatic" },
    build: {
      outDir: OUT,
      emptyOutDir: true,
      minify: false,
      target: "es2022",
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      rollupOptions: {
        input: {
          adapters: fromRoot("tests/viewer/adapters.client.ts"),
          page: fromRoot("tests/viewer/page.client.tsx"),
          style: fromRoot("tests/viewer/page.css"),
        },
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          assetFileNames: "[name][extname]",
        },
      },
    },
  });
}

/** A file that says that it has more splats than any device draws. */
const manySplats = () =>
  Buffer.from(
    writers
      .ply(makeSplats())
      .toString("latin1")
      .replace(/element vertex \d+/, "element vertex 90000000"),
    "latin1",
  );

/** Every ninth of them is nowhere, or of no size. */
const spoil = (splats: readonly Splat[]): readonly Splat[] =>
  splats.map((splat, index) => {
    if (index % 9 !== 4) return splat;
    const nowhere: Splat["position"] = [Number.NaN, Number.POSITIVE_INFINITY, 0];
    return index % 2 ? { ...splat, position: nowhere } : { ...splat, scale: [Number.NaN, 0, 1e30] };
  });

/** A model that says that it has fifty million triangles. */
function hugeModel(): Buffer {
  const text = JSON.stringify({
    asset: { version: "2.0" },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ count: 150_000_000, componentType: 5126, type: "VEC3" }],
  });
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4));
  const head = Buffer.alloc(20);
  head.write("glTF");
  for (const [at, value] of [
    [4, 2],
    [8, 20 + json.length],
    [12, json.length],
    [16, 0x4e4f534a],
  ] as const)
    head.writeUInt32LE(value, at);
  return Buffer.concat([head, json]);
}

const shell = (body: string, script: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Stage</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"><script type="module" src="${script}"></script></head><body>${body}</body></html>`;

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

export interface StageServer {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Serves the test pages and their content under the product's own content security policy.
 * @param extra further files and pages by path, for example to look at other content.
 */
export async function serveStage(
  extra: {
    readonly files?: ReadonlyMap<string, readonly [type: string, body: Buffer]>;
    readonly pages?: ReadonlyMap<string, Pick<PageInput, "source" | "pins">>;
  } = {},
): Promise<StageServer> {
  const [, model, panoramas] = await Promise.all([buildPages(), makeModel(), makePanoramas()]);
  const grey = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#667" } })
      .jpeg()
      .toBuffer();
  const files = new Map<string, readonly [type: string, body: Buffer]>([
    ["/rooms.glb", ["model/gltf-binary", model]],
    ...Object.entries(writers).map(
      ([format, write]) => [`/rooms.${format}`, ["application/octet-stream", write(makeSplats())]] as const,
    ),
    ["/many.ply", ["application/octet-stream", manySplats()]],
    ["/cut.ply", ["application/octet-stream", writers.ply(makeSplats()).subarray(0, 2000)]],
    ["/huge.glb", ["model/gltf-binary", hugeModel()]],
    ["/nan.ply", ["application/octet-stream", writers.ply(spoil(makeSplats()))]],
    ["/broken.glb", ["model/gltf-binary", Buffer.from("this is no model")]],
    ["/cut.glb", ["model/gltf-binary", model.subarray(0, 600)]],
    ["/wide.jpg", ["image/jpeg", await grey(640, 200)]],
    ["/film.webm", ["video/webm", Buffer.from(await makeFilm(6))]],
    ["/sound.wav", ["audio/wav", Buffer.from(wavFile(1))]],
    [
      "/picture.jpg",
      ["image/jpeg", await sharp(panoramas.get("red")).resize(800, 600, { fit: "cover" }).jpeg().toBuffer()],
    ],
    ["/noise.jpg", ["image/jpeg", Buffer.from("this is no picture")]],
    ["/poster.jpg", ["image/jpeg", await sharp(panoramas.get("green")).resize(640, 320).jpeg().toBuffer()]],
    ...[...panoramas].map(([id, body]) => [`/${id}.jpg`, ["image/jpeg", body]] as const),
    ...(extra.files ?? []),
  ]);
  const slow = new Set<NodeJS.Timeout>();
  const drip = (response: ServerResponse) => {
    response.setHeader("content-type", "model/gltf-binary").setHeader("content-length", model.length);
    let sent = 0;
    const timer = setInterval(() => {
      response.write(model.subarray(sent, sent + 200));
      sent += 200;
    }, 50);
    slow.add(timer);
    response.on("close", () => clearInterval(timer));
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? "/", "http://localhost");
    response.setHeader("content-security-policy", contentSecurityPolicy("viewer", null, null, true));
    const file = files.get(pathname);
    if (file) return void response.setHeader("content-type", file[0]).end(file[1]);
    if (pathname === "/slow.glb") return drip(response);
    if (/^\/[\w.-]+\.(js|css)$/.test(pathname)) {
      const type = pathname.endsWith(".js") ? "text/javascript" : "text/css";
      return void response.setHeader("content-type", type).end(readFileSync(`${OUT}${pathname}`));
    }
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (pathname === "/adapters") return void response.end(shell("", "/adapters.js"));
    const other = extra.pages?.get(pathname);
    if (pathname !== "/visit" && !other) return void response.writeHead(404).end();
    const kind = searchParams.get("kind") ?? "model";
    const sources: Record<string, ViewerSource> = {
      model: modelSource(searchParams.get("file") ?? "/rooms.glb"),
      panorama: panoramaSource(""),
      splat: splatSource("/rooms.spz"),
      showcase: {
        kind: "showcase",
        src: "https://my.matterport.com/show/?m=SxQL3iGyoDo&play=1",
        title: "Two rooms",
        ...{ key: searchParams.get("key"), start: null },
      },
    };
    const input: PageInput = {
      lang: searchParams.get("lang") === "ja" ? "ja" : "en",
      source: other?.source ?? sources[kind] ?? modelSource("/rooms.glb"),
      pins: other?.pins ?? pins,
      media: searchParams.has("media") ? media : [],
      search,
      autoStart: searchParams.get("start") !== "wait",
    };
    const body = renderToString(<StagePage input={input} />);
    response.end(
      shell(`<div id="root" data-input="${escapeHtml(JSON.stringify(input))}">${body}</div>`, "/page.js"),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const timer of slow) clearInterval(timer);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
