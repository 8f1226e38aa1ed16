import type { SparkRenderer, SplatMesh } from "@sparkjsdev/spark";
import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  DoubleSide,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from "three";
import { createAbortError } from "../core/abort";
import {
  type CreateViewer,
  type PlacedMediaItem,
  ViewerError,
  type ViewerQuality,
  type ViewerSource,
  type Viewpoint,
} from "../core/contract";
import { hasRoomForSplats } from "../core/device-room";
import type { Extent } from "../core/orbit";
import { readSplatFile } from "../core/splat-file";
import { TimeSlicer } from "../core/time-slicer";
import { previewFirst } from "../shared/preview-first.client";
import { firstStand, outsideView } from "../splat/first-stand";
import { openSplats } from "../splat/open-splats.client";
import { addSpark, freeSpark } from "../splat/spark-renderer.client";
import { turnUpright } from "../splat/turn.client";
import { isSmallDevice } from "./device.client";
import { fetchBytes, freeTree } from "./free.client";
import { splatSurfaces } from "./splat-content.client";
import { type Walkable, WalkableViewer } from "./walkable.client";

/** Which way the file's axes must be turned so that y points upwards, by the axis that a source names. */
const TURNS = {
  y: new Quaternion(),
  "-y": new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), Math.PI),
  z: new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2),
} as const;

/** By which share of its distance a surface may stand out without hiding what hangs on it. */
const ROUGH = 0.05;
/** Gaussian splats that one walks through, sees as a whole, or from above. */
class SplatViewer extends WalkableViewer {
  private depth: Mesh<BufferGeometry, MeshBasicMaterial> | null = null;

  /** Scanned walls are as thick as their splats. */
  protected override get surfaces() {
    return { lift: 0.03, renderOrder: 2, hasDepth: true };
  }

  private box: Extent = { min: [0, 0, 0], max: [0, 0, 0] };

  protected override get extent(): Extent {
    return this.box;
  }

  private mesh: SplatMesh | null = null;
  private spark: SparkRenderer | null = null;
  override quality: ViewerQuality = isSmallDevice() ? "low" : "high";

  protected async build(source: ViewerSource, signal: AbortSignal): Promise<Walkable> {
    if (source.kind !== "splat") throw new TypeError(`A splat viewer cannot show a ${source.kind}.`);
    const file = await fetchBytes(source.url, signal, {
      onProgress: (share) => this.emitter.emit("progress", share),
      // Of packed splats the number is known when they are unpacked a little.
      look: async (bytes) => {
        const known = await readSplatFile(bytes);
        this.refuseTooMany(known?.count ?? null);
        return known !== null;
      },
    });
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (signal.aborted) throw createAbortError();
    const { mesh, packed, head } = await openSplats(
      bytes,
      signal,
      (count) => this.refuseTooMany(count),
      (made) => {
        this.mesh = made;
      },
    );
    this.emitter.emit("progress", 1);
    const turn =
      source.up === "auto" ? await turnUpright(packed, head, new TimeSlicer(signal)) : TURNS[source.up];
    mesh.quaternion.copy(turn);
    mesh.updateMatrixWorld();
    const { triangles, extent } = await splatSurfaces(packed, turn, new TimeSlicer(signal));
    this.box = extent;
    this.stage.scene.add(mesh);
    this.makeSpark();
    return { triangles, ceilings: [], eyeHeight: source.eyeHeight, start: source.start };
  }

  protected override async open(source: ViewerSource, signal: AbortSignal): Promise<void> {
    await super.open(source, signal);
    const { near, far } = this.range();
    this.stage.look(this.pose, near, far);
    await this.arrange(this.stage.camera);
  }

  /** Splats are drawn from far to near: the first picture, and one that is taken, need their order. */
  protected override async arrange(camera: Camera): Promise<void> {
    const { scene } = this.stage;
    await this.spark?.update({ scene, camera });
  }

  /** What hangs in the space is hidden by its surfaces: splats themselves say of their depth too little for that. */
  override setMedia(media: readonly PlacedMediaItem[]): void {
    super.setMedia(media);
    if (this.depth || media.length === 0 || !this.isLoaded) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.corners, 3));
    this.depth = new Mesh(geometry, new MeshBasicMaterial({ colorWrite: false, transparent: true }));
    this.depth.material.side = DoubleSide;
    this.depth.renderOrder = 1;
    this.depth.frustumCulled = false;
    this.depth.matrixAutoUpdate = false;
    this.stage.scene.add(this.depth);
  }

  protected override beforeDraw(): boolean {
    // A little farther away on the same rays, so that rough surfaces do not cut into what hangs on them.
    const [x, y, z] = this.pose.position;
    const grow = 1 + ROUGH;
    this.depth?.matrix.makeScale(grow, grow, grow).setPosition(-x * ROUGH, -y * ROUGH, -z * ROUGH);
    this.depth?.updateMatrixWorld(true);
    return false;
  }

  /** Inside of a capture that encloses its visitor, and outside of any other. */
  protected override usualStart(): Viewpoint {
    const stand = this.standInside(firstStand);
    return stand ? { ...stand, mode: "walk" } : this.overview("orbit");
  }

  /** From above, or from in front of something tall. */
  protected override overview(mode: "orbit" | "plan"): Viewpoint {
    if (mode === "plan") return super.overview(mode);
    return { ...outsideView(this.box, this.size, this.fovOf(mode), this.pose.yaw), mode };
  }

  protected override close(): void {
    this.freeSpark();
    if (this.depth) freeTree(this.depth);
    this.depth = null;
    this.mesh?.removeFromParent();
    this.mesh?.dispose();
    this.mesh = null;
    super.close();
  }

  protected override interrupted(): void {
    this.freeSpark();
  }

  protected override restored(): void {
    if (this.mesh?.isInitialized) this.makeSpark();
  }

  override setQuality(quality: ViewerQuality): void {
    this.quality = quality;
    this.applyQuality();
  }

  /** Fewer pixels, none of the faintest splats, and of each only what is clearly seen. */
  private applyQuality(): void {
    const { spark } = this;
    if (!spark) return;
    const isLow = this.quality === "low";
    spark.maxStdDev = Math.sqrt(isLow ? 5 : 8);
    spark.minAlpha = (isLow ? 4 : 0.5) / 255;
    spark.minPixelRadius = isLow ? 0.6 : 0;
    spark.minSortIntervalMs = isLow ? 60 : 0;
    this.stage.limitPixels(isLow ? 1 : 2);
  }

  private makeSpark(): void {
    const spark = addSpark(this.stage);
    this.spark = spark;
    this.applyQuality();
  }

  private refuseTooMany(count: number | null): void {
    const { maxTextureSize } = this.stage.renderer.capabilities;
    if (count !== null && !hasRoomForSplats(count, { isSmall: isSmallDevice(), maxTextureSize }))
      throw new ViewerError("too_large", `${count} splats are too many for this device.`);
  }

  private freeSpark(): void {
    freeSpark(this.spark);
    this.spark = null;
  }
}

/** Gaussian splats (.ply, .spz, .splat, .ksplat, .sog, .glb). Throws a ViewerError without WebGL. */
export const createSplatViewer: CreateViewer = previewFirst(
  (host, options) => new SplatViewer(host, options),
);
