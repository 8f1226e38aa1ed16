import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import tailwindcss from "@tailwindcss/vite";
import { WebMOutputFormat } from "mediabunny";
import { renderToString } from "react-dom/server";
import sharp from "sharp";
import { build } from "vite";
import { contentSecurityPolicy } from "#functions/http/csp";
import type { ViewerSource } from "~/viewer/core/contract";
import { fromRoot } from "../../scripts/lib/paths";
import { assetPolicy } from "../support/asset-policy";
import { wavFile } from "../support/files/media-files";
import {
  FRAMES,
  jittered,
  objectCapture,
  roomCapture,
  rotated,
  rotationAbout,
} from "../support/files/splat-captures";
import {
  type GlbSplatJson,
  rawSpz,
  writeCompressedPly,
  writeGlbSplats,
  writeSog,
  writeSpz4,
} from "../support/files/splat-files";
import type { Splat } from "../support/files/spz";
import { createVideo } from "../support/files/video-file";
import { makeGltfFiles } from "./gltf-files";
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
import { splatWriters } from "./splat-writers";

const OUT_FOLDER = fromRoot(".cache", "viewer");
const CONTENT_TYPES = {
  js: "text/javascript",
  mjs: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
  wasm: "application/wasm",
} as const;

/** Builds the scripts and the style sheet of the test pages, in development mode and not minified. */
async function buildPages(): Promise<void> {
  await build({
    configFile: false,
    root: fromRoot(),
    logLevel: "error",
    mode: "development",
    define: { "process.env.NODE_ENV": JSON.stringify("development") },
    publicDir: false,
    plugins: [tailwindcss()],
    resolve: { tsconfigPaths: true },
    worker: {
      format: "es",
      rolldownOptions: { output: { entryFileNames: "[name]-[hash].js", chunkFileNames: "[name]-[hash].js" } },
    },
    build: {
      outDir: OUT_FOLDER,
      emptyOutDir: true,
      minify: false,
      target: "es2022",
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2000,
      rolldownOptions: {
        input: {
          adapters: fromRoot("tests/viewer/adapter-page.client.ts"),
          page: fromRoot("tests/viewer/page.client.tsx"),
          images: fromRoot("tests/viewer/images.client.ts"),
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

/** A file whose header declares more splats than any device draws. */
const manySplats = () =>
  Buffer.from(
    splatWriters
      .ply(makeSplats())
      .toString("latin1")
      .replace(/element vertex \d+/, "element vertex 90000000"),
    "latin1",
  );

/** Gives every ninth splat an invalid position or size. */
const damage = (splats: readonly Splat[]): readonly Splat[] =>
  splats.map((splat, index) => {
    if (index % 9 !== 4) return splat;
    const invalidPosition: Splat["position"] = [Number.NaN, Number.POSITIVE_INFINITY, 0];
    return index % 2 ? { ...splat, position: invalidPosition } : { ...splat, scale: [Number.NaN, 0, 1e30] };
  });

/** A furnished room in each form of splats in GLB, y up after the transformations of its nodes, and files that must be rejected. */
function glbCaptures(room: readonly Splat[]): readonly (readonly [name: string, bytes: Uint8Array])[] {
  // The room lies on its back at half of its size. Two nodes turn and enlarge it.
  const lying = rotated(room, FRAMES.z).map((splat) => ({
    ...splat,
    position: splat.position.map((value) => value / 2) as [number, number, number],
    scale: splat.scale.map((value) => value / 2) as [number, number, number],
  }));
  const upwards = [
    { children: [1], matrix: [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1] },
    { mesh: 0, rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
  ];
  // The node of this room scales only its height, which is not a similarity transformation.
  const flat = room.map((splat) => {
    const [x, y, z] = splat.position;
    const [wide, high, deep] = splat.scale;
    return { ...splat, position: [x, y / 2, z], scale: [wide, high / 2, deep] } as const;
  });
  // The form of splats in the draft of the glTF extension.
  const draft = { form: "draft" } as const;
  const splatsBetween = (from: number, to: number) => room.slice(from, to);
  return [
    ["room-floats", writeGlbSplats(room)],
    ["room-draft", writeGlbSplats(room, draft)],
    ["room-quantized", writeGlbSplats(room, { form: "quantized", nodes: [{ mesh: 0, scale: [1, 1, 1] }] })],
    ["room-nodes", writeGlbSplats(lying, { nodes: upwards })],
    ["room-stretched", writeGlbSplats(flat, { nodes: [{ mesh: 0, scale: [1, 2, 1] }] })],
    ["room-spz", writeGlbSplats(room, { ...draft, spz: new Uint8Array(splatWriters.spz(room)) })],
    ["room-spz4", writeGlbSplats(room, { ...draft, spz: writeSpz4(room) })],
    ["room-spz-nodes", writeGlbSplats(lying, { ...draft, spz: writeSpz4(lying), nodes: upwards })],
    [
      "many",
      writeGlbSplats(splatsBetween(0, 10), {
        change: (json) => withCount(json, 20_000_000),
        spz: rawSpz(splatsBetween(0, 10)),
      }),
    ],
    ["fewer", writeGlbSplats(room, { spz: rawSpz(splatsBetween(0, 10)) })],
    [
      "nowhere",
      writeGlbSplats(splatsBetween(0, 9).map((splat) => ({ ...splat, position: [Number.NaN, 0, 0] }))),
    ],
  ];
}

const withCount = (json: GlbSplatJson, count: number) => ({
  ...json,
  accessors: json.accessors.map((accessor) => ({ ...accessor, count })),
});

/**
 * A file with a part that was overwritten with zeros.
 * @param from, to fractions of its length
 */
const zeroed = (file: Uint8Array, from: number, to: number) =>
  new Uint8Array(file).fill(0, Math.floor(file.length * from), Math.floor(file.length * to));

/** An SPZ file that is not packed and whose opacities were overwritten with zeros: they follow the header and the positions. */
const invisible = (file: Uint8Array, count: number) =>
  new Uint8Array(file).fill(0, 16 + count * 9, 16 + count * 10);

/** A furnished room in the splat formats and in several orientations, an object, and files that are damaged or declare too much content. */
async function createCaptures(): Promise<
  readonly (readonly [path: string, file: readonly [string, Buffer]])[]
> {
  const binary = (bytes: Uint8Array) => ["application/octet-stream", Buffer.from(bytes)] as const;
  const frames = Object.entries(FRAMES).map(
    ([frame, rotation]) => [frame, rotated(roomCapture(), rotation)] as const,
  );
  const [[, upright], [, upsideDown]] = frames as [(typeof frames)[0], (typeof frames)[0]];
  return [
    ...frames.map(([frame, splats]) => [`/room${frame}.ply`, binary(splatWriters.ply(splats))] as const),
    ...frames.map(([frame, splats]) => [`/room${frame}.4.spz`, binary(writeSpz4(splats))] as const),
    ["/room-harmonics.4.spz", binary(writeSpz4(upsideDown, { degree: 4 }))],
    // The file declares the axes left, front and up, so z is up, in contrast to its appearance.
    ["/room-says.4.spz", binary(writeSpz4(upright, { system: 11 }))],
    ["/room-raw.spz", binary(rawSpz(upsideDown))],
    ["/room-zeros.spz", binary(zeroed(splatWriters.spz(upsideDown), 0.5, 0.6))],
    ["/room-invisible.spz", binary(invisible(rawSpz(upsideDown), upsideDown.length))],
    ["/room.sog", binary(await writeSog(upsideDown))],
    ["/room-deflated.sog", binary(await writeSog(upsideDown, { isDeflated: true, folder: "room/" }))],
    ["/room.compressed.ply", binary(writeCompressedPly(upsideDown))],
    ["/room.splat", binary(splatWriters.splat(upsideDown))],
    ["/roomy.splat", binary(splatWriters.splat(upright))],
    ["/room.ksplat", binary(splatWriters.ksplat(upsideDown))],
    ["/room-leaning.ply", binary(splatWriters.ply(rotated(roomCapture(), rotationAbout([0, 0, 1], 165))))],
    ["/object.ply", binary(splatWriters.ply(rotated(objectCapture(), FRAMES["-y"])))],
    ["/bomb.4.spz", binary(writeSpz4(upright, { bomb: 400_000_000 }))],
    ...glbCaptures(upright).map(([name, bytes]) => [`/${name}.glb`, binary(bytes)] as const),
    ["/many.4.spz", binary(writeSpz4(upright, { count: 20_000_000 }))],
    ["/many.sog", binary(await writeSog(upright, { count: 20_000_000 }))],
    ["/large.sog", binary(await writeSog(upright.slice(0, 100), { side: 1200 }))],
  ];
}

/** A model whose JSON declares fifty million triangles. */
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
  for (const [offset, value] of [
    [4, 2],
    [8, 20 + json.length],
    [12, json.length],
    [16, 0x4e4f534a],
  ] as const)
    head.writeUInt32LE(value, offset);
  return Buffer.concat([head, json]);
}

const pageHtml = (body: string, script: string) =>
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
  const [, model, panoramas, gltfFiles] = await Promise.all([
    buildPages(),
    makeModel(),
    makePanoramas(),
    makeGltfFiles(),
  ]);
  const greyImage = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#667" } })
      .jpeg()
      .toBuffer();
  const tileImage = () =>
    sharp({ create: { width: 1026, height: 1026, channels: 3, background: "#2030c0" } })
      .webp()
      .toBuffer();
  /** An animated image of two frames: red, then blue. */
  const movingImage = async () =>
    sharp(
      await Promise.all(
        ["#d01010", "#1010d0"].map((background) =>
          sharp({ create: { width: 64, height: 48, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      ),
      { join: { animated: true } },
    );
  const files = new Map<string, readonly [type: string, body: Buffer]>([
    ["/rooms.glb", ["model/gltf-binary", model]],
    ...Object.entries(splatWriters).map(
      ([format, write]) => [`/rooms.${format}`, ["application/octet-stream", write(makeSplats())]] as const,
    ),
    ...(await createCaptures()),
    ["/many.ply", ["application/octet-stream", manySplats()]],
    ["/cut.ply", ["application/octet-stream", splatWriters.ply(makeSplats()).subarray(0, 2000)]],
    ["/huge.glb", ["model/gltf-binary", hugeModel()]],
    ["/nan.ply", ["application/octet-stream", splatWriters.ply(damage(makeSplats()))]],
    ["/broken.glb", ["model/gltf-binary", Buffer.from("this is no model")]],
    ["/cut.glb", ["model/gltf-binary", model.subarray(0, 600)]],
    ["/wide.jpg", ["image/jpeg", await greyImage(640, 200)]],
    ["/film.webm", ["video/webm", Buffer.from(await createVideo(6, new WebMOutputFormat()))]],
    ["/sound.wav", ["audio/wav", Buffer.from(wavFile(1))]],
    [
      "/picture.jpg",
      ["image/jpeg", await sharp(panoramas.get("red")).resize(800, 600, { fit: "cover" }).jpeg().toBuffer()],
    ],
    [
      "/moving.gif",
      ["image/gif", await (await movingImage()).gif({ delay: [150, 150], loop: 0 }).toBuffer()],
    ],
    [
      "/moving-once.gif",
      ["image/gif", await (await movingImage()).gif({ delay: [5000, 100], loop: 1 }).toBuffer()],
    ],
    [
      "/moving.webp",
      ["image/webp", await (await movingImage()).webp({ delay: [150, 150], loop: 0 }).toBuffer()],
    ],
    [
      "/drawing.svg",
      [
        "image/svg+xml",
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="#d01010" d="M0 0h4v3H0z"/></svg>',
        ),
      ],
    ],
    ["/tile.webp", ["image/webp", await tileImage()]],
    ["/noise.jpg", ["image/jpeg", Buffer.from("this is no picture")]],
    ["/poster.jpg", ["image/jpeg", await sharp(panoramas.get("green")).resize(640, 320).jpeg().toBuffer()]],
    ...[...panoramas].map(([id, body]) => [`/${id}.jpg`, ["image/jpeg", body]] as const),
    ...[...gltfFiles].map(([name, body]) => [`/packed/${name}.glb`, ["model/gltf-binary", body]] as const),
    ...(extra.files ?? []),
  ]);
  const slowTimers = new Set<NodeJS.Timeout>();
  const sendSlowly = (response: ServerResponse) => {
    response.setHeader("content-type", "model/gltf-binary").setHeader("content-length", model.length);
    let sentBytes = 0;
    const timer = setInterval(() => {
      response.write(model.subarray(sentBytes, sentBytes + 200));
      sentBytes += 200;
    }, 50);
    slowTimers.add(timer);
    response.on("close", () => clearInterval(timer));
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? "/", "http://localhost");
    response.setHeader("content-security-policy", contentSecurityPolicy("viewer", null, null, true));
    // Environment maps of the viewer.
    if (/^\/[\w-]+\.bin$/.test(pathname)) return void response.end(readFileSync(`${OUT_FOLDER}${pathname}`));

    const file =
      files.get(pathname) ?? (pathname.startsWith("/tiles/1/") ? files.get("/tile.webp") : undefined);
    if (file) return void response.setHeader("content-type", file[0]).end(file[1]);
    if (pathname === "/slow.glb") return sendSlowly(response);
    // Created on request, because it takes a second.
    if (pathname === "/large-room.ply")
      return void response.end(splatWriters.ply(rotated(jittered(roomCapture(0.019)), FRAMES["-y"])));
    const [, extension = ""] = /^\/(?:assets\/)?[\w.-]+\.(m?js|css|svg|wasm)$/.exec(pathname) ?? [];
    if (extension in CONTENT_TYPES) {
      const policy = assetPolicy(`/assets/${pathname.split("/").at(-1)}`);
      if (policy) response.setHeader("content-security-policy", policy);
      response.setHeader("content-type", CONTENT_TYPES[extension as keyof typeof CONTENT_TYPES]);
      return void response.end(readFileSync(`${OUT_FOLDER}${pathname}`));
    }
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (pathname === "/adapters") return void response.end(pageHtml("", "/adapters.js"));
    if (pathname === "/images") return void response.end(pageHtml("", "/images.js"));
    const extraPage = extra.pages?.get(pathname);
    if (pathname !== "/visit" && !extraPage) return void response.writeHead(404).end();
    const kind = searchParams.get("kind") ?? "model";
    const sources: Record<string, ViewerSource> = {
      model: modelSource(searchParams.get("file") ?? "/rooms.glb"),
      panorama: panoramaSource(""),
      splat: splatSource("/rooms.spz"),
      showcase: {
        kind: "showcase",
        src: "https://my.matterport.com/show/?m=SxQL3iGyoDo&play=1",
        title: "Two rooms",
        key: searchParams.get("key"),
        start: null,
      },
    };
    const input: PageInput = {
      lang: searchParams.get("lang") === "ja" ? "ja" : "en",
      source: extraPage?.source ?? sources[kind] ?? modelSource("/rooms.glb"),
      pins: extraPage?.pins ?? pins,
      media: searchParams.has("media") ? media : [],
      search,
      autoStart: searchParams.get("start") !== "wait",
    };
    const body = renderToString(<StagePage input={input} />);
    response.end(
      pageHtml(`<div id="root" data-input="${escapeHtml(JSON.stringify(input))}">${body}</div>`, "/page.js"),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const timer of slowTimers) clearInterval(timer);
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
