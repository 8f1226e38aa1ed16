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
import type { CreateViewer, PlacedMediaItem, ViewerQuality, ViewerSource, Viewpoint } from "../core/contract";
import { hasRoomForSplats } from "../core/device-capacity";
import type { Extent } from "../core/orbit";
import { readSplatFile } from "../core/splat-file";
import { TimeSlicer } from "../core/time-slicer";
import { ViewerError } from "../core/viewer-error";
import { disposeTree } from "../shared/dispose.client";
import { fetchFile } from "../shared/fetch-file.client";
import { isSmallDevice } from "../shared/is-small-device.client";
import { previewFirst } from "../shared/preview-first.client";
import type { Walkable } from "../shared/walkable";
import { WalkableViewer } from "../shared/walkable-viewer.client";
import { openSplats } from "./open-splats.client";
import { addSpark, freeSpark } from "./spark-renderer.client";
import { computeSplatSurfaces } from "./splat-surfaces.client";
import { findInsideStart, findOutsideStart } from "./start-pose";
import { findUprightRotation } from "./upright-rotation.client";

/** Rotation after which y points upwards, for each upward axis of a source. */
const UPRIGHT_ROTATIONS = {
  y: new Quaternion(),
  "-y": new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), Math.PI),
  z: new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -Math.PI / 2),
} as const;

/** Share of the distance to the camera by which a surface may protrude without hiding placed media. */
const DEPTH_MARGIN = 0.05;

/** Viewer of Gaussian splats with the modes walk, orbit and plan. */
class SplatViewer extends WalkableViewer {
  private depthMesh: Mesh<BufferGeometry, MeshBasicMaterial> | null = null;

  /** Placed media are 3 cm in front of the surfaces, because splats of a wall protrude from it. */
  protected override get overlayOptions() {
    return { surfaceOffset: 0.03, renderOrder: 2, hasDepth: true };
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
    const file = await fetchFile(source.url, signal, {
      onProgress: (share) => this.emitter.emit("progress", share),
      // The number of splats in a compressed file is known only after a part of it is unpacked.
      inspect: async (bytes) => {
        const splatFile = await readSplatFile(bytes);
        this.rejectTooMany(splatFile?.count ?? null);
        return splatFile !== null;
      },
    });
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (signal.aborted) throw createAbortError();
    const { mesh, packed, splatFile } = await openSplats(
      bytes,
      signal,
      (count) => this.rejectTooMany(count),
      (splatMesh) => {
        this.mesh = splatMesh;
      },
    );
    this.emitter.emit("progress", 1);
    const uprightRotation =
      source.up === "auto"
        ? await findUprightRotation(packed, splatFile, new TimeSlicer(signal))
        : UPRIGHT_ROTATIONS[source.up];
    mesh.quaternion.copy(uprightRotation);
    mesh.updateMatrixWorld();
    const { triangles, extent } = await computeSplatSurfaces(packed, uprightRotation, new TimeSlicer(signal));
    this.box = extent;
    this.stage.scene.add(mesh);
    this.createSpark();
    return { triangles, ceilings: [], eyeHeight: source.eyeHeight, start: source.start };
  }

  protected override async open(source: ViewerSource, signal: AbortSignal): Promise<void> {
    await super.open(source, signal);
    const { near, far } = this.clippingDistances();
    this.stage.setCamera(this.pose, near, far);
    await this.prepareCapture(this.stage.camera);
  }

  /** Sorts the splats from far to near, because the first frame and captured images need this order. */
  protected override async prepareCapture(camera: Camera): Promise<void> {
    const { scene } = this.stage;
    await this.spark?.update({ scene, camera });
  }

  /** The sampled surfaces write the depth that hides placed media, because the depth of splats is too inexact. */
  override setMedia(media: readonly PlacedMediaItem[]): void {
    super.setMedia(media);
    if (this.depthMesh || media.length === 0 || !this.isLoaded) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(this.corners, 3));
    this.depthMesh = new Mesh(geometry, new MeshBasicMaterial({ colorWrite: false, transparent: true }));
    this.depthMesh.material.side = DoubleSide;
    this.depthMesh.renderOrder = 1;
    this.depthMesh.frustumCulled = false;
    this.depthMesh.matrixAutoUpdate = false;
    this.stage.scene.add(this.depthMesh);
  }

  protected override beforeDraw(): boolean {
    // The surfaces are moved away from the camera along its rays, so that uneven surfaces do not cut into placed media.
    const [x, y, z] = this.pose.position;
    const factor = 1 + DEPTH_MARGIN;
    this.depthMesh?.matrix
      .makeScale(factor, factor, factor)
      .setPosition(-x * DEPTH_MARGIN, -y * DEPTH_MARGIN, -z * DEPTH_MARGIN);
    this.depthMesh?.updateMatrixWorld(true);
    return false;
  }

  /** Returns a start inside of a capture that encloses the visitor, and outside of any other one. */
  protected override findDefaultStart(): Viewpoint {
    const start = this.findInSpace(findInsideStart);
    return start ? { ...start, mode: "walk" } : this.overview("orbit");
  }

  /** Returns the viewpoint from which the whole capture is visible. In orbit, the camera looks down less the taller the capture is. */
  protected override overview(mode: "orbit" | "plan"): Viewpoint {
    if (mode === "plan") return super.overview(mode);
    return { ...findOutsideStart(this.box, this.size, this.computeFov(mode), this.pose.yaw), mode };
  }

  protected override close(): void {
    this.disposeSpark();
    if (this.depthMesh) disposeTree(this.depthMesh);
    this.depthMesh = null;
    this.mesh?.removeFromParent();
    this.mesh?.dispose();
    this.mesh = null;
    super.close();
  }

  protected override interrupted(): void {
    this.disposeSpark();
  }

  protected override restored(): void {
    if (this.mesh?.isInitialized) this.createSpark();
  }

  override setQuality(quality: ViewerQuality): void {
    this.quality = quality;
    this.applyQuality();
  }

  /** Low quality draws fewer pixels, omits faint and tiny splats, draws only the clearly visible part of each splat, and sorts less often. */
  private applyQuality(): void {
    const { spark } = this;
    if (!spark) return;
    const isLow = this.quality === "low";
    spark.maxStdDev = Math.sqrt(isLow ? 5 : 8);
    spark.minAlpha = (isLow ? 4 : 0.5) / 255;
    spark.minPixelRadius = isLow ? 0.6 : 0;
    spark.minSortIntervalMs = isLow ? 60 : 0;
    this.stage.limitPixelRatio(isLow ? 1 : 2);
  }

  private createSpark(): void {
    const spark = addSpark(this.stage);
    this.spark = spark;
    this.applyQuality();
  }

  private rejectTooMany(count: number | null): void {
    const { maxTextureSize } = this.stage.renderer.capabilities;
    if (count !== null && !hasRoomForSplats(count, { isSmall: isSmallDevice(), maxTextureSize }))
      throw new ViewerError("too_large", `${count} splats are too many for this device.`);
  }

  private disposeSpark(): void {
    freeSpark(this.spark);
    this.spark = null;
  }
}

/** Creates the viewer of Gaussian splats (.ply, .spz, .splat, .ksplat, .sog, .glb). Throws a ViewerError without WebGL. */
export const createSplatViewer: CreateViewer = previewFirst(
  (host, options) => new SplatViewer(host, options),
);
