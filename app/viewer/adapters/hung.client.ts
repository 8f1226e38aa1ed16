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
import type { Film } from "./film.client";
import { freeTexture, freeTree } from "./free.client";
import type { HungObject } from "./hung-object.client";
import { titleCard } from "./hung-picture.client";
import type { MovingPicture } from "./moving-picture.client";

/** What is not here yet: a calm card, no frame of a browser's. */
const CARD = 0xd9dce2;
/** The mark of what can be played: a share of the shorter side, and at most so many metres. */
const MARK = { share: 0.2, most: 0.3 };

/** What hung things ask of the space around them. */
export interface HangingSurroundings {
  /** Metres that everything hangs farther off its surface: scanned surfaces are thick. */
  readonly lift: number;
  /** Above 0 they are drawn after the space, in this order: it has no depth of its own. */
  readonly renderOrder: number;
  /** How sharp pictures stay that are seen from the side. */
  readonly anisotropy: number;
  reducedMotion(): boolean;
  invalidate(): void;
  /** What can move has changed. */
  choicesChanged(): void;
}

/** One medium as it hangs in the space: what it shows now, and where. */
export class Hung {
  medium: PlacedMediaItem;
  frame: MediaPlane;
  /** Height by width; null while nobody knows it. */
  aspect: number | null;
  readonly object = new Group();
  /** The longer side of the picture that is held, in pixels; 0 for none. */
  side = 0;
  /** The picture on its way. */
  loading: AbortController | null = null;
  /** A sound whose pin is all that is seen of it. */
  unseen = false;
  /** It did not come: the title is shown instead, and it is not asked for again. */
  failed = false;
  film: Film | null = null;
  /** The picture moves. */
  moving: MovingPicture | null = null;
  /** The visitor has started it, or has stopped what starts by itself. */
  chosen: "play" | "stop" | null = null;
  model: HungObject | "loading" | null = null;
  /** It is seen, or near enough to be seen soon. */
  isAhead = true;
  private readonly around: HangingSurroundings;
  private readonly quad: Mesh<BufferGeometry, MeshBasicMaterial>;
  private readonly mark: Group | null;

  /** @param square of one metre, shared by all and freed by nobody here. */
  constructor(
    medium: PlacedMediaItem,
    frame: MediaPlane,
    square: BufferGeometry,
    around: HangingSurroundings,
  ) {
    this.medium = medium;
    this.frame = frame;
    this.aspect = medium.aspect;
    this.around = around;
    const material = new MeshBasicMaterial({
      color: CARD,
      toneMapped: false,
      polygonOffset: true,
      polygonOffsetFactor: -1,
      polygonOffsetUnits: -1,
      transparent: around.renderOrder > 0,
    });
    this.quad = new Mesh(square, material);
    this.quad.renderOrder = around.renderOrder;
    this.mark = this.isFilm || medium.kind === "web" ? makeMark(around.renderOrder) : null;
    this.object.matrixAutoUpdate = false;
    if (!isStaged(medium.kind)) this.object.add(this.quad);
    if (this.mark) this.object.add(this.mark);
    this.undress();
  }

  /** The model or the splats, once they have come; null for everything else. */
  get standing(): HungObject | null {
    return this.model === "loading" ? null : this.model;
  }

  /** Whether it has three dimensions. */
  get isStaged(): boolean {
    return isStaged(this.medium.kind);
  }

  get isFilm(): boolean {
    return this.medium.kind === "video" || this.medium.kind === "audio";
  }

  /** What is fetched to be hung, of films and web pages never the thing itself; null where there is nothing to be seen. */
  get picture(): string | null {
    const { kind, url, imageUrl: picture } = this.medium;
    if (kind === "audio" || isStaged(kind)) return null;
    return picture ?? (kind === "image" ? url : null);
  }

  /** Where a ray meets it, or null. @param direction unit length. */
  meet(origin: Vec3, direction: Vec3): MediaPlaneHit | null {
    if (!this.object.visible || this.model === "loading") return null;
    return this.model
      ? this.model.meet(origin, direction)
      : intersectMediaPlane(this.frame, origin, direction);
  }

  /** The corners of a model's box; null for what is none, and while it has not come. */
  corners(): readonly Vec3[] | null {
    return this.standing?.corners() ?? null;
  }

  put(frame: MediaPlane): void {
    this.frame = frame;
    const { object, quad, mark, standing, around } = this;
    const centre = add(frame.centre, scale(frame.normal, around.lift));
    const axis = (way: Vec3) => new Vector3(...(way as [number, number, number]));
    object.matrix.makeBasis(axis(frame.right), axis(frame.up), axis(frame.normal));
    object.matrix.setPosition(axis(centre));
    quad.scale.set(frame.width, frame.height, 1);
    mark?.scale.setScalar(Math.min(MARK.most, MARK.share * Math.min(frame.width, frame.height)));
    standing?.fit(frame);
    object.updateMatrixWorld(true);
  }

  wearPicture(picture: ImageBitmap | HTMLCanvasElement, side: number): void {
    this.wear(textureOf(picture, this.around.anisotropy));
    this.side = side;
  }

  /** Shows a picture that moves, in place of its first frame. */
  wearMoving(moving: MovingPicture, side: number): void {
    this.wear(textureOf(moving.canvas, this.around.anisotropy));
    this.side = side;
    this.moving = moving;
  }

  /** Another frame of the moving picture was drawn. */
  refresh(): void {
    const { map } = this.quad.material;
    if (!this.moving || !map) return;
    map.needsUpdate = true;
    this.around.invalidate();
  }

  /** Shows a film's newest frame. Answers whether it is the first. */
  wearFilm(texture: Texture): boolean {
    texture.needsUpdate = true;
    if (this.quad.material.map === texture) return false;
    this.wear(texture);
    return true;
  }

  /** Shows nothing of its file: a card, with its title where no picture is to come. */
  undress(): void {
    if (this.isStaged && !this.failed) return;
    if (this.picture !== null && !this.failed) this.wear(null);
    else {
      const { width, height } = this.frame;
      this.wear(
        textureOf(titleCard(this.medium.title, this.medium.kind, height / width), this.around.anisotropy),
      );
    }
  }

  /** Gives back the picture, or does not wait for it any more. */
  letGo(): void {
    this.loading?.abort();
    this.loading = null;
    if (this.side > 0) this.undress();
  }

  stand(model: HungObject): void {
    this.model = model;
    model.drawAfter(this.around.renderOrder);
    this.object.add(model.object);
    this.put(this.frame);
  }

  fail(): void {
    this.failed = true;
    this.model = null;
    this.object.add(this.quad);
    this.showMark(false);
    this.undress();
    this.put(this.frame);
  }

  showMark(on: boolean): void {
    if (this.mark) this.mark.visible = on;
  }

  dispose(): void {
    this.loading?.abort();
    this.loading = null;
    this.wear(null);
    this.quad.material.dispose();
    // Its shape is everybody's.
    this.object.remove(this.quad);
    this.standing?.dispose();
    this.model = null;
    freeTree(this.object);
  }

  private wear(texture: Texture | null): void {
    const { material } = this.quad;
    this.moving?.dispose();
    this.moving = null;
    // A film frees its own.
    if (material.map && material.map !== this.film?.texture) freeTexture(material.map);
    material.map = texture;
    material.color = new Color(texture ? 0xffffff : CARD);
    material.needsUpdate = true;
    this.side = 0;
    this.around.invalidate();
  }
}

function textureOf(picture: ImageBitmap | HTMLCanvasElement, anisotropy: number): Texture {
  const texture = new Texture(picture);
  // WebGL cannot flip an ImageBitmap: the square's picture points count from the top instead.
  texture.flipY = false;
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.magFilter = LinearFilter;
  texture.anisotropy = anisotropy;
  texture.needsUpdate = true;
  return texture;
}

/** The triangle in a disc that says that something can be played. Its radius is 1. */
function makeMark(renderOrder: number): Group {
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
    // Their depth is the picture's, whatever the mark's size makes of a few millimetres.
    part.material.polygonOffset = true;
    part.material.polygonOffsetFactor = -2;
    part.material.polygonOffsetUnits = -4;
    mark.add(part);
  }
  triangle.renderOrder += 0.1;
  return mark;
}
