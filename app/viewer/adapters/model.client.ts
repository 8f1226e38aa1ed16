import { Group, NeutralToneMapping, NoToneMapping } from "three";
import { MeshoptDecoder } from "three/examples/jsm/libs/meshopt_decoder.module.js";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { abortError } from "../core/abort";
import { Breath } from "../core/breath";
import { type CreateViewer, ViewerError, type ViewerSource } from "../core/contract";
import { hasRoomForModel } from "../core/device-room";
import { readModelHead } from "../core/model-head";
import { isSmallDevice } from "./device.client";
import { fetchBytes, freeTree } from "./free.client";
import { readModel } from "./model-content.client";
import { SoftTextures } from "./soft-textures.client";
import { type Walkable, WalkableViewer } from "./walkable.client";

/** A glTF model that one walks through, sees as a whole, or from above. */
class ModelViewer extends WalkableViewer {
  private readonly content = new Group();
  private readonly textures = new SoftTextures();
  /** Everything is as sharp as it will be. */
  private sharp: Promise<void> = Promise.resolve();

  protected async build(source: ViewerSource, signal: AbortSignal): Promise<Walkable> {
    if (source.kind !== "model") throw new TypeError(`A model viewer cannot show a ${source.kind}.`);
    const file = await fetchBytes(source.url, signal, {
      onProgress: (share) => this.emitter.emit("progress", share),
      look: (head) => this.refuseTooLarge(head),
    });
    const loader = new GLTFLoader();
    loader.setMeshoptDecoder(MeshoptDecoder);
    this.textures.attach(loader);
    const stop = () => loader.manager.abort();
    signal.addEventListener("abort", stop);
    // A file that is not uploaded yet has nothing beside it.
    const base = source.url.startsWith("blob:")
      ? ""
      : new URL(".", new URL(source.url, document.baseURI)).href;
    const gltf = await loader.parseAsync(await file.arrayBuffer(), base);
    signal.removeEventListener("abort", stop);
    if (signal.aborted) {
      // The loader finishes what it has begun: nobody else will free it.
      for (const scene of gltf.scenes) freeTree(scene);
      throw abortError();
    }
    this.emitter.emit("progress", 1);
    this.content.add(gltf.scene);
    const { renderer, scene } = this.stage;
    scene.add(this.content);
    const anisotropy = Math.min(8, renderer.capabilities.getMaxAnisotropy());
    const content = await readModel(this.content, anisotropy, new Breath(signal));
    await this.textures.soft();
    signal.throwIfAborted();
    renderer.toneMapping = content.lit ? NeutralToneMapping : NoToneMapping;
    return { ...content, eyeHeight: source.eyeHeight, start: source.start };
  }

  /** Answers whether enough has come to know. */
  private refuseTooLarge(bytes: Uint8Array): boolean {
    const head = readModelHead(bytes);
    const { maxTextureSize } = this.stage.renderer.capabilities;
    if (head && !hasRoomForModel(head, { isSmall: isSmallDevice(), maxTextureSize }))
      throw new ViewerError("too_large", `${head.triangles} triangles are too many for this device.`);
    return head !== null;
  }

  protected override begun(): void {
    this.sharp = this.textures.sharpen(this.content, this.stage, this.ended.signal);
  }

  /** A picture that is taken of the space is a sharp one. */
  protected override arrange(): Promise<void> {
    return this.sharp;
  }

  protected override close(): void {
    freeTree(this.content);
    super.close();
  }
}

/** A glTF model (GLB or glTF, meshopt allowed, no Draco). Throws a ViewerError without WebGL. */
export const createModelViewer: CreateViewer = (host, options) => new ModelViewer(host, options);
