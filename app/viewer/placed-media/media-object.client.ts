import {
  type BufferGeometry,
  CircleGeometry,
  Color,
  Group,
  LinearFilter,
  LinearMipmapLinearFilter,
  Mesh,
  MeshBasicMaterial,
  SRGBColorSpace,
  Texture,
  Vector3,
} from "three";
import { isStaged } from "~/domain/library/media-kinds";
import type { PlacedMediaItem, Vec3 } from "../core/contract";
import { intersectMediaPlane, type MediaPlane, type MediaPlaneHit } from "../core/media-plane";
import { add, scale } from "../core/vec";
import { disposeTexture, disposeTree } from "../shared/dispose.client";
import type { AnimatedImage, AnimationPosition } from "./animated-image.client";
import { drawTitleCard } from "./fetch-image.client";
import type { MediaPlayer } from "./media-player.client";
import type { PlacedObject } from "./placed-object.client";

/** Colour of the placeholder that is shown until the file is loaded. */
const CARD_COLOR = 0xd9dce2;
/** Radius of the play mark: as a share of the plane's shorter side, and at most this many metres. */
const PLAY_MARK_SIZE = { share: 0.2, max: 0.3 };

/** Properties of the space that placed media depend on. */
export interface MediaSurroundings {
  /** Additional distance of all media from their surfaces, in metres, for scanned surfaces, which are uneven. */
  readonly surfaceOffset: number;
  /** With a value above 0, media are drawn after the space in this order, because the space has no depth. */
  readonly renderOrder: number;
  /** Degree of anisotropic filtering, for images that are seen from the side. */
  readonly anisotropy: number;
  prefersReducedMotion(): boolean;
  invalidate(): void;
  /** The set of animated objects has changed. */
  animatedObjectsChanged(): void;
}

/** A media item in the space, with its current texture and position. Models and splats are staged: they are objects, not images on a plane. */
export class MediaObject {
  mediaItem: PlacedMediaItem;
  plane: MediaPlane;
  /** Height divided by width. Null while it is unknown. */
  aspect: number | null;
  readonly object = new Group();
  /** Requested length of the loaded image's longer side in pixels, 0 for none. */
  loadedSide = 0;
  /** Cancels the image that is being loaded. */
  loading: AbortController | null = null;
  /** True for a sound that is visible only as a pin. */
  isPinOnly = false;
  /** The file could not be loaded. The title is shown instead, and the file is not requested again. */
  hasFailed = false;
  player: MediaPlayer | null = null;
  /** Frames of the image when it is animated. */
  animatedImage: AnimatedImage | null = null;
  readonly animationPosition: AnimationPosition = { frame: 0, rounds: 0 };
  /**
   * "play" after the visitor started the media item, "stop" after the visitor stopped it, it ended, or a player outside of the space started.
   * Null: its settings decide.
   */
  chosenPlayback: "play" | "stop" | null = null;
  placedObject: PlacedObject | "loading" | null = null;
  /** The media item is not behind the visitor, or is very near. */
  isAhead = true;
  private isDisposed = false;
  private readonly surroundings: MediaSurroundings;
  private readonly quad: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly playMark: Group | null;
  /** Mark of an item that visitors do not see, and the text and size for which it was drawn. */
  private draftFrame: { readonly drawnFor: string; readonly mesh: Mesh | null } | null = null;

  /** @param square a square of one metre that all media share and that is not freed here */
  constructor(
    mediaItem: PlacedMediaItem,
    plane: MediaPlane,
    square: BufferGeometry,
    surroundings: MediaSurroundings,
  ) {
    this.mediaItem = mediaItem;
    this.plane = plane;
    this.aspect = mediaItem.aspect;
    this.surroundings = surroundings;
    const material = new MeshBasicMaterial({
      color: CARD_COLOR,
      toneMapped: false,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
      transparent: surroundings.renderOrder > 0,
    });
    this.quad = new Mesh(square, material);
    this.quad.renderOrder = surroundings.renderOrder;
    this.playMark =
      this.isPlayable || mediaItem.kind === "web" ? createPlayMark(surroundings.renderOrder) : null;
    this.object.matrixAutoUpdate = false;
    if (!isStaged(mediaItem.kind)) this.object.add(this.quad);
    if (this.playMark) this.object.add(this.playMark);
    this.showCard();
  }

  /** The loaded model or splats. Null for all other media and before loading. */
  get loadedObject(): PlacedObject | null {
    return this.placedObject === "loading" ? null : this.placedObject;
  }

  /** Whether the media item is three-dimensional. */
  get isStaged(): boolean {
    return isStaged(this.mediaItem.kind);
  }

  get isPlayable(): boolean {
    return this.mediaItem.kind === "video" || this.mediaItem.kind === "audio";
  }

  /** URL of the image that is shown: for kinds other than images, never the file itself. Null when there is no image. */
  get imageUrl(): string | null {
    const { kind, url, imageUrl: image } = this.mediaItem;
    if (kind === "audio" || isStaged(kind)) return null;
    return image ?? (kind === "image" ? url : null);
  }

  /** Returns the point where a ray meets the media item, or null. @param direction unit vector */
  raycast(origin: Vec3, direction: Vec3): MediaPlaneHit | null {
    if (!this.object.visible || this.placedObject === "loading") return null;
    return this.placedObject
      ? this.placedObject.raycast(origin, direction)
      : intersectMediaPlane(this.plane, origin, direction);
  }

  /** Returns the corners of the box of a model or splats. Null for other media and before loading. */
  corners(): readonly Vec3[] | null {
    return this.loadedObject?.corners() ?? null;
  }

  setPlane(plane: MediaPlane): void {
    this.plane = plane;
    const { object, quad, playMark, loadedObject, surroundings } = this;
    const centre = add(plane.centre, scale(plane.normal, surroundings.surfaceOffset));
    const axis = (vector: Vec3) => new Vector3(...(vector as [number, number, number]));
    object.matrix.makeBasis(axis(plane.right), axis(plane.up), axis(plane.normal));
    object.matrix.setPosition(axis(centre));
    quad.scale.set(plane.width, plane.height, 1);
    playMark?.scale.setScalar(
      Math.min(PLAY_MARK_SIZE.max, PLAY_MARK_SIZE.share * Math.min(plane.width, plane.height)),
    );
    loadedObject?.fit(plane);
    this.updateDraftFrame();
    object.updateMatrixWorld(true);
  }

  showImage(image: ImageBitmap | HTMLCanvasElement, side: number): void {
    this.setTexture(createTexture(image, this.surroundings.anisotropy));
    this.loadedSide = side;
  }

  /** Replaces the first frame of an animated image by its canvas. */
  showAnimatedImage(animatedImage: AnimatedImage, side: number): void {
    this.setTexture(createTexture(animatedImage.canvas, this.surroundings.anisotropy));
    this.loadedSide = side;
    this.animatedImage = animatedImage;
  }

  /** Updates the texture after another frame of the animated image was drawn. */
  updateTexture(): void {
    const { map } = this.quad.material;
    if (!this.animatedImage || !map) return;
    map.needsUpdate = true;
    this.surroundings.invalidate();
  }

  /** Shows the newest frame of a video. Returns whether it is the first. */
  showVideoFrame(texture: Texture): boolean {
    texture.needsUpdate = true;
    if (this.quad.material.map === texture) return false;
    this.setTexture(texture);
    return true;
  }

  /** Shows a card instead of the file, with the title if no image will be loaded. */
  showCard(): void {
    if (this.isStaged && !this.hasFailed) return;
    if (this.imageUrl !== null && !this.hasFailed) this.setTexture(null);
    else {
      const { width, height } = this.plane;
      this.setTexture(
        createTexture(
          drawTitleCard(this.mediaItem.title, this.mediaItem.kind, height / width),
          this.surroundings.anisotropy,
        ),
      );
    }
  }

  /** Unloads the image, or cancels its download. */
  unload(): void {
    this.loading?.abort();
    this.loading = null;
    if (this.loadedSide > 0) this.showCard();
  }

  showObject(placedObject: PlacedObject): void {
    this.placedObject = placedObject;
    placedObject.drawAfter(this.surroundings.renderOrder);
    this.object.add(placedObject.object);
    this.setPlane(this.plane);
  }

  showFailure(): void {
    this.hasFailed = true;
    this.placedObject = null;
    this.object.add(this.quad);
    this.showPlayMark(false);
    this.showCard();
    this.setPlane(this.plane);
  }

  /** Draws, redraws or removes the mark of an item that visitors do not see. */
  private updateDraftFrame(): void {
    const { draftMark } = this.mediaItem;
    const { width, height } = this.plane;
    const drawnFor = draftMark === undefined ? "" : `${draftMark} ${width} ${height}`;
    if (drawnFor === (this.draftFrame?.drawnFor ?? "")) return;
    const previous = this.draftFrame?.mesh;
    if (previous) {
      this.object.remove(previous);
      disposeTree(previous);
    }
    this.draftFrame = drawnFor === "" ? null : { drawnFor, mesh: null };
    this.surroundings.invalidate();
    if (draftMark === undefined) return;
    // Visitors never need this code.
    import("./draft-frame.client")
      .then(({ createDraftFrame }) => {
        if (this.isDisposed || this.draftFrame?.drawnFor !== drawnFor) return;
        const mesh = createDraftFrame(draftMark, this.plane, this.surroundings.renderOrder);
        this.draftFrame = { drawnFor, mesh };
        this.object.add(mesh);
        this.object.updateMatrixWorld(true);
        this.surroundings.invalidate();
      })
      .catch(() => {});
  }

  showPlayMark(on: boolean): void {
    if (this.playMark) this.playMark.visible = on;
  }

  dispose(): void {
    this.isDisposed = true;
    this.loading?.abort();
    this.loading = null;
    this.setTexture(null);
    this.quad.material.dispose();
    // The geometry is shared.
    this.object.remove(this.quad);
    this.loadedObject?.dispose();
    this.placedObject = null;
    disposeTree(this.object);
  }

  private setTexture(texture: Texture | null): void {
    const { material } = this.quad;
    this.animatedImage?.dispose();
    this.animatedImage = null;
    // A video frees its own texture.
    if (material.map && material.map !== this.player?.texture) disposeTexture(material.map);
    material.map = texture;
    material.color = new Color(texture ? 0xffffff : CARD_COLOR);
    material.needsUpdate = true;
    this.loadedSide = 0;
    this.surroundings.invalidate();
  }
}

function createTexture(image: ImageBitmap | HTMLCanvasElement, anisotropy: number): Texture {
  const texture = new Texture(image);
  // WebGL cannot flip an ImageBitmap, so the square's texture coordinates count from the top.
  texture.flipY = false;
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.anisotropy = anisotropy;
  texture.needsUpdate = true;
  return texture;
}

/** Creates the play mark: a triangle in a disc with the radius 1. */
function createPlayMark(renderOrder: number): Group {
  const mark = new Group();
  const disc = new Mesh(
    new CircleGeometry(1, 48),
    new MeshBasicMaterial({ color: 0x15171c, opacity: 0.72, transparent: true, toneMapped: false }),
  );
  const triangle = new Mesh(
    new CircleGeometry(0.5, 3),
    new MeshBasicMaterial({ color: 0xffffff, toneMapped: false, transparent: true }),
  );
  disc.position.z = 0.004;
  triangle.position.set(0.06, 0, 0.008);
  for (const part of [disc, triangle]) {
    part.renderOrder = renderOrder + 0.1;
    // A small mark is very near to the image, because its distance is scaled too. The offset keeps it in front of the image.
    part.material.polygonOffset = true;
    part.material.polygonOffsetFactor = -2;
    part.material.polygonOffsetUnits = -4;
    mark.add(part);
  }
  triangle.renderOrder += 0.1;
  return mark;
}
