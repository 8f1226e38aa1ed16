import { deflateRawSync } from "node:zlib";
import { NodeIO } from "@gltf-transform/core";
import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from "@zip.js/zip.js/lib/zip-core-native.js";
import { describe, expect, it } from "vitest";
import { openGlb, readGltfSplats } from "~/domain/library/formats/gltf-splats";
import { sniffMedia } from "~/domain/library/sniff-media";
import { triangle } from "../../../../../tests/support/files/media-files";
import { objectCapture } from "../../../../../tests/support/files/splat-captures";
import { writeGlbSplats } from "../../../../../tests/support/files/splat-files";
import { zipFile } from "../../../../../tests/support/files/zip-file";
import { gatherModels } from "./gather-models";
import { openZip } from "./open-zip";
import { resolvePath } from "./pack-gltf";

const points = new Uint8Array(Float32Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
const IMAGE = new Uint8Array([1, 2, 3, 4, 5]);
const model = JSON.stringify({
  ...triangle,
  buffers: [{ byteLength: 36, uri: "my%20data.bin" }],
  images: [{ uri: "textures/wood.webp" }, { uri: "textures/wood.webp" }],
  textures: [{ source: 0 }],
});
const fileAt = (name: string, content: BlobPart, ...path: string[]) => ({
  file: new File([content], name),
  path,
});
const chairFiles = (...path: string[]) => [
  fileAt("chair.gltf", model, ...path),
  fileAt("my data.bin", points, ...path),
  fileAt("wood.webp", IMAGE, ...path, "textures"),
];
const readGlb = async (file: File) => new NodeIO().readBinary(new Uint8Array(await file.arrayBuffer()));

describe("a glTF model of several files", () => {
  it.each([
    ["chosen together", chairFiles()],
    ["in a folder", chairFiles("Chairs", "old")],
    ["without its folders", chairFiles().map(({ file }) => ({ file, path: [] }))],
  ])("becomes one GLB file: %s", async (_what, chosen) => {
    const notesFile = fileAt("notes.txt", "x");
    const { files, rejected } = await gatherModels([...chosen, notesFile]);
    expect(rejected).toEqual([]);
    expect(files.map(({ file }) => file.name)).toEqual(["notes.txt", "chair.glb"]);
    const glb = files[1];
    if (!glb) throw new Error("No GLB file was created.");
    expect(glb.path).toEqual(chosen[0]?.path);
    const root = (await readGlb(glb.file)).getRoot();
    const [primitive] = root.listMeshes()[0]?.listPrimitives() ?? [];
    expect([...(primitive?.getAttribute("POSITION")?.getArray() ?? [])]).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(root.listTextures()[0]?.getImage()).toEqual(IMAGE);
    expect(root.listTextures()[0]?.getMimeType()).toBe("image/webp");
  });

  it("becomes one GLB file when it is in a ZIP file", async () => {
    const zip = new ZipWriter(new BlobWriter());
    await zip.add("chair/chair.gltf", new TextReader(model));
    await zip.add("chair/my data.bin", new Uint8ArrayReader(points));
    await zip.add("chair/textures/wood.webp", new Uint8ArrayReader(IMAGE));
    const { files, rejected } = await gatherModels([
      { file: new File([await zip.close()], "chair.zip"), path: [] },
    ]);
    expect(rejected).toEqual([]);
    expect(files.map(({ file }) => file.name)).toEqual(["chair.glb"]);
    expect((await readGlb((files[0] as { file: File }).file)).getRoot().listMeshes()).toHaveLength(1);
  });

  it("is rejected with the names of the missing files", async () => {
    const { files, rejected } = await gatherModels(chairFiles().slice(0, 2));
    expect(rejected).toMatchObject([
      {
        problem: {
          key: "library:errors.upload.model_files",
          values: { files: "textures/wood.webp" },
        },
      },
    ]);
    // The file that the rejected model would have included is uploaded separately.
    expect(files.map(({ file }) => file.name)).toEqual(["my data.bin"]);
  });

  it("of Gaussian splats becomes one GLB file, even when it contains everything", async () => {
    const glb = openGlb(writeGlbSplats(objectCapture(0.4)));
    if (!glb) throw new Error("No GLB.");
    const buffer = { byteLength: glb.binaryLength };
    const inline = `data:application/octet-stream;base64,${Buffer.from(glb.binary).toString("base64")}`;
    for (const [uri, externalFiles] of [
      [inline, []],
      ["splats.bin", [fileAt("splats.bin", glb.binary.slice())]],
    ] as const) {
      const json = JSON.stringify({ ...glb.json, buffers: [{ ...buffer, uri }] });
      const { files } = await gatherModels([fileAt("room.gltf", json), ...externalFiles]);
      expect(files.map(({ file }) => file.name)).toEqual(["room.glb"]);
      const bytes = new Uint8Array(await (files[0] as { file: File }).file.arrayBuffer());
      const gathered = openGlb(bytes);
      expect(gathered && readGltfSplats(gathered.json, gathered.binaryLength)).toMatchObject({
        count: objectCapture(0.4).length,
      });
    }
  });

  it("stays unchanged when it contains everything, as does a file that is a ZIP file by name only", async () => {
    const inline = { ...triangle, buffers: [{ byteLength: 36, uri: "data:;base64,AAAA" }] };
    const completeFile = fileAt("whole.gltf", JSON.stringify(inline));
    const zip = fileAt("other.zip", "no archive");
    expect(await gatherModels([completeFile, zip])).toEqual({ files: [completeFile, zip], rejected: [] });
  });

  it("resolves references only to paths among the chosen files", () => {
    expect(resolvePath("a/b/m.gltf", "../c/./x%20y.png?1")).toBe("a/c/x y.png");
    expect(resolvePath("a/b/m.gltf", "50%.png")).toBe("a/b/50%.png");
    for (const outside of ["../x", "https://evil.example/x", "/etc/passwd", "c:\\x", "file:///x"])
      expect(resolvePath("m.gltf", outside)).toBeNull();
  });
});

describe("a model of another format with files beside it", () => {
  const mtl = "newmtl paint\nmap_Kd textures/Wood.png\n";
  const obj = "mtllib chair.mtl\nv 0 0 0\n";
  const chair = [fileAt("chair.obj", obj), fileAt("chair.mtl", mtl), fileAt("wood.png", IMAGE, "textures")];
  const namesIn = async (file: File) => {
    const archive = await openZip(file);
    return typeof archive === "string" ? archive : archive.names;
  };

  it("becomes one ZIP file that starts with the model, and other images stay separate", async () => {
    const otherImage = fileAt("redwood.png", IMAGE);
    const { files, rejected } = await gatherModels([...chair, otherImage]);
    expect(rejected).toEqual([]);
    expect(files.map(({ file }) => file.name)).toEqual(["redwood.png", "chair.zip"]);
    const zip = files[1]?.file ?? new File([], "");
    expect(await namesIn(zip)).toEqual(["chair.obj", "chair.mtl", "textures/wood.png"]);
    expect((await sniffMedia(new Uint8Array(await zip.arrayBuffer()), "chair.zip"))?.mimeType).toBe(
      "model/x-zip",
    );
    // The same files result in the same bytes, so that an upload continues after a reload.
    const [, gatheredAgain] = (await gatherModels([...chair, otherImage])).files;
    expect(await gatheredAgain?.file.arrayBuffer()).toEqual(await zip.arrayBuffer());
  });

  it("becomes one ZIP file when it references another file in UTF-8 or percent-encoded", async () => {
    for (const name of ["木目.png", "%E6%9C%A8%E7%9B%AE.png"]) {
      const { files } = await gatherModels([fileAt("a.fbx", `Kaydara ${name}`), fileAt("木目.png", IMAGE)]);
      expect(files.map(({ file }) => file.name)).toEqual(["a.zip"]);
    }
  });

  it("is sent separately when it references none of the chosen files", async () => {
    const separateFiles = [fileAt("a.obj", "v 0 0 0\n"), fileAt("photo.png", IMAGE)];
    expect(await gatherModels(separateFiles)).toEqual({ files: separateFiles, rejected: [] });
  });

  it("stays in its ZIP file, and several models are taken out of theirs", async () => {
    const { files: gatheredFiles } = await gatherModels(chair);
    expect(await gatherModels(gatheredFiles)).toEqual({ files: gatheredFiles, rejected: [] });
    const zip = new ZipWriter(new BlobWriter());
    for (const name of ["a.stl", "b/b.stl"]) await zip.add(name, new TextReader("solid"));
    const { files } = await gatherModels([fileAt("two.zip", await zip.close())]);
    expect(files.map(({ file }) => file.name)).toEqual(["a.stl", "b.stl"]);
  });

  it("is rejected as a ZIP file that contains no model, or declares too large a size", async () => {
    const textZip = fileAt("notes.zip", zipFile([{ name: "notes.txt", bytes: IMAGE }]) as BlobPart);
    expect((await gatherModels([textZip])).rejected).toMatchObject([
      { problem: { key: "library:errors.upload.model_zip" } },
    ]);
    const bomb = zipFile([{ name: "a.obj", bytes: IMAGE, size: 0xf0000000 }]) as BlobPart;
    expect((await gatherModels([fileAt("bomb.zip", bomb)])).rejected).toMatchObject([
      { problem: { key: "library:errors.upload.model" } },
    ]);
  });
});

it("a file of an archive that is larger than its directory declares is rejected", async () => {
  const packed = new Uint8Array(deflateRawSync(Buffer.alloc(1_000_000)));
  const file = zipFile([{ name: "a.obj", bytes: packed, method: 8, size: 10 }]);
  const zip = await openZip(new Blob([file as BlobPart]));
  if (typeof zip === "string") throw new Error(zip);
  await expect(zip.unpack("a.obj")).rejects.toThrow(RangeError);
});
